"""Edits of a spec as text to paste: the encodings of a field in all existing versions, and in the next version."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise

from messagegen_arrow.advisor.fields import integer_fields
from messagegen_arrow.catalog import MessageTable

FieldName = tuple[str, str]
"""The struct of a field, and its key: its name in Kafka's JSON."""
Encodings = Mapping[str, str]
"""The encoding in each range of versions, as in specs."""


def encodings_of_fields(table: MessageTable) -> dict[FieldName, dict[int, str]]:
    """Return the encodings of each integer field, as a dict from the first version of each encoding to its name.

    Versions are in ascending order.
    """
    found: dict[FieldName, dict[int, str]] = {}
    for version in table.versions:
        for field in integer_fields(table.plan, version).values():
            starts = found.setdefault(field.name, {})
            if not starts or starts[max(starts)] != field.encoding:
                starts[version] = field.encoding
    return found


def with_next_version(starts: Mapping[int, str], version: int, encoding: str) -> Encodings:
    """Return the encoding in each range of versions: as in ``starts``, but ``encoding`` from ``version`` on."""
    firsts = [*starts, version]
    ranges = [_range(first, after - 1) for first, after in pairwise(firsts)]
    return dict(zip([*ranges, f"{version}+"], [*starts.values(), encoding], strict=True))


def property_text(name: str, encodings: Encodings) -> str:
    """Return the property ``name`` of a field as it is written in specs."""
    entries = ", ".join(f"{json.dumps(versions)}: {json.dumps(each)}" for versions, each in encodings.items())
    return f"{json.dumps(name)}: {{ {entries} }}"


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
