"""What the advisor says: plain values that reports, patches and programs read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from messagegen_arrow.advisor.costs import Cost, Engine
from messagegen_arrow.advisor.statistics import Statistics

Level = Literal["high", "medium", "low"]


@dataclass(frozen=True, slots=True)
class Confidence:
    """How much a recommendation can be relied on, and what speaks against it."""

    level: Level
    values: int
    messages: int
    """Messages with at least one value, path by path."""
    relative_error: float | None
    """Half the width of the 95 % interval of the saving, as a share of the saving; ``None`` with less than two messages."""
    longer_from: int | None
    """The first value, from the largest one seen on, that would take more bytes than in the old encoding; ``None``: none."""
    headroom: float | None
    """How many times as large as the largest value seen that is."""
    agreeing_versions: tuple[int, ...]
    other_versions: tuple[int, ...]
    """Versions with values in which another encoding would have been the best."""
    unseen_versions: tuple[int, ...]
    """Versions that have the field, and no values of it in the data."""
    doubts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FieldAdvice:
    """One field of a struct, wherever the struct is used: an encoding belongs to the field."""

    struct: str
    attribute: str
    key: str
    paths: tuple[str, ...]
    """In Kafka's names."""
    type: str
    is_array: bool
    count: int
    minimum: int | None
    maximum: int | None
    negatives: int
    minus_ones: int
    current: str
    """The encoding in the newest version; for types that can have none the type."""
    recommended: str
    """The encoding that is advised; the current one where nothing would be better."""
    bytes_now: int
    bytes_in: Mapping[str, int | None]
    """Encoding to the bytes of all values; ``None`` where some do not fit."""
    saving_bytes: int
    """By the recommended encoding, on the data seen."""
    saving_per_message: float
    """The mean over all messages whose version has the field."""
    saving_error: float | None
    """Half the width of the 95 % interval of that mean."""
    cost_now: Cost
    cost_recommended: Cost
    histograms: Mapping[str, Mapping[int, int]]
    """``signed`` (bytes in two's complement), ``zig-zag`` and ``unsigned`` (bytes as varints) to values by length."""
    confidence: Confidence | None
    """``None`` where nothing is recommended."""
    remarks: tuple[str, ...] = ()

    @property
    def changes(self) -> bool:
        """Whether another encoding is advised."""
        return self.recommended != self.current

    @property
    def name(self) -> str:
        """The struct and the field, as specs call them."""
        return f"{self.struct}.{self.key}"


@dataclass(frozen=True, slots=True)
class Family:
    """All messages seen, if all their integers were encoded in one way."""

    name: str
    """``now``, ``fixed``, ``packed``, ``upacked`` (each in the fields' own widths) or ``advised``."""
    integer_bytes: int
    bytes: int | None
    """With all that is no integer; ``None`` if the data came decoded."""
    cost: Cost
    """Of the integers that can have an encoding."""


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One field, at one path, in one version."""

    version: int
    path: str
    type: str
    is_array: bool
    encoding: str
    count: int
    messages: int
    minimum: int | None
    maximum: int | None
    negatives: int
    minus_ones: int
    bytes_now: int
    bytes_in: Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do with the integers of a message, and why."""

    message: str
    latest_version: int
    next_version: int
    engine: Engine
    nanoseconds_per_byte: float
    messages: int
    malformed: int
    fields: tuple[FieldAdvice, ...]
    families: tuple[Family, ...]
    rows: tuple[VersionRow, ...]
    machine: Mapping[str, str]
    """What the costs were measured on."""
    statistics: Statistics = field(repr=False)

    @property
    def changes(self) -> tuple[FieldAdvice, ...]:
        """The fields that another encoding is advised for, with the largest saving first."""
        return tuple(sorted((one for one in self.fields if one.changes), key=lambda one: -one.saving_bytes))

    @property
    def encodings(self) -> dict[tuple[str, str], str]:
        """Struct and key of each field that changes, to its encoding: what ``spec_patch.add_version`` takes."""
        return {(one.struct, one.key): one.recommended for one in self.changes}

    @property
    def saving_bytes(self) -> int:
        """By all that is advised, on the data seen."""
        return sum(one.saving_bytes for one in self.fields)

    def family(self, name: str) -> Family:
        """The family of that name. Raises ``LookupError`` for another."""
        for one in self.families:
            if one.name == name:
                return one
        raise LookupError(f"unknown family {name!r}; known families: {', '.join(one.name for one in self.families)}")

    def as_json(self) -> dict[str, Any]:
        """All of it but the plan, as JSON has it."""
        sample = self.statistics.sample
        return {
            "message": self.message,
            "latestVersion": self.latest_version,
            "nextVersion": self.next_version,
            "engine": self.engine,
            "nanosecondsPerByte": self.nanoseconds_per_byte,
            "messages": self.messages,
            "malformed": self.malformed,
            "sample": sample,
            "savingBytes": self.saving_bytes,
            "savingBytesInAll": round(self.saving_bytes / sample),
            "fields": [_plain(one) for one in self.fields],
            "families": [_plain(one) for one in self.families],
            "versions": [_plain(one) for one in self.rows],
            "costsMeasuredOn": dict(self.machine),
        }


def _plain(value: Any) -> dict[str, Any]:
    return {_camel(name): _json(found) for name, found in asdict(value).items()}


def _json(value: Any) -> Any:
    if isinstance(value, dict):
        # Keys that are numbers or names of encodings stay as they are.
        return {_camel(key) if isinstance(key, str) else str(key): _json(found) for key, found in value.items()}
    return [_json(one) for one in value] if isinstance(value, tuple | list) else value


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.title() for part in rest)
