"""Makes random message specs that Apache's generator accepts; each depends only on its seed.

Together they use every type, tags, nulls, all spellings of defaults, map keys, common structs, and field-level
``flexibleVersions``. ``spell`` adds further spellings that Apache's reader accepts. Names clash with Python, but not
with Java: a spec that javac refuses would test nothing.
"""

from __future__ import annotations

import base64
import random
from dataclasses import dataclass, field
from typing import Any, Final

from tests.oracle.spelling import spell

Spec = dict[str, Any]
"""A spec, or a part of one, as Python values."""

_OPEN: Final = 32767
_INTEGERS: Final = {
    "int8": (-(2**7), 2**7 - 1),
    "int16": (-(2**15), 2**15 - 1),
    "uint16": (0, 2**16 - 1),
    "int32": (-(2**31), 2**31 - 1),
    # Apache's generator writes an int literal, so numbers above 2^31-1 do not compile correctly.
    "uint32": (0, 2**31 - 1),
    "int64": (-(2**63), 2**63 - 1),
}
_ELEMENTS: Final = ("bool", *_INTEGERS, "float64", "uuid", "string")
_SCALARS: Final = (*_ELEMENTS, "bytes", "records")
_KEYS: Final = ("bool", *_INTEGERS, "uuid", "string")
_ENTITIES: Final = {
    "string": ("transactionalId", "groupId", "topicName", "unknown"),
    "int64": ("producerId",),
    "int32": ("brokerId",),
}
_KINDS: Final = {
    "request": "Request",
    "response": "Response",
    "header": "Header",
    "data": "",
    "metadata": "Record",
    "coordinator-key": "Key",
    "coordinator-value": "Value",
}
_FIELD_NAMES: Final = """
    Name Id Topic Partitions Epoch Leader Host Port Rack Items From Def Lambda Pass Is In Not And Or Async Await Yield
    Raise With As Del Elif Except Global Nonlocal Match Type Self Cls None Print Str Int8 Dict Len Range Set Map Filter
    Sum Min Max Any All Read Version Encode Decode Fields Copy Get Pop Flags Offset ErrorCode ThrottleTimeMs Config
    Payload Header Tag Tags Struct Uuid Lo Hi A B x y fooBar iSRNodes TopicID HTTPPort V2Name3 Replace Hash Iter Buffer
    Slots Init Dataclass I V K Element Object Nan Inf Sys Math Typing Optional List Union ToJson FromJson ApiKey2
    ValidVersions Annotations Property
""".split()  # noqa: SIM905 - as a literal, one name a line
_STRUCT_NAMES: Final = """
    Any Union Literal Cursor Endpoint Dict Tuple Sequence Mapping Final Protocol Path Part Block Row Cell Entry Pair
    Leaf Limb Holder Inner Outer Point Node Group Member Slot Bag Frame Zone Span Unit Lot Crate Tray Shelf Rung Self
    None TypeVar Enum2
""".split()  # noqa: SIM905 - as a literal, one name a line
_ABOUTS: Final = (
    "A made-up field.",
    "It's 'quoted', // no comment.",
    "/* nor this */ # nor that",
    "Ünïcode 日本 😀",
    "{} {{x}} 100%",
    "",
)
_STRINGS: Final = (
    "",
    "abc",
    "hello world",
    "é日本😀",
    "NULL",
    "None",
    "0",
    "0x1F",
    "it's",
    "{}%s$",
    "// text",
    " padded ",
)
_DOUBLES: Final = (
    "1.5",
    "-0.0",
    "0.0",
    "NaN",
    "Infinity",
    "-Infinity",
    "1e10",
    "+2.5E-3",
    ".5",
    "5.",
    "12.34",
    "4.9E-324",
    "1.7976931348623157E308",
    "7d",
    "7.25F",
    " 3 ",
    2.5,
    -7.25,
    1,
    0,
)


@dataclass(frozen=True, slots=True)
class _Versions:
    lowest: int
    highest: int

    def __str__(self) -> str:
        if self.highest == _OPEN:
            return f"{self.lowest}+"
        return str(self.lowest) if self.lowest == self.highest else f"{self.lowest}-{self.highest}"

    def covers(self, other: _Versions) -> bool:
        return self.lowest <= other.lowest and other.highest <= self.highest

    def within(self, other: _Versions) -> _Versions:
        return _Versions(max(self.lowest, other.lowest), min(self.highest, other.highest))


