"""Converts Kafka names to Python names, by one rule and one table of exceptions.

``LeaderId`` becomes ``leader_id``. A name that Python or the generated classes reserve gets a trailing underscore. If
two Kafka names would become the same Python name, the later name gets more underscores.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Mapping
from typing import Final

from messagegen.runtime.messages import Request, Response

_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

_USED_IN_MODULES: Final = ("CODEC", "TYPE_CHECKING", "classmethod", "self", "staticmethod")
RESERVED: Final = frozenset((*dir(Request), *dir(Response), *_USED_IN_MODULES))
"""The names that generated classes and modules use; a field or struct with such a name gets a trailing underscore."""

EXPORTS: Final[Mapping[str, str]] = {
    "DecodeError": "errors",
    "EncodeError": "errors",
    "MessageError": "errors",
    "UnsupportedVersionError": "errors",
    "FieldInfo": "fields",
    "Limits": "errors",
    "Message": "base",
    "KeyedMessage": "messages",
    "NoCommonVersionError": "messages",
    "Request": "messages",
    "Response": "messages",
    "BrokerSession": "session",
    "ClientSession": "session",
    "ClientSessionWithTokens": "session",
    "FrameSizeError": "session",
    "Framer": "session",
    "InFlightRequest": "session",
    "Observer": "session",
    "ReceivedRequest": "session",
    "ReceivedResponse": "session",
    "SaslToken": "session",
    "SentRequest": "session",
    "SentToken": "session",
    "SessionError": "session",
    "UnreadableFrame": "session",
    "ControlRecord": "records.control",
    "Record": "records.values",
    "RecordBatch": "records.batches",
    "RecordBatches": "records.reading",
    "RecordHeader": "records.values",
    "UnsupportedCompressionError": "records.compression",
    "read_records": "records.reading",
    "rewrite": "rewriting",
}
"""The names that packages export from their runtime, each with its module in the runtime.

A package that does not need a module, such as ``messages`` or ``records``, lacks it. The names in it are reserved
anyway, so that the class of a message keeps its name if the package gets the module later.
"""

ERROR_CODE_CLASS: Final = "ErrorCode"
ERROR_CODE_MODULE: Final = "error_codes"
"""The enum of error codes that packages export, and its module."""

_RESERVED_CLASSES: Final = frozenset((*EXPORTS, ERROR_CODE_CLASS))
_RESERVED_MODULES: Final = frozenset((*EXPORTS, ERROR_CODE_MODULE, "message_classes", "strategies"))
"""Names that modules of messages avoid, because an imported module would hide the package's export of the same name."""


def words(name: str) -> list[str]:
    """Return the words of a name: ``ISR`` and ``Nodes`` for ``ISRNodes``."""
    return _WORD_START.split(name)


def snake_case(name: str) -> str:
    """Return a name in snake case: ``isr_nodes`` for ``ISRNodes``, ``v2_name3`` for ``V2Name3``."""
    return "_".join(words(name)).lower()


def json_name(name: str) -> str:
    """Return Kafka's JSON key for a field: only the first letter becomes lower case (``iSRNodes``)."""
    return name[:1].lower() + name[1:]


def attribute_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the attribute for each of a struct's field names, in order. All attributes are different."""
    return _distinct(snake_case(name) for name in names)


def class_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the class name for each struct name of a module, in order. All class names are different.

    The first struct is the message itself, whose class the package exports.
    """
    message, *structs = names
    first = f"{message}_" if message in _RESERVED_CLASSES else message
    return _distinct([first, *structs])


def message_class(name: str) -> str:
    """Return the name of a message's class."""
    return class_names([name])[0]


def module_name(message_name: str) -> str:
    """Return the name of a message's module, without ``.py``."""
    name = snake_case(message_name)
    return f"{name}_" if keyword.iskeyword(name) or name in _RESERVED_MODULES else name


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    taken = set(RESERVED)
    result: list[str] = []
    for wanted in names:
        name = wanted
        while keyword.iskeyword(name) or name in taken:
            name += "_"
        taken.add(name)
        result.append(name)
    return tuple(result)
