"""Validates a file against its JSON Schema; each error becomes a finding with a location.

Findings quote the schema: ``title`` describes a valid value, and the first of ``examples`` is the advice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, cast

from messagegen import __version__
from messagegen.findings import clipped, quoted
from messagegen.jsonc import Array, Object, Value, plain
from messagegen.primitives import PRIMITIVES
from messagegen.spec.place import below
from messagegen.spec.report import Report, did_you_mean

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

MESSAGE_SPEC: Final = "message_spec.schema.json"
ERROR_CODES: Final = "error_codes.schema.json"

_CLOSED_RANGE: Final = "0-3"
"""The example of a version range for properties that require a highest version."""
_LONGEST_RANGE: Final = 40
"""The maximum length of a version range in an invalid notation that advice considers."""


def schema_text(schema: str = MESSAGE_SPEC) -> str:
    """Return the published JSON Schema (2020-12) of message specs or error code files; its id contains our version."""
    names = "|".join(PRIMITIVES)
    return _text(
        schema, rf"^\\s*(\\[\\]\\s*)?({names}|double|(unsigned_)?varint(16|32|64)|[A-Z][A-Za-z0-9_]{{0,99}})\\s*$"
    )


def _structure(schema: str) -> Any:
    """Return the schema without its conditions: rules check them, too, and give better advice."""
    document = json.loads(_text(schema, r"[^\\s]"))
    for key in ("if", "then"):
        document.pop(key, None)
    return document


def _text(schema: str, type_pattern: str) -> str:
    """Return the text of a schema, with ``type_pattern`` as the pattern for types."""
    text = files("messagegen.spec").joinpath(schema).read_text(encoding="utf-8")
    text = text.replace("{primitives}", ", ".join(PRIMITIVES)).replace("{version}", __version__)
    return text.replace("{type}", type_pattern)


@lru_cache(maxsize=2)
def _validator(schema: str) -> Validator:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - slow to import, and some runs read no spec
    from jsonschema.validators import extend  # noqa: PLC0415 # pyright: ignore[reportUnknownVariableType]

    # JSON Schema accepts 1.0 as an integer, Jackson does not.
    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer)
    validator = cast("Any", extend)(Draft202012Validator, type_checker=types)
    return cast("Validator", validator(_structure(schema)))


def _is_integer(_: object, value: object) -> bool:
    return type(value) is int


def check_structure(root: Value, report: Report, schema: str = MESSAGE_SPEC) -> None:
    """Add a finding for each violation of the schema."""
    for error in _validator(schema).iter_errors(plain(root)):
        _tell(error, *_located(root, error.absolute_path), report)


def _located(root: Value, steps: Iterable[str | int]) -> tuple[Value, str, str]:
    """Return the value at the path ``steps``, its JSON path as text, and the name of the last property on that path."""
    node = root
    path = ""
    name = ""
    for step in steps:
        if isinstance(node, Object) and isinstance(step, str):
            node = node.members[step].value
            path = below(path, step)
            name = step
        elif isinstance(node, Array) and isinstance(step, int):
            node = node.parts[step].value
            path = f"{path}[{step}]"
    return node, path, name


def _tell(error: ValidationError, node: Value, path: str, name: str, report: Report) -> None:
    """Turn an error from ``jsonschema`` into findings."""
    schema = cast("dict[str, Any]", error.schema)
    given = cast("Any", error.instance)
    if error.validator == "additionalProperties" and isinstance(node, Object):
        known = tuple(schema["properties"])
        for other in given.keys() - set(known):
            message = f"unknown property {quoted(other)}"
            instead = did_you_mean(other, known)
            if not instead.startswith("did you mean"):
                instead = f"remove it, or {instead}"
            report.tell(node.members[other].position, below(path, other), "PROPERTY_KNOWN", message, instead)
    elif error.validator == "required":
        for other in set(schema["required"]) - given.keys():
            message = f"missing property {quoted(other)}"
            example = json.dumps(_examples(schema["properties"][other])[0])
            instead = f'write "{other}": {example}'
            report.tell(node.position, below(path, other), "PROPERTY_REQUIRED", message, instead)
    else:
        what = quoted(name) if name else "the file"
        if "propertyNames" in error.absolute_schema_path:
            what = f"each key of {what}"
        instead = _advice(schema, given, open_ended=name != "validVersions")
        if "enum" in schema and isinstance(given, str):
            instead = did_you_mean(given, tuple(word for word in schema["enum"] if word))
        message = f"{what} must be {schema['title']}, not {clipped(json.dumps(given, ensure_ascii=False))}"
        report.tell(node.position, path, "PROPERTY_TYPE", message, instead)


def _advice(schema: dict[str, Any], given: object, *, open_ended: bool) -> str:
    """Return the advice for an invalid value: a similar valid value, or else an example."""
    example = json.dumps(schema["examples"][0] if open_ended else _CLOSED_RANGE)
    if isinstance(given, str) and len(given) > schema.get("maxLength", len(given)):
        return f"write a shorter one, such as {example}"
    meant = _meant(schema["title"], given)
    valid = cast("Any", _validator(MESSAGE_SPEC)).evolve(schema=schema)
    if meant == "" or not valid.is_valid(meant) or (str(meant).endswith("+") and not open_ended):
        return f"write {example}"
    return f"write {json.dumps(meant)}"


def _meant(title: str, given: object) -> str | int:
    """Return the valid value that an invalid one probably means, according to the ``title`` of its schema, or ""."""
    if title.startswith("a version range"):
        return _meant_range(given)
    if title.startswith("a number") and isinstance(given, str) and re.fullmatch(r"-?[0-9]{1,10}", given.strip()):
        return int(given)
    if "letters" in title:
        return _meant_name(given)
    if title.startswith("capitals") and isinstance(given, str):
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+", "_", given).strip("_").upper()
    return ""


def _meant_range(given: object) -> str:
    """Return the version range that an invalid notation means, such as ``0..3``, ``0.1``, ``>= 2`` or ``[0, 1]``.

    Return "" if the meaning is unclear.
    """
    text = json.dumps(given)
    if len(text) > _LONGEST_RANGE or re.search(r"0[xX]", text):
        return ""
    numbers = [str(int(digits)) for digits in re.findall(r"[0-9]{1,5}", text)]
    if len(numbers) == 1:
        return _meant_half_open(text, numbers[0])
    if len(numbers) == 2 and int(numbers[0]) <= int(numbers[1]):
        return "-".join(numbers)
    return ""


def _meant_half_open(text: str, number: str) -> str:
    """Return the version range that a text with one number means, or "" if the meaning is unclear."""
    if re.search(r"from|since|>|\.\.|[+-]\W*$", text):
        return f"{number}+"
    if re.search(r"up to|<=", text):
        return f"0-{number}"
    # Words such as "until" may include or exclude the last version, and a negative number has no meaning.
    is_unclear = re.search(r"until|before|<|-", text)
    return "" if is_unclear else number


def _meant_name(given: object) -> str:
    """Return the words of a text, capitalized and joined, with only their letters and digits; "" if nothing is left."""
    words = re.findall(r"[A-Za-z0-9]+", given) if isinstance(given, str) else []
    return "".join(word[:1].upper() + word[1:] for word in words).lstrip("0123456789")


def _examples(schema: dict[str, Any]) -> list[Any]:
    if "examples" not in schema:
        schema = cast("Any", _validator(MESSAGE_SPEC).schema)["$defs"][schema["$ref"].rpartition("/")[2]]
    return cast("list[Any]", schema["examples"])
