"""Forty edits of one spec, each with the categories of parts that a reader of the spec expects it to break."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

Spec = dict[str, Any]

NAME: Final = "OrderRequest"
_ITEM: Final[list[Spec]] = [
    {"name": "ItemId", "type": "uuid", "versions": "0+", "mapKey": True},
    {"name": "Amount", "type": "float64", "versions": "0+"},
    {"name": "Label", "type": "string", "versions": "2+", "nullableVersions": "2+"},
]
_ADDRESS: Final[list[Spec]] = [
    {"name": "Street", "type": "string", "versions": "0+"},
    {"name": "Zip", "type": "int32", "versions": "1+", "ignorable": True},
]
BASE: Final[Spec] = {
    "type": "request",
    "apiKey": 900,
    "name": NAME,
    "listeners": ["broker", "controller"],
    "validVersions": "0-3",
    "flexibleVersions": "2+",
    "fields": [
        {"name": "Id", "type": "int64", "versions": "0+"},
        {"name": "Name", "type": "string", "versions": "0+"},
        {"name": "Note", "type": "string", "versions": "1+", "nullableVersions": "1+", "ignorable": True},
        {"name": "Count", "type": "int32", "versions": "0+", "default": 1},
        {"name": "Port", "type": "int16", "versions": "0+"},
        {"name": "Payload", "type": "bytes", "versions": "0+"},
        {"name": "Batch", "type": "records", "versions": "0+", "nullableVersions": "0+"},
        {"name": "Labels", "type": "[]string", "versions": "0+"},
        {"name": "Items", "type": "[]Item", "versions": "0+", "fields": _ITEM},
        {"name": "Home", "type": "Address", "versions": "0+", "fields": _ADDRESS},
        {"name": "Owner", "type": "string", "versions": "0+", "entityType": "groupId"},
        {"name": "Secret", "type": "string", "versions": "0+", "sensitive": True},
        {"name": "Extra", "type": "string", "versions": "2+", "taggedVersions": "2+", "tag": 0},
        {"name": "Limit", "type": "int32", "versions": "2+", "taggedVersions": "2+", "tag": 1, "default": 7},
    ],
}


@dataclass(frozen=True)
class Edit:
    """An edit of the field ``path`` (``Items.Label``), or of the message if it is empty.

    ``change`` maps properties to their new values, or to ``None`` to remove them; without ``change``, the field is
    removed. ``add`` is a new field at the end, and ``first`` the name of the field that moves to the front. ``message``
    contains new properties of the message, and ``tags`` new tags of its fields. ``kinds`` are the categories of broken
    parts.
    """

    title: str
    kinds: str
    path: str = ""
    change: Mapping[str, Any] | None = None
    add: Spec | None = None
    first: str = ""
    message: Mapping[str, Any] = field(default_factory=dict[str, Any])
    tags: Mapping[str, int] = field(default_factory=dict[str, int])

    def applied(self) -> Spec:
        """Return the spec after the edit."""
        spec = copy.deepcopy(BASE)
        if self.path:
            *holders, name = self.path.split(".")
            fields: list[Spec] = spec["fields"]
            for holder in holders:
                fields = _named(fields, holder)["fields"]
            one = _named(fields, name)
            if self.change is None:
                fields.remove(one)
            else:
                _set(one, self.change)
        if self.add:
            spec["fields"].append(self.add)
        if self.first:
            moved = _named(spec["fields"], self.first)
            spec["fields"].remove(moved)
            spec["fields"].insert(0, moved)
        for name, tag in self.tags.items():
            _named(spec["fields"], name)["tag"] = tag
        _set(spec, self.message)
        return spec


def _named(fields: list[Spec], name: str) -> Spec:
    return next(one for one in fields if one["name"] == name)


def _set(part: Spec, change: Mapping[str, Any]) -> None:
    for name, value in change.items():
        if value is None:
            del part[name]
        else:
            part[name] = value


_NEW: Final = {"validVersions": "0-4"}
_TAGGED: Final = {"name": "Fresh", "type": "string", "versions": "2+", "taggedVersions": "2+", "tag": 2}

FORTY: Final = (
    Edit("about is reworded", "", "Name", {"about": "Reworded."}),
    Edit(
        "new field in a new version",
        "",
        add={"name": "Fresh", "type": "string", "versions": "4+"},
        message=_NEW,
    ),
    Edit("new tagged field", "", add=_TAGGED),
    Edit("new field in released versions", "WIRE JSON", add={"name": "Fresh", "type": "string", "versions": "0+"}),
    Edit("field is removed", "WIRE API JSON", "Count"),
    Edit("field of an element is removed", "WIRE API JSON", "Items.Label"),
    Edit("tagged field is removed", "API JSON", "Limit"),
    Edit("field ends early", "WIRE JSON", "Count", {"versions": "0-2"}),
    Edit("field starts earlier", "WIRE JSON", "Note", {"versions": "0+"}),
    Edit("field of a struct starts earlier", "WIRE JSON", "Home.Zip", {"versions": "0+"}),
    Edit("field is renamed", "API JSON", "Name", {"name": "Title"}),
    Edit("name with the same attribute", "JSON", "Id", {"name": "ID"}),
    Edit("name with the same attribute and JSON name", "", "Count", {"name": "count"}),
    Edit("int32 to int64", "WIRE JSON", "Count", {"type": "int64"}),
    Edit("int16 to uint16", "WIRE JSON", "Port", {"type": "uint16"}),
    Edit("int32 to int64 with the old bytes", "", "Count", {"type": "int64", "encoding": "fixed32"}),
    Edit(
        "int32 to int64 in a new version",
        "",
        "Count",
        {"type": "int64", "encoding": {"0-3": "fixed32", "4+": "packed64"}},
        message=_NEW,
    ),
    Edit("int32 to string", "WIRE API JSON", "Count", {"type": "string", "default": None}),
    Edit("float64 to int64 in an element", "WIRE API JSON", "Items.Amount", {"type": "int64"}),
    Edit("bytes to records", "API", "Payload", {"type": "records"}),
    Edit("records to bytes", "API", "Batch", {"type": "bytes"}),
    Edit("bytes to string", "WIRE API JSON", "Payload", {"type": "string"}),
    Edit("array of another type", "WIRE API JSON", "Labels", {"type": "[]int32"}),
    Edit("array to single value", "WIRE API JSON", "Labels", {"type": "string"}),
    Edit("encoding is new", "WIRE", "Count", {"encoding": "packed32"}),
    Edit("null is allowed", "WIRE API JSON", "Name", {"nullableVersions": "0+"}),
    Edit("null is allowed in a new version", "API", "Name", {"nullableVersions": "4+"}, message=_NEW),
    Edit("null array in a new version", "API", "Items", {"nullableVersions": "4+"}, message=_NEW),
    Edit("struct may be null", "WIRE API JSON", "Home", {"nullableVersions": "0+"}),
    Edit("tagged field may be null", "WIRE API JSON", "Extra", {"nullableVersions": "2+"}),
    Edit("null is no longer allowed", "WIRE API JSON", "Note", {"nullableVersions": None}),
    Edit("null is not allowed in one version", "WIRE JSON", "Note", {"nullableVersions": "2+"}),
    Edit("default changes", "API", "Count", {"default": 2}),
    Edit("default of a tagged field changes", "WIRE API JSON", "Limit", {"default": 8}),
    Edit("map key is no longer one", "", "Items.ItemId", {"mapKey": None}),
    Edit("struct is renamed", "API", "Items", {"type": "[]Line"}),
    Edit("field moves", "WIRE", first="Name"),
    Edit("tags are swapped", "WIRE", tags={"Extra": 1, "Limit": 0}),
    Edit("version becomes flexible", "WIRE", message={"flexibleVersions": "1+"}),
    Edit("version is removed", "WIRE API JSON", message={"validVersions": "1-3"}),
)
"""Each edit with the parts it breaks: ``WIRE``, ``API``, ``JSON``."""