_ALL: Final = _Versions(0, _OPEN)


@dataclass(slots=True)
class _Writer:
    random: random.Random
    valid: _Versions
    flexible: int | None
    struct_names: list[str]
    common: list[Spec] = field(default_factory=list)
    room: int = 40

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def versions(self, holder: _Versions) -> _Versions:
        """Return the versions of a field that exists in at least one version of ``holder``, its struct."""
        lowest = self.random.randint(holder.lowest, holder.highest)
        closed = _Versions(lowest, self.random.randint(lowest, holder.highest))
        return self.random.choice((_ALL, _ALL, _ALL, _Versions(lowest, _OPEN), _Versions(lowest, _OPEN), closed))

    def common_structs(self) -> None:
        for _ in range(self.random.choice((0, 0, 1, 2, 3))):
            fields = self.fields(self.valid, self.random.randint(1, 4), depth=1, in_common=True)
            versions = self.random.choice((_ALL, _ALL, _Versions(self.valid.lowest, _OPEN)))
            self.common.append({"name": self.struct_names.pop(), "versions": str(versions), "fields": fields})
            if self.chance(0.4):
                self.add_keys(fields)

    def fields(self, holder: _Versions, count: int, *, depth: int, in_common: bool = False) -> list[Spec]:
        names = self.random.sample(_FIELD_NAMES, count)
        fields = [self.field(name, holder, depth, in_common) for name in names]
        tagged = [one for one in fields if "tag" in one]
        for tag, one in enumerate(self.random.sample(tagged, len(tagged))):
            one["tag"] = tag
        return fields

    def add_keys(self, fields: list[Spec]) -> None:
        possible = [one for one in fields if one["type"] in _KEYS and "tag" not in one]
        for one in self.random.sample(possible, min(len(possible), self.random.choice((1, 1, 2)))):
            one["mapKey"] = True

    def field(self, name: str, holder: _Versions, depth: int, in_common: bool) -> Spec:
        self.room -= 1
        versions = self.versions(holder)
        found: Spec = {"name": name, "type": self.random.choice(_SCALARS)}
        if self.chance(0.15):
            found["type"] = "[]" + self.random.choice(_ELEMENTS)
        elif self.chance(0.3):
            self.make_struct(found, versions.within(holder), depth, in_common)
        flexible = self.flexible
        if found["type"] in ("string", "bytes") and self.chance(0.15):
            flexible = self.override_flexible(found)
        tagged = self.tagged(found, versions, flexible)
        if tagged is None or tagged != versions or "fields" in found or self.chance(0.6):
            found["versions"] = str(versions)
        nullable = self.nullable(found, versions, tagged)
        self.add_details(found, nullable is not None and nullable.covers(versions), tagged is not None)
        return found

    def make_struct(self, found: Spec, holder: _Versions, depth: int, in_common: bool) -> None:
        array = self.random.choice(("[]", "[]", ""))
        if self.common and (in_common or self.chance(0.4)):
            found["type"] = array + self.random.choice(self.common)["name"]
        elif not in_common and depth < 4 and self.room > 0 and self.struct_names:
            found["type"] = array + self.struct_names.pop()
            fields = self.fields(holder, self.random.choice((1, 1, 2, 3, 4)), depth=depth + 1)
            if array and self.chance(0.4):
                self.add_keys(fields)
            found["fields"] = fields

    def override_flexible(self, found: Spec) -> int | None:
        if self.flexible is None or self.chance(0.6):
            found["flexibleVersions"] = "none"
            return None
        lowest = self.flexible + self.random.choice((0, 1))
        found["flexibleVersions"] = f"{lowest}+"
        return lowest

    def tagged(self, found: Spec, versions: _Versions, flexible: int | None) -> _Versions | None:
        if flexible is None or versions.highest != _OPEN or found["type"] == "records" or not self.chance(0.35):
            return None
        lowest = max(versions.lowest, flexible)
        if lowest > self.valid.highest:
            return None
        tagged = _Versions(self.random.choice((lowest, lowest, self.random.randint(lowest, self.valid.highest))), _OPEN)
        found["tag"], found["taggedVersions"] = 0, str(tagged)
        return tagged

    def nullable(self, found: Spec, versions: _Versions, tagged: _Versions | None) -> _Versions | None:
        kind: str = found["type"]
        if (kind in _ELEMENTS and kind != "string") or not self.chance(0.4):
            return None
        middle = _Versions(self.random.randint(self.valid.lowest, self.valid.highest), _OPEN)
        nullable = self.random.choice((_ALL, versions, middle))
        if tagged is not None and not nullable.covers(tagged):
            nullable = _ALL
        found["nullableVersions"] = str(nullable)
        return nullable

    def add_details(self, found: Spec, always_nullable: bool, tagged: bool) -> None:
        kind: str = found["type"]
        if self.chance(0.5):
            default = self.default(kind, always_nullable)
            if default is not None:
                found["default"] = default
        if self.chance(0.25):
            found["ignorable"] = self.chance(0.8)
        if kind == "bytes" and not tagged and self.chance(0.3):
            found["zeroCopy"] = True
        entity = _ENTITIES.get(kind.removeprefix("[]"))
        if entity and self.chance(0.2):
            found["entityType"] = self.random.choice(entity)
        if self.chance(0.5):
            found["about"] = self.random.choice(_ABOUTS)

    def default(self, kind: str, always_nullable: bool) -> Any:
        if kind in _INTEGERS:
            return self.integer_default(*_INTEGERS[kind])
        if kind == "bool":
            return self.random.choice((True, False, "true", "false", "TRUE", "False", ""))
        if kind == "float64":
            return self.random.choice(_DOUBLES)
        if kind == "uuid":
            binary = self.random.choice((bytes(16), bytes(15) + b"\1", b"\xff" * 16, self.random.randbytes(16)))
            return base64.urlsafe_b64encode(binary).decode().rstrip("=")
        if always_nullable and self.chance(0.7):
            return "null"
        return self.random.choice(_STRINGS) if kind == "string" else ""

    def integer_default(self, lowest: int, highest: int) -> int | str:
        number = self.random.choice(
            (0, 1, 8, 100, lowest, highest, max(lowest, -1), self.random.randint(lowest, highest))
        )
        spellings: list[int | str] = [number, str(number)]
        if number >= 0:
            spellings += [f"0x{number:x}", f"0x{number:X}", f"0x0{number:x}", f"+{number}"]
        if 0 <= number < 8:
            spellings.append(f"0{number}")
        return self.random.choice(spellings)


