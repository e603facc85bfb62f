"""Rules about names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Final

from messagegen.lint.rules.rule import Problem, Spot, fields, rule, sets, specs
from messagegen.lint.subject import FieldSubject, SpecSubject
from messagegen.names import attribute_names, class_names, module_name, snake_case
from messagegen.spec.model import ArrayType, MessageKind, StructType

_ENDINGS: Final = {
    MessageKind.REQUEST: "Request",
    MessageKind.RESPONSE: "Response",
    MessageKind.HEADER: "Header",
    MessageKind.METADATA: "Record",
    MessageKind.COORDINATOR_KEY: "Key",
    MessageKind.COORDINATOR_VALUE: "Value",
}
_PASCAL: Final = re.compile(r"[A-Z][A-Za-z0-9]*")


@rule(specs, minimal=True)
def message_name_ending(spot: Spot) -> Iterator[Problem]:
    """Checks that the name of a message ends with its kind.

    Apache's generator, tools and people find the response of a request, and the value of a key, by its name.

    - not `"type": "request", "name": "Ping"`
    - but `"type": "request", "name": "PingRequest"`
    """
    spec = spot.subject.spec
    ending = _ENDINGS.get(spec.kind, "")
    if not spec.name.endswith(ending):
        message = f'the name of a {spec.kind.value} ends with {ending}, not "{spec.name}"'
        yield spot.problem("name", message, f'write "{spec.name}{ending}"')


@rule(sets)
def message_file_name(subjects: Sequence[SpecSubject]) -> Iterator[Problem]:
    """Checks that the file of a message has the name of the message.

    People look for a message by its file name.

    - not `"name": "PingRequest" in Ping.json`
    - but `"name": "PingRequest" in PingRequest.json`
    """
    for subject in subjects:
        path = PurePath(subject.file)
        if path.suffix == ".json" and path.stem != subject.spec.name:
            message = f'message "{subject.spec.name}" is in the file {path.name}'
            yield Spot(subject, subject.root, "").problem(
                "name", message, f"rename the file to {subject.spec.name}.json"
            )


@rule(specs)
def name_without_underscore(spot: Spot) -> Iterator[Problem]:
    """Checks that the names of messages and common structs have no underscores.

    Kafka's names and Python class names are in Pascal case.

    - not `"name": "Topic_State"`
    - but `"name": "TopicState"`
    """
    name = spot.subject.spec.name
    if not _PASCAL.fullmatch(name):
        yield spot.problem("name", f'the name "{name}" has underscores', f'write "{_pascal(name)}"')
    for path, node in spot.subject.structs:
        part = node.members.get("name")
        struct = "" if part is None else str(getattr(part.value, "value", ""))
        if struct and not _PASCAL.fullmatch(struct):
            message = f'the name "{struct}" has underscores'
            yield Spot(spot.subject, node, path).problem("name", message, f'write "{_pascal(struct)}"')


@rule(fields)
def field_name_case(spot: Spot, field: FieldSubject) -> Iterator[Problem]:
    """Checks that the names of fields and of their structs are in Pascal case.

    Kafka's field names start with a capital letter. JSON keys all start with a small letter, so they don't show it.

    - not `"name": "leaderId"`
    - but `"name": "LeaderId"`
    """
    name = field.spec.name
    if not name[0].isupper():
        yield spot.problem("name", f'the name "{name}" starts with a lowercase letter', f'write "{_pascal(name)}"')
    element = field.spec.type.element if isinstance(field.spec.type, ArrayType) else field.spec.type
    if isinstance(element, StructType) and not _PASCAL.fullmatch(element.name):
        message = f'the name "{element.name}" has underscores'
        yield spot.problem("type", message, f'write "{_pascal(element.name)}"')


@rule(fields)
def field_name_not_reserved(spot: Spot, field: FieldSubject) -> Iterator[Problem]:
    """Checks that a field has the same name in Python.

    A keyword, or the name of a generated method, gets a trailing underscore, which people forget.

    - not `"name": "From"`
    - but `"name": "FromOffset"`
    """
    names = [sibling.name for sibling in field.siblings]
    index = next(i for i, sibling in enumerate(field.siblings) if sibling is field.spec)
    attribute, wanted = attribute_names(names)[index], snake_case(field.spec.name)
    if attribute != wanted:
        message = f'field "{field.spec.name}" becomes the attribute {attribute}, because {wanted} is reserved'
        yield spot.problem("name", message, "use another name")


@rule(specs)
def message_name_not_reserved(spot: Spot) -> Iterator[Problem]:
    """Checks that a message has the same name in Python.

    A keyword or a reserved file name gets a trailing underscore, which people forget.

    - not `"name": "Import"`
    - but `"name": "ImportRecord"`
    """
    spec = spot.subject.spec
    module, wanted = module_name(spec.name), snake_case(spec.name)
    if module != wanted:
        message = f'message "{spec.name}" becomes the module {module}, because {wanted} is reserved'
        yield spot.problem("name", message, "use another name")
    (name,) = class_names([spec.name])
    if name != spec.name:
        message = f'message "{spec.name}" becomes the class {name}, because {spec.name} is reserved'
        yield spot.problem("name", message, "use another name")


def _pascal(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))
