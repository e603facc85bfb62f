"""The output ``fields``: a CSV table of all fields of all messages."""

from __future__ import annotations

import csv
import io
import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final
from uuid import UUID

from messagegen.outputs.output import File, Inputs, Options, Output
from messagegen.plan import ops
from messagegen.versions import VersionRange

COLUMNS: Final = (
    "message",
    "struct",
    "field",
    "type",
    "versions",
    "nullableVersions",
    "taggedVersions",
    "tag",
    "default",
    "about",
)
"""The first line. A column that contains a property of a spec has the name of the property."""


def fields_text(plans: Sequence[ops.MessagePlan]) -> str:
    """Return the table: one line for each field of each struct. It is in the order of ``plans`` and their specs.

    Structs and fields have their names in the spec, even inside types. All version columns contain versions of the
    message, never an open-ended range; "" means no version. ``default`` is written as in specs.
    """
    text = io.StringIO()
    # Quote all values: in some Python versions, an unquoted carriage return in a value would end the line.
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(COLUMNS)
    for plan in plans:
        writer.writerows(_rows(plan))
    return text.getvalue()


def _rows(plan: ops.MessagePlan) -> Iterator[tuple[str, ...]]:
    name_of = {struct.class_name: struct.name for struct in plan.structs}
    for struct in plan.structs:
        for field in struct.fields:
            element = field.element_type
            yield (
                plan.name,
                struct.name,
                field.name,
                field.type.removesuffix(element) + name_of.get(element, element),
                _versions(field.versions),
                _versions(field.nullable_versions),
                _versions(field.tagged_versions),
                "" if field.tag is None else str(field.tag),
                _default(field.default),
                field.about,
            )


def _versions(versions: VersionRange) -> str:
    return "" if versions.empty else str(versions)


def _default(value: ops.PlanDefault) -> str:
    """Return a default as in specs; "" for bytes, arrays and structs, which are empty unless they are null."""
    match value:
        case str():
            return value
        case UUID():
            return urlsafe_b64encode(value.bytes).decode().rstrip("=")
        case None | bool() | int() | float():
            return json.dumps(value)
        case _:
            return ""


def _files(inputs: Inputs, _: Options) -> Mapping[str, File]:
    return {"fields.csv": File(partial(fields_text, inputs.messages))}


FIELDS: Final = Output(name="fields", about="a CSV table of all fields of all messages", files=_files)
