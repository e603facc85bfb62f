"""Results of the advisor: plain values for reports, patches and programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from messagegen_arrow.advisor.costs import Cost, Engine
from messagegen_arrow.advisor.statistics import Statistics

Level = Literal["high", "medium", "low"]


@dataclass(frozen=True, slots=True)
class Confidence:
    """How reliable a recommendation is, and reasons against it."""

    level: Level
    values: int
    messages: int
    """Messages with at least one value, summed over paths."""
    relative_error: float | None
    """Half the width of the 95 % interval of the saving, as a share of the saving; ``None`` with less than two messages."""
    longer_from: int | None
    """The first value above the largest one in the data that would take more bytes than in the old encoding, if there is one."""
    headroom: float | None
    """The ratio of that value to the largest one in the data."""
    agreeing_versions: tuple[int, ...]
    other_versions: tuple[int, ...]
    """Versions with values in which another encoding would have been the best."""
    unseen_versions: tuple[int, ...]
    """Versions that have the field but no values of it in the data."""
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
    """The encoding in the newest version; the type, if it cannot have an encoding."""
    recommended: str
    """The recommended encoding; the current one if no other is better."""
    bytes_now: int
    bytes_in: Mapping[str, int | None]
    """Encoding to the bytes of all values; ``None`` if some do not fit."""
    saving_bytes: int
    """By the recommended encoding, on this data."""
    saving_per_message: float
    """The mean over all messages whose version has the field."""
    saving_error: float | None
    """Half the width of the 95 % interval of that mean."""
    cost_now: Cost
    cost_recommended: Cost
    histograms: Mapping[str, Mapping[int, int]]
    """``signed`` (bytes in two's complement), ``zig-zag`` and ``unsigned`` (bytes as varints) to values by length."""
    confidence: Confidence | None
    """``None`` if nothing is recommended."""
    remarks: tuple[str, ...] = ()

    @property
    def changes(self) -> bool:
        """Whether another encoding is recommended."""
        return self.recommended != self.current

    @property
    def name(self) -> str:
        """The struct and the field, with their names in the spec."""
        return f"{self.struct}.{self.key}"


@dataclass(frozen=True, slots=True)
class Family:
    """All messages of the data, with all integers encoded in one way."""

    name: str
    """``now``, ``fixed``, ``packed``, ``upacked`` (each in the fields' own widths) or ``advised``."""
    integer_bytes: int
    bytes: int | None
    """Including all other fields; ``None`` if the data was decoded already."""
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
        """The fields with another recommended encoding, largest saving first."""
        return tuple(sorted((one for one in self.fields if one.changes), key=lambda one: -one.saving_bytes))

    @property
    def encodings(self) -> dict[tuple[str, str], str]:
        """Struct and key of each field that changes, to its encoding: the argument of ``patch_spec``."""
        return {(one.struct, one.key): one.recommended for one in self.changes}

    @property
    def saving_bytes(self) -> int:
        """By all recommendations, on this data."""
        return sum(one.saving_bytes for one in self.fields)

    def family(self, name: str) -> Family:
        """The family with this name. Raises ``LookupError`` for an unknown one."""
        for one in self.families:
            if one.name == name:
                return one
        raise LookupError(f"unknown family {name!r}; known families: {', '.join(one.name for one in self.families)}")

    def as_json(self) -> dict[str, Any]:
        """All values except the plan, ready for ``json.dumps``."""
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