def made_up_spec(seed: int) -> Spec:
    """Return a valid spec as Python values."""
    source = random.Random(f"made-up spec {seed}")
    kind = source.choice((*_KINDS, "request", "response", "data"))
    lowest = source.choice((0, 0, 0, 1, 3))
    valid = _Versions(lowest, lowest + source.choice((0, 1, 2, 3, 4)))
    flexible = source.choice((None, 0, 0, valid.highest + 1, *range(lowest, valid.highest + 1)))
    if kind == "coordinator-key":
        valid, flexible = _Versions(0, 0), None
    spec = _head(source, kind, f"MadeUp{seed}{_KINDS[kind]}")
    if source.random() < 0.02 and not kind.startswith("coordinator"):
        return {**spec, "validVersions": "none"}
    spec |= {"validVersions": str(valid), "flexibleVersions": "none" if flexible is None else f"{flexible}+"}
    if valid.lowest < valid.highest and source.random() < 0.2:
        spec["deprecatedVersions"] = str(valid.lowest)
    writer = _Writer(source, valid, flexible, source.sample(_STRUCT_NAMES, len(_STRUCT_NAMES)))
    writer.common_structs()
    spec["fields"] = writer.fields(valid, source.choice((0, 1, 3, 5, 8)), depth=0)
    if writer.common:
        # The order is random: a common struct may precede the structs that it contains.
        spec["commonStructs"] = source.sample(writer.common, len(writer.common))
    return spec


def made_up_text(seed: int) -> str:
    """Return a valid spec as the text of a file, with comments and the loose spellings that Apache's reader accepts."""
    return spell(made_up_spec(seed), random.Random(f"made-up text {seed}"))


def _head(source: random.Random, kind: str, name: str) -> Spec:
    spec: Spec = {"type": kind, "name": name}
    if kind in ("request", "response") or kind.startswith("coordinator") or source.random() < 0.3:
        spec["apiKey"] = source.randint(0, 32767)
    if kind == "request" and source.random() < 0.6:
        spec["listeners"] = source.sample(("broker", "controller"), source.choice((1, 2)))
    if kind == "request" and source.random() < 0.2:
        spec["latestVersionUnstable"] = source.random() < 0.7
    return spec
