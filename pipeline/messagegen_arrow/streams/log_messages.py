"""Values of records as messages: the message options of ``kafka-log``, and the column that replaces ``value``."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, Literal, cast

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.arrays import null_unless, repeated, without_errors
from messagegen_arrow.catalog import MessageTable, message_table, table_of_plan
from messagegen_arrow.columns.decoding import decode_columns
from messagegen_arrow.columns.model import ColumnOptions, MessageColumns
from messagegen_arrow.columns.schemas import arrow_struct
from messagegen_arrow.columns.secrets import REDACTED_BYTES, may_hold_secrets, redact, without_secrets
from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME, MalformedMessageError, Mode
from messagegen_arrow.options import OptionError
from messagegen_kafka._runtime.errors import DEFAULT_LIMITS, Limits

MESSAGE: Final = "message"
VALUE: Final = "value"
_OFFSET: Final = "offset"
_IS_CONTROL: Final = "isControl"
_PATH: Final = "path"
_OF_MESSAGES: Final = ("plan", "version", "names", "uuid", "unknowntaggedfields", "includesecrets", "limits")
"""The options that need ``message``, in lower case."""
_NEAR: Final = 0.85
"""The minimum similarity of a misspelt name.

Different options are less similar: ``includeSegments`` and ``includeSecrets`` have 0.83.
"""
_LIMITS: Final = ("array_length", "tagged_field_count", "memory_factor", "memory_constant")
_VERSION_BYTES: Final = 2
_LARGEST_VERSION: Final = (1 << 15) - 1
_FLAGS: Final = {"true": True, "false": False}


@dataclass(frozen=True)
class LogMessages:
    """The message in all values, and its columns."""

    table: MessageTable
    wanted: MessageColumns
    version: int | None
    """The version of all values; ``None`` if each value begins with its version as an int16."""
    hides_secrets: bool

    @classmethod
    def of(
        cls, table: MessageTable, version: int | None, options: ColumnOptions, *, include_secrets: bool
    ) -> LogMessages:
        """Check the options. Raises ``LookupError`` for an unknown version, and ``ValueError`` for invalid options."""
        wanted = MessageColumns.of(table, version, options)
        if include_secrets:
            return cls(table, wanted, version, hides_secrets=False)
        return cls(table, without_secrets(table, wanted), version, hides_secrets=may_hold_secrets(table))

    @property
    def field(self) -> pa.Field:
        """The column ``message``."""
        return pa.field(MESSAGE, pa.struct(list(arrow_struct(self.wanted.columns, self.wanted.uuid, self.table))))

    @staticmethod
    def columns_read(names: Sequence[str]) -> tuple[str, ...]:
        """Return the log columns that the named columns need."""
        known = (name for name in names if name != MESSAGE)
        return tuple(dict.fromkeys([*known, VALUE, _OFFSET, _PATH, _IS_CONTROL]))

    def decoded(self, batch: pa.RecordBatch, names: Sequence[str], mode: Mode) -> pa.RecordBatch:
        """Return the named columns for a batch with ``columns_read``.

        The mode decides what happens to malformed values.

        Raises ``MalformedMessageError`` in mode FAILFAST, and in mode PERMISSIVE if no column shows the error.
        """
        message, errors = self._messages(batch)
        is_wrong = errors.is_valid()
        is_shown = mode == "PERMISSIVE" and ERROR_NAME in names
        if errors.null_count < len(errors) and mode != "DROPMALFORMED" and not is_shown:
            raise MalformedMessageError(_described(batch, errors, reads_version=self.version is None))
        columns = {name: batch.column(name) for name in batch.schema.names} | {MESSAGE: message}
        if ERROR_NAME in columns:
            columns[ERROR_NAME] = pc.if_else(is_wrong, errors, columns[ERROR_NAME])
        if RAW_NAME in columns:
            columns[RAW_NAME] = self._raw(columns, is_wrong)
        fields = [self.field if name == MESSAGE else batch.schema.field(name) for name in names]
        found = pa.RecordBatch.from_arrays([columns[name] for name in names], schema=pa.schema(fields))
        return found.filter(pc.invert(is_wrong)) if mode == "DROPMALFORMED" else found

    def _messages(self, batch: pa.RecordBatch) -> tuple[pa.StructArray, pa.StructArray]:
        """Return the messages and the errors of values. The message is null for null, control records and errors."""
        is_control = pc.fill_null(batch.column(_IS_CONTROL), fill_value=False)
        values = null_unless(pc.invert(is_control), batch.column(VALUE))
        if self.version is not None:
            decoded = decode_columns(self.wanted, values, self.version)
        else:
            decoded = decode_columns(self.wanted, values, _versions(values), _VERSION_BYTES)
        if self.hides_secrets:
            decoded = redact(self.wanted, decoded)
        return without_errors(decoded)

    def _raw(self, columns: Mapping[str, pa.Array], is_wrong: pa.BooleanArray) -> pa.Array:
        if not self.hides_secrets:
            return pc.if_else(is_wrong, columns[VALUE], columns[RAW_NAME])
        # A batch that can't be read may contain secrets, too.
        is_shown = pc.or_(is_wrong, columns[RAW_NAME].is_valid())
        hidden = repeated(REDACTED_BYTES, pa.binary(), len(is_wrong))
        return null_unless(is_shown, hidden)


def take_messages(texts: Mapping[str, str]) -> tuple[LogMessages | None, dict[str, str]]:
    """Return the options for messages, and all other options; names are in lower case. Raises ``OptionError``."""
    rest = {name: text for name, text in texts.items() if name != MESSAGE and name not in _OF_MESSAGES}
    for name in rest:
        if near := get_close_matches(name, (MESSAGE, *_OF_MESSAGES), n=1, cutoff=_NEAR):
            raise OptionError(f"kafka-log has no option {name}; did you mean {near[0]}?")
    if MESSAGE in texts:
        return _messages_of(texts), _with_value(rest)
    for name in _OF_MESSAGES:
        if name in texts:
            raise OptionError(f"option {name} needs message, such as message=OffsetCommitValue")
    return None, rest


def _with_value(rest: dict[str, str]) -> dict[str, str]:
    """Return the options with ``message`` replaced by ``value`` in the list of columns to read."""
    if "columns" not in rest:
        return rest
    columns = [VALUE if name.strip() == MESSAGE else name.strip() for name in rest["columns"].split(",")]
    if columns.count(VALUE) > 1:
        raise OptionError(f"option columns: {MESSAGE} is given twice")
    return {**rest, "columns": ",".join(columns)}


def _messages_of(texts: Mapping[str, str]) -> LogMessages:
    version = _version(texts.get("version"))
    options: ColumnOptions = {
        "names": cast("Literal['kafka', 'snake']", _one_of(texts, "names", ("kafka", "snake"))),
        "uuid": cast("Literal['string', 'binary']", _one_of(texts, "uuid", ("string", "binary"))),
        "unknown_tagged_fields": _FLAGS[_one_of(texts, "unknowntaggedfields", ("false", "true"))],
        "limits": _limits(texts.get("limits")),
    }
    include_secrets = _FLAGS[_one_of(texts, "includesecrets", ("false", "true"))]
    try:
        table = _table_of(texts[MESSAGE], texts.get("plan"))
        return LogMessages.of(table, version, options, include_secrets=include_secrets)
    except (LookupError, ValueError) as problem:
        raise OptionError(f"option message={texts[MESSAGE]}: {problem.args[0]}") from None


def _table_of(message: str, plan: str | None) -> MessageTable:
    if plan is None:
        return message_table(message)
    table = table_of_plan(plan)
    if table.name != message:
        raise ValueError(f"found the plan of {table.name}")
    return table


def _version(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and int(text) <= _LARGEST_VERSION):
        raise OptionError(f"option version: expected a number from 0 to {_LARGEST_VERSION}, not {text!r}")
    return int(text)


def _limits(text: str | None) -> Limits:
    """Return the limits of a message, given as four numbers in the order of ``Limits`` or as named numbers."""
    if text is None:
        return DEFAULT_LIMITS
    parts = text.split(",")
    if "=" in text:
        given = [(name.strip(), number.strip()) for name, _, number in (part.partition("=") for part in parts)]
        is_complete = all(name in _LIMITS for name, _ in given)
    else:
        given = list(zip(_LIMITS, (part.strip() for part in parts), strict=False))
        is_complete = len(parts) == len(_LIMITS)
    if not is_complete or not all(number.isascii() and number.isdigit() for _, number in given):
        raise OptionError(f"option limits: expected four numbers, or names such as array_length=2000000, not {text!r}")
    return Limits(**{name: int(number) for name, number in given})


def _one_of(texts: Mapping[str, str], option: str, known: tuple[str, str]) -> str:
    """Return the case-insensitive value of an option, in lower case; the default is the first of ``known``."""
    word = texts.get(option, known[0]).lower()
    if word not in known:
        raise OptionError(f"option {option}: expected {known[0]} or {known[1]}, not {texts[option]!r}")
    return word


def _versions(values: pa.BinaryArray) -> pa.Int16Array:
    """Return the int16 at the start of each value; null for shorter values."""
    found = [
        None if value is None or len(value) < _VERSION_BYTES else int.from_bytes(value[:_VERSION_BYTES], signed=True)
        for value in pc.binary_slice(values, 0, _VERSION_BYTES).to_pylist()
    ]
    return pa.array(found, pa.int16())


def _described(batch: pa.RecordBatch, errors: pa.StructArray, *, reads_version: bool) -> str:
    """Return the error of the first malformed value, with its place.

    With ``reads_version``, each value begins with its version.
    """
    row = errors.is_valid().index(pa.scalar(value=True)).as_py()
    path = batch.column(_PATH)[row]
    offset = batch.column(_OFFSET)[row]
    error = errors[row].as_py()
    field = f"{error['path']}: " if error["path"] else ""
    about_version = "without the option version, each value begins with its version; " if reads_version else ""
    return (
        f"{path}: the value of the record at offset {offset} can't be decoded: {field}{error['message']}; "
        f"{about_version}mode DROPMALFORMED leaves such records out; "
        "mode PERMISSIVE keeps them, with the reason in _error"
    )
