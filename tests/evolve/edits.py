"""Random edits of specs, as people make them: with and without harm. Each is a function of its source of randomness."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Final

from messagegen.spec import parse
from messagegen.spec.model import MessageSpec
from tests.oracle.made_up import Spec, made_up_spec
from tests.oracle.mini_reader import MiniSpec, read_spec
from tests.oracle.spelling import tidy

_INTEGERS: Final = ("int16", "int32", "int64")
_SCALARS: Final = (*_INTEGERS, "int8", "uint16", "uint32", "bool", "float64", "uuid", "string", "bytes", "records")
_ENCODINGS: Final = tuple(f"{form}{bits}" for form in ("fixed", "packed", "upacked") for bits in (16, 32, 64))
_NAMES: Final = ("Fresh", "Name", "Id", "Epoch", "Other", "Legacy", "Topic")
_ATTEMPTS: Final = 40


class Version:
    """A spec at one time: its text, and what both readers make of it."""

    def __init__(self, text: str, spec: MessageSpec, mini: MiniSpec) -> None:
        self.text = text
        self.spec = spec
        self.mini = mini


def edited(seed: int) -> tuple[list[str], Version, Version] | None:
    """What was edited, and a spec before and after; ``None`` where no valid spec came of it."""
    source = random.Random(f"edited spec {seed}")
    spec = made_up_spec(source.randrange(10_000_000))
    if spec["validVersions"] == "none":
        return None
    for part in list(_fields(spec)):
        if source.random() < 0.5:
            _encode(part, source)
        # NaN never equals itself, so a version that lacks the field could not be written at all.
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
            # The spec has nothing that could be edited so.
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
    """Each list of fields, at any depth."""
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
    """Gives an integer field an encoding in all of its versions."""
    kind = field["type"].removeprefix("[]")
    if kind in _INTEGERS and "versions" in field:
        name = "elementEncoding" if field["type"].startswith("[]") else "encoding"
        field[name] = source.choice([one for one in _ENCODINGS if int(one[-2:]) <= int(kind[3:])])
        # A default that the encoding has no room for can't be written.
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


def _rename_field(spec: Spec, source: random.Random) -> None:
    _field(spec, source)["name"] = source.choice(_NAMES)


def _swap_names(spec: Spec, source: random.Random) -> None:
    one, other = source.sample(_list(spec, source), 2) if source.random() < 0.9 else (_field(spec, source),) * 2
    one["name"], other["name"] = other["name"], one["name"]


def _reuse_name(spec: Spec, source: random.Random) -> None:
    """Closes the versions of a field, gives it another name, and its name to a new field."""
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


def _retype(spec: Spec, source: random.Random) -> None:
    field = _field(spec, source)
    for name in ("default", "encoding", "elementEncoding", "entityType", "mapKey", "fields"):
        field.pop(name, None)
    field["type"] = source.choice(_SCALARS) if source.random() < 0.7 else f"[]{field['type'].removeprefix('[]')}"


def _array_or_not(spec: Spec, source: random.Random) -> None:
    field = _field(spec, source)
    field["type"] = field["type"][2:] if field["type"].startswith("[]") else f"[]{field['type']}"
    field.pop("default", None)


def _bytes_or_records(spec: Spec, source: random.Random) -> None:
    field = source.choice([one for one in _fields(spec) if one["type"] in ("bytes", "records")])
    field["type"] = "records" if field["type"] == "bytes" else "bytes"
    field.pop("default", None)
    field.pop("zeroCopy", None)


def _widen(spec: Spec, source: random.Random) -> None:
    """A wider type, whose released versions may keep their encoding."""
    field = source.choice([one for one in _fields(spec) if one["type"] in ("int16", "int32")])
    field["encoding"] = field.get("encoding", f"fixed{field['type'][3:]}")
    field["type"] = source.choice(("int32", "int64"))


def _evolve(spec: Spec, source: random.Random) -> None:
    """What KIP-625 is for: a new version of the message, in which an integer has another encoding or is new."""
    lowest, highest = _valid(spec)
    field = source.choice([one for one in _fields(spec) if one["type"] in _INTEGERS and one.get("versions") == "0+"])
    before = field.get("encoding", f"fixed{field['type'][3:]}")
    field["type"] = "int64"
    field.pop("default", None)
    field["encoding"] = {f"0-{highest}": before, f"{highest + 1}+": source.choice(_ENCODINGS)}
    spec["validVersions"] = f"{lowest}-{highest + 1}"


def _change_encoding(spec: Spec, source: random.Random) -> None:
    field = source.choice([one for one in _fields(spec) if one["type"].removeprefix("[]") in _INTEGERS])
    name = "elementEncoding" if field["type"].startswith("[]") else "encoding"
    field.pop("default", None)
    if name in field and source.random() < 0.3:
        del field[name]
    elif source.random() < 0.6:
        field[name] = source.choice(_ENCODINGS)
    else:
        split = source.randint(*_valid(spec)) + 1
        field["versions"] = "0+"
        field[name] = {f"0-{split - 1}": source.choice(_ENCODINGS), f"{split}+": source.choice(_ENCODINGS)}


def _set_range(name: str) -> Callable[[Spec, random.Random], None]:
    def edit(spec: Spec, source: random.Random) -> None:
        field = _field(spec, source, name if source.random() < 0.6 else "name")
        if name in field and source.random() < 0.3:
            del field[name]
        else:
            field[name] = _range(spec, source)

    edit.__name__ = f"_{name}"
    return edit


def _tag_or_untag(spec: Spec, source: random.Random) -> None:
    field = _field(spec, source)
    if "tag" in field:
        field.setdefault("versions", field["taggedVersions"])
        del field["tag"], field["taggedVersions"]
    else:
        field["tag"], field["taggedVersions"] = source.randint(0, 2), _range(spec, source)


def _swap_tags(spec: Spec, source: random.Random) -> None:
    fields = source.choice([found for found in _lists(spec) if sum("tag" in one for one in found) > 1])
    one, other = source.sample([field for field in fields if "tag" in field], 2)
    one["tag"], other["tag"] = other["tag"], one["tag"]


def _change_default(spec: Spec, source: random.Random) -> None:
    field = _field(spec, source)
    if "default" in field and source.random() < 0.4:
        del field["default"]
    else:
        field["default"] = source.choice((0, 1, -1, 7, "", "abc", "null", True, False, "0.0", "-0.0", "2.5", "1.5"))


def _change_flexible(spec: Spec, source: random.Random) -> None:
    lowest, highest = _valid(spec)
    spec["flexibleVersions"] = source.choice(("none", *(f"{version}+" for version in range(lowest, highest + 1))))


def _change_valid(spec: Spec, source: random.Random) -> None:
    if source.random() < 0.1:
        # A retired message has nothing else.
        for name in ("flexibleVersions", "commonStructs", "deprecatedVersions"):
            spec.pop(name, None)
        spec.update(validVersions="none", fields=[])
        return
    lowest, highest = _valid(spec)
    lowest, highest = lowest + source.choice((0, 0, 0, 1)), highest + source.choice((-1, 0, 1, 1))
    spec["validVersions"] = f"{lowest}-{highest}" if lowest < highest else str(highest)


def _change_kind(spec: Spec, source: random.Random) -> None:
    spec["type"] = source.choice(("request", "response", "data", "header", "metadata", "coordinator-value"))
    for name in ("listeners", "latestVersionUnstable"):
        spec.pop(name, None)


def _change_api_key(spec: Spec, source: random.Random) -> None:
    spec["apiKey"] = source.randint(0, 300)


def _change_header(spec: Spec, source: random.Random) -> None:
    spec["headerVersions"] = {"0+": source.choice((0, 1, 2))}


def _change_stability(spec: Spec, source: random.Random) -> None:
    spec["latestVersionUnstable"] = not spec.get("latestVersionUnstable", False)


def _rename_struct(spec: Spec, source: random.Random) -> None:
    field = _field(spec, source, "fields")
    field["type"] = ("[]" if field["type"].startswith("[]") else "") + "Renamed"


def _make_common(spec: Spec, source: random.Random) -> None:
    field = source.choice([one for one in spec["fields"] if "fields" in one])
    if not any("fields" in inside for inside in field["fields"]):
        struct = {"name": field["type"].removeprefix("[]"), "versions": "0+", "fields": field.pop("fields")}
        spec.setdefault("commonStructs", []).append(struct)


def _change_api_only(spec: Spec, source: random.Random) -> None:
    field = _field(spec, source)
    name = source.choice(("ignorable", "mapKey", "about"))
    field[name] = source.choice((True, False)) if name != "about" else "Reworded."


EDITS: Final[tuple[Callable[[Spec, random.Random], None], ...]] = (
    _add_field,
    _add_field,
    _remove_field,
    _remove_field,
    _replace_field,
    _rename_field,
    _swap_names,
    _reuse_name,
    _move_field,
    _retype,
    _array_or_not,
    _bytes_or_records,
    _widen,
    _evolve,
    _change_encoding,
    _change_encoding,
    _set_range("versions"),
    _set_range("versions"),
    _set_range("nullableVersions"),
    _set_range("nullableVersions"),
    _set_range("taggedVersions"),
    _set_range("flexibleVersions"),
    _tag_or_untag,
    _swap_tags,
    _change_default,
    _change_default,
    _change_flexible,
    _change_valid,
    _change_kind,
    _change_api_key,
    _change_header,
    _change_stability,
    _rename_struct,
    _make_common,
    _change_api_only,
)
