"""Realistic random edits of specs, harmful and harmless. Each depends only on its random source."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Final

from messagegen.runtime.plan import PRIMITIVES
from messagegen.spec import parse
from messagegen.spec.model import MessageSpec
from tests.oracle.made_up import Spec, made_up_spec
from tests.oracle.mini_reader import MiniSpec, read_spec
from tests.oracle.spelling import tidy

_INTEGERS: Final = ("int16", "int32", "int64")
_SCALARS: Final = (*_INTEGERS, *(name for name in PRIMITIVES if name not in _INTEGERS))
_ENCODINGS: Final = tuple(f"{form}{bits}" for form in ("fixed", "packed", "upacked") for bits in (16, 32, 64))
_NAMES: Final = ("Fresh", "Name", "Id", "Epoch", "Other", "Legacy", "Topic")
_ATTEMPTS: Final = 40


class Version:
    """A spec at one time: its text, and the results of both readers."""

    def __init__(self, text: str, spec: MessageSpec, mini: MiniSpec) -> None:
        self.text = text
        self.spec = spec
        self.mini = mini


def edited(seed: int) -> tuple[list[str], Version, Version] | None:
    """Return the edits, and a spec before and after them; ``None`` if the result is not a valid spec."""
    source = random.Random(f"edited spec {seed}")
    spec = made_up_spec(source.randrange(10_000_000))
    if spec["validVersions"] == "none":
        return None
    for part in list(_fields(spec)):
        if source.random() < 0.5:
            _encode(part, source)
        # NaN never equals itself, so a version that lacks the field could not be encoded.
        if part.get("default") == "NaN":
            del part["default"]
    before = _read(spec)
    if before is None:
        return None
    done: list[str] = []
    after = before
    for _ in range(source.choice((1, 1, 1, 2, 3))):
        for _ in range(_ATTEMPTS):
            changed = copy.deepcopy(spec)
            edit = source.choice(EDITS)
            try:
                edit(changed, source)
            # The spec has nothing that this edit applies to.
            except (IndexError, KeyError, ValueError):
                continue
            read = _read(changed) if changed != spec else None
            if read is not None:
                spec, after = changed, read
                done.append(edit.__name__.removeprefix("_"))
                break
    return done, before, after


def _read(spec: Spec) -> Version | None:
    text = tidy(spec)
    parsed = parse(text, "Spec.json")
    return None if parsed.spec is None else Version(text, parsed.spec, read_spec(text))


def _lists(spec: Spec) -> Iterator[list[Spec]]:
    """Yield each list of fields, at any depth."""
    for part in (spec, *spec.get("commonStructs", [])):
        lists = [part["fields"]]
        while lists:
            fields = lists.pop()
            yield fields
            lists += [field["fields"] for field in fields if "fields" in field]


def _fields(spec: Spec) -> Iterator[Spec]:
    for fields in _lists(spec):
        yield from fields


def _field(spec: Spec, source: random.Random, having: str = "name") -> Spec:
    return source.choice([one for one in _fields(spec) if having in one])


def _list(spec: Spec, source: random.Random) -> list[Spec]:
    return source.choice(list(_lists(spec)))


def _valid(spec: Spec) -> tuple[int, int]:
    lowest, _, highest = str(spec["validVersions"]).partition("-")
    return int(lowest), int(highest or lowest)


def _range(spec: Spec, source: random.Random) -> str:
    lowest, highest = _valid(spec)
    start = source.randint(lowest, highest)
    return source.choice(("0+", f"{start}+", f"{start}+", f"{start}", f"{lowest}-{start}", f"{highest + 1}+"))


def _encode(field: Spec, source: random.Random) -> None:
    """Set an encoding for an integer field in all of its versions."""
    kind = field["type"].removeprefix("[]")
    if kind in _INTEGERS and "versions" in field:
        name = "elementEncoding" if field["type"].startswith("[]") else "encoding"
        field[name] = source.choice([one for one in _ENCODINGS if int(one[-2:]) <= int(kind[3:])])
        # A default that does not fit the encoding can't be encoded.
        field.pop("default", None)


def _new_field(spec: Spec, source: random.Random) -> Spec:
    field: Spec = {"name": source.choice(_NAMES), "type": source.choice(("", "", "[]")) + source.choice(_SCALARS)}
    field["versions"] = _range(spec, source)
    if source.random() < 0.4:
        field["taggedVersions"], field["tag"] = field["versions"], source.randint(0, 2)
    if source.random() < 0.3:
        field["nullableVersions"] = _range(spec, source)
    if source.random() < 0.3:
        _encode(field, source)
    return field


def _add_field(spec: Spec, source: random.Random) -> None:
    fields = _list(spec, source)
    fields.insert(source.randint(0, len(fields)), _new_field(spec, source))


def _remove_field(spec: Spec, source: random.Random) -> None:
    fields = _list(spec, source)
    fields.pop(source.randrange(len(fields)))


def _replace_field(spec: Spec, source: random.Random) -> None:
    fields = _list(spec, source)
    place = source.randrange(len(fields))
    old, new = fields[place], _new_field(spec, source)
    for name in ("versions", "taggedVersions", "tag"):
        new.pop(name, None)
        if name in old:
            new[name] = old[name]
    fields[place] = new


def _swap_names(spec: Spec, source: random.Random) -> None:
    one, other = source.sample(_list(spec, source), 2) if source.random() < 0.9 else (_field(spec, source),) * 2
    one["name"], other["name"] = other["name"], one["name"]


def _reuse_name(spec: Spec, source: random.Random) -> None:
    """Close the versions of a field, rename it, and use its old name for a new field."""
    fields = _list(spec, source)
    field = source.choice(fields)
    lowest, highest = _valid(spec)
    split = source.randint(lowest, highest + 1)
    new = _new_field(spec, source) | {"name": field["name"], "versions": f"{split}+"}
    new.pop("encoding", None)
    new.pop("elementEncoding", None)
    field["name"] = "Legacy"
    if split > lowest and source.random() < 0.7:
        field["versions"] = f"{lowest}-{split - 1}"
        spec["validVersions"] = f"{lowest}-{max(split, highest)}"
    fields.insert(fields.index(field) + 1, new)


def _move_field(spec: Spec, source: random.Random) -> None:
    fields = _list(spec, source)
    fields.insert(source.randrange(len(fields)), fields.pop(source.randrange(len(fields))))


def _evolve(spec: Spec, source: random.Random) -> None:
    """Make an integer field an int64, and draw its encoding in an added version. KIP-625 is for such changes."""
    lowest, highest = _valid(spec)
    field = source.choice([one for one in _fields(spec) if one["type"] in _INTEGERS and one.get("versions") == "0+"])
    before = field.get("encoding", f"fixed{field['type'][3:]}")
    field["type"] = "int64"
    field.pop("default", None)
    field["encoding"] = {f"0-{highest}": before, f"{highest + 1}+": source.choice(_ENCODINGS)}
    spec["validVersions"] = f"{lowest}-{highest + 1}"


def _change_encoding(spec: Spec, source: random.Random) -> None:
    _encode(source.choice([one for one in _fields(spec) if one["type"].removeprefix("[]") in _INTEGERS]), source)


def _swap_tags(spec: Spec, source: random.Random) -> None:
    fields = source.choice([found for found in _lists(spec) if sum("tag" in one for one in found) > 1])
    one, other = source.sample([field for field in fields if "tag" in field], 2)
    one["tag"], other["tag"] = other["tag"], one["tag"]


def _make_common(spec: Spec, source: random.Random) -> None:
    field = source.choice([one for one in spec["fields"] if "fields" in one])
    if not any("fields" in inside for inside in field["fields"]):
        struct = {"name": field["type"].removeprefix("[]"), "versions": "0+", "fields": field.pop("fields")}
        spec.setdefault("commonStructs", []).append(struct)


def _set_properties(spec: Spec, source: random.Random) -> None:
    """Set or remove one or two properties of a field or of the message."""
    lowest, highest = _valid(spec)
    versions = ("0+", "none", *(f"{version}+" for version in range(lowest, highest + 2)), f"{lowest}-{highest}", None)
    of_fields = {
        "name": _NAMES,
        "type": (*_SCALARS, *(f"[]{name}" for name in _SCALARS), "Renamed", "[]Renamed"),
        **dict.fromkeys(("versions", "nullableVersions", "taggedVersions", "flexibleVersions"), versions),
        "tag": (0, 1, 2, None),
        "default": (0, 1, -1, 7, "", "abc", "null", True, False, "0.0", "-0.0", "2.5", None),
        **dict.fromkeys(("encoding", "elementEncoding"), (*_ENCODINGS, None)),
        **dict.fromkeys(("ignorable", "mapKey"), (True, False)),
        "about": ("Reworded.",),
    }
    of_messages = {
        "type": ("request", "response", "data", "header", "metadata", "coordinator-value"),
        "apiKey": (1, 2, 300),
        "headerVersions": ({"0+": 0}, {"0+": 1}, {"0+": 2}),
        "latestVersionUnstable": (True, None),
        "flexibleVersions": versions[:-2],
        "validVersions": (f"{lowest}-{highest + 1}", f"{lowest + 1}-{highest}", f"{lowest}-{highest - 1}"),
    }
    holder, pool = (spec, of_messages) if source.random() < 0.2 else (_field(spec, source), of_fields)
    for name in source.sample(
        [*pool, *(name for name in ("type", "nullableVersions", "default") if name in pool)], source.choice((1, 1, 2))
    ):
        value = source.choice(pool[name])
        if value is None:
            holder.pop(name, None)
        else:
            holder[name] = value


EDITS: Final[tuple[Callable[[Spec, random.Random], None], ...]] = (
    _add_field,
    _add_field,
    _remove_field,
    _remove_field,
    _replace_field,
    _move_field,
    _change_encoding,
    _change_encoding,
    _change_encoding,
    _swap_names,
    _swap_tags,
    _reuse_name,
    _evolve,
    _make_common,
    *[_set_properties] * 20,
)
