"""Merges small specs, and compares the findings of the merge with the changes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Any

from messagegen.evolve import BreakingChange
from messagegen.merge import CANNOT_MERGE, Merged, SpecSet, merge_sets

Json = dict[str, Any]


def field(name: str, versions: str, type_: str = "int32", **more: object) -> Json:
    return {"name": name, "type": type_, "versions": versions, **more}


def message(valid: str, *fields: Json, flexible: str = "none", **more: object) -> Json:
    properties = {"apiKey": 7, "type": "request", "name": "OrderRequest", "validVersions": valid}
    return {**properties, "flexibleVersions": flexible, "fields": list(fields), **more}


def merge(*specs: Json) -> Merged:
    """Merge the specs, each from a spec set of its own, from the oldest to the newest."""
    return merge_sets(
        [
            SpecSet(f"v{number}", {f"{spec['name']}.json": json.dumps(spec).encode()})
            for number, spec in enumerate(specs, 1)
        ]
    )


def text_of(merged: Merged) -> str:
    (text,) = merged.texts.values()
    return text.decode()


OLD = message(
    "0-3",
    field("Id", "0+"),
    field("Rack", "0-1", "string"),
    field("Items", "0+", "[]Item", fields=[field("Sku", "0+"), field("Old", "0-2")]),
)

NEW = message(
    "2-5",
    field("Kind", "4+", "int8"),
    field("Id", "0+"),
    field("Items", "0+", "[]Item", fields=[field("Sku", "0+"), field("Price", "5+", "int64"), field("Old", "0-2")]),
    field("Note", "4+", "string", taggedVersions="4+", tag=0, nullableVersions="4+"),
    flexible="4+",
)


def unlisted(one: SpecSet, changes: Iterable[BreakingChange], merged: Merged) -> Iterator[str]:
    """Yield the wire changes, from one input to the result, that are missing from the findings of the merge."""
    listed = [finding for finding in merged.findings if one.label in finding.sets]
    for change in changes:
        rules = {change.rule, *([CANNOT_MERGE] if change.rule == "MESSAGE_VERSIONS_NOT_REMOVED" else [])}
        # A finding of the merge may name more versions than the change, because it includes unstable versions.
        told = [
            each
            for each in listed
            if each.rule in rules and {*change.versions} <= {*each.versions} and names_of(each) & names_of(change)
        ]
        if "WIRE" in change.categories and not told:
            yield f"{one.label}: {change}"


def names_of(change: BreakingChange) -> set[str]:
    """Return the names of the message's spec files: two names if it was renamed."""
    return {PurePath(place.file).stem for place in (change, change.previous) if place}
