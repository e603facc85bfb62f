"""Rules about names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import Final

from messagegen.names import attribute_names, message_class, module_name, snake_case
from messagegen.spec.model import ArrayType, FieldSpec, MessageKind, MessageSpec, StructType
from messagegen.spec.rule import Category, Problem, fields, messages, rule

_ENDINGS: Final = {
    MessageKind.REQUEST: "Request",
    MessageKind.RESPONSE: "Response",
    MessageKind.HEADER: "Header",
    MessageKind.METADATA: "Record",
    MessageKind.COORDINATOR_KEY: "Key",
    MessageKind.COORDINATOR_VALUE: "Value",
}
_PASCAL: Final = re.compile(r"[A-Z][A-Za-z0-9]*")


@rule(messages, category=Category.MINIMAL)
def message_name_ending(spec: MessageSpec) -> Iterator[Problem]:
    """Checks that the name of a message ends with its kind.

    Apache's generator, tools and people find the response of a request, and the value of a key, by its name.

    - not `"type": "request", "name": "Ping"`
    - but `"type": "request", "name": "PingRequest"`
    """
    ending = _ENDINGS.get(spec.kind, "")
    if not spec.name.endswith(ending):
        message = f'the name of a {spec.kind.value} ends with {ending}, not "{spec.name}"'
        others = (other for other in _ENDINGS.values() if spec.name.endswith(other) and spec.name != other)
        stem = spec.name.removesuffix(next(others, ""))
        yield spec, "name", message, f'write "{stem}{ending}"'


@rule(messages, category=Category.STANDARD)
def message_file_name(spec: MessageSpec) -> Iterator[Problem]:
    """Checks that the file of a message has the name of the message.

    People look for a message by its file name.

    - not `"name": "PingRequest" in Ping.json`
    - but `"name": "PingRequest" in PingRequest.json`
    """
    path = PurePath(spec.file)
    if path.suffix == ".json" and path.stem != spec.name:
        message = f'message "{spec.name}" is in the file {path.name}'
        yield spec, "name", message, f"rename the file to {spec.name}.json"


@rule(messages, category=Category.STANDARD)
def name_without_underscore(spec: MessageSpec) -> Iterator[Problem]:
    """Checks that the name of a message has no underscores.

    Kafka's names and Python class names are in Pascal case.

    - not `"name": "Topic_Request"`
    - but `"name": "TopicRequest"`
    """
    name = spec.name
    if not _PASCAL.fullmatch(name):
        yield spec, "name", f'the name "{name}" has underscores', f'write "{_pascal(name)}"'


@rule(fields, category=Category.STANDARD)
def field_name_case(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that the names of fields and of their structs are in Pascal case.

    Kafka's field names start with a capital letter. JSON keys always start with a small letter, so the
    mistake is not visible in JSON.

    - not `"name": "leaderId"`
    - but `"name": "LeaderId"`
    """
    name = field.name
    if not name[0].isupper():
        yield field, "name", f'the name "{name}" starts with a lowercase letter', f'write "{_pascal(name)}"'
    element = field.type.element if isinstance(field.type, ArrayType) else field.type
    if isinstance(element, StructType) and not _PASCAL.fullmatch(element.name):
        message = f'the name "{element.name}" has underscores'
        yield field, "type", message, f'write "{_pascal(element.name)}"'


@rule(fields, category=Category.STANDARD)
def field_name_not_reserved(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that a field has the same name in Python.

    A keyword, or the name of a generated method, gets a trailing underscore, which people forget.

    - not `"name": "From"`
    - but `"name": "FromOffset"`
    """
    (attribute,) = attribute_names([field.name])
    wanted = snake_case(field.name)
    if attribute != wanted:
        message = f'field "{field.name}" becomes the attribute {attribute}, because {wanted} is reserved'
        yield field, "name", message, "use another name"


@rule(messages, category=Category.STANDARD)
def message_name_not_reserved(spec: MessageSpec) -> Iterator[Problem]:
    """Checks that a message has the same name in Python.

    A keyword, a reserved file name, or a name that packages export, such as `Record` or `DecodeError`, gets a trailing
    underscore, which people forget.

    - not `"name": "Import"`
    - but `"name": "ImportRecord"`
    """
    module = module_name(spec.name)
    wanted = snake_case(spec.name)
    if module != wanted:
        message = f'message "{spec.name}" becomes the module {module}, because {wanted} is reserved'
        yield spec, "name", message, "use another name"
    name = message_class(spec.name)
    if name != spec.name:
        message = f'message "{spec.name}" becomes the class {name}, because {spec.name} is reserved'
        yield spec, "name", message, "use another name"


def _pascal(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))
