"""Statistics of the integers of messages: only sums, so statistics of parts can be added."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import add
from pathlib import Path
from typing import Any, Final, Self

from messagegen_arrow.advisor.encodings import CLASS_STARTS, CLASSES, MINUS_ONE, ZERO

FORMAT: Final = 1
"""The format of saved statistics; it changes with their contents and with the classes of values."""

_NO_COUNTS: Final = (0,) * CLASSES
_NO_SUMS: Final = (0,) * 6


@dataclass(frozen=True, slots=True)
class FieldStatistics:
    """One integer field, at one path, in one version. ``+`` is associative and commutative, and ``FieldStatistics()`` adds nothing."""

    counts: tuple[int, ...] = _NO_COUNTS
    """How many values there are by class (see ``CLASS_STARTS``)."""
    minimum: int | None = None
    maximum: int | None = None
    messages: int = 0
    """Messages that have at least one value of the field on the wire."""
    sums: tuple[int, ...] = _NO_SUMS
    """Sums over messages of n², np, nu, p², pu, u² for n values with p bytes packed and u bytes upacked, in the field's width.

    Values within a message are correlated, so the variance of a saving is calculated between messages.
    """

    @property
    def count(self) -> int:
        """How many values."""
        return sum(self.counts)

    @property
    def negatives(self) -> int:
        """How many are below zero."""
        return sum(self.counts[:ZERO])

    @property
    def minus_ones(self) -> int:
        """How many are -1, which often means none in Kafka."""
        return self.counts[MINUS_ONE]

    def bytes_in(self, lengths: Sequence[int]) -> int | None:
        """The bytes of all values, with their lengths by class; ``None`` if some do not fit (length 0)."""
        found = [(count, bytes_) for count, bytes_ in zip(self.counts, lengths, strict=True) if count]
        return None if any(bytes_ == 0 for _, bytes_ in found) else sum(count * bytes_ for count, bytes_ in found)

    def histogram(self, lengths: Sequence[int]) -> dict[int, int]:
        """The number of values by length, ascending."""
        found: dict[int, int] = {}
        for count, bytes_ in zip(self.counts, lengths, strict=True):
            if count:
                found[bytes_] = found.get(bytes_, 0) + count
        return dict(sorted(found.items()))

    def __add__(self, other: Self) -> Self:
        return replace(
            self,
            counts=tuple(map(add, self.counts, other.counts)),
            minimum=_either(min, self.minimum, other.minimum),
            maximum=_either(max, self.maximum, other.maximum),
            messages=self.messages + other.messages,
            sums=tuple(map(add, self.sums, other.sums)),
        )

    def as_json(self) -> dict[str, Any]:
        """For ``from_json``: counts by the lowest value of the class, without those that are 0."""
        counts = {str(start): count for start, count in zip(CLASS_STARTS, self.counts, strict=True) if count}
        return {
            "counts": counts,
            "minimum": self.minimum,
            "maximum": self.maximum,
            "messages": self.messages,
            "sums": list(self.sums),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """What ``as_json`` gave. Raises ``KeyError``, ``TypeError`` or ``ValueError`` for anything else."""
        counts = dict(value["counts"])
        dense = tuple(_whole(counts.pop(str(start), 0)) for start in CLASS_STARTS)
        if counts:
            raise ValueError(f"{', '.join(counts)} begins no class of values")
        sums = tuple(map(_whole, value["sums"]))
        if len(sums) != len(_NO_SUMS):
            raise ValueError(f"there are {len(_NO_SUMS)} sums, not {len(sums)}")
        minimum, maximum = (None if value[end] is None else int(value[end]) for end in ("minimum", "maximum"))
        return cls(dense, minimum, maximum, _whole(value["messages"]), sums)


@dataclass(frozen=True, slots=True)
class VersionStatistics:
    """The messages of one version; can be added like ``FieldStatistics``."""

    messages: int = 0
    """Messages that could be decoded."""
    bytes: int | None = 0
    """The bytes of these messages; ``None`` if they were decoded already."""
    malformed: int = 0
    """Messages that could not be decoded; the other counts do not include them."""
    example: str | None = None
    """The alphabetically first error of these, so that it does not depend on the order of rows."""
    fields: Mapping[str, FieldStatistics] = field(default_factory=dict)
    """Path, in attributes, to the field."""

    def __add__(self, other: Self) -> Self:
        paths = sorted({*self.fields, *other.fields})
        none = FieldStatistics()
        return replace(
            self,
            messages=self.messages + other.messages,
            bytes=None if self.bytes is None or other.bytes is None else self.bytes + other.bytes,
            malformed=self.malformed + other.malformed,
            example=_either(min, self.example, other.example),
            fields={path: self.fields.get(path, none) + other.fields.get(path, none) for path in paths},
        )

    def as_json(self) -> dict[str, Any]:
        """For ``from_json``."""
        fields = {path: self.fields[path].as_json() for path in sorted(self.fields)}
        return {
            "messages": self.messages,
            "bytes": self.bytes,
            "malformed": self.malformed,
            "example": self.example,
            "fields": fields,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """What ``as_json`` gave. Raises ``KeyError``, ``TypeError`` or ``ValueError`` for anything else."""
        fields = {path: FieldStatistics.from_json(found) for path, found in value["fields"].items()}
        bytes_ = None if value["bytes"] is None else _whole(value["bytes"])
        return cls(_whole(value["messages"]), bytes_, _whole(value["malformed"]), value["example"], fields)


Versions = Mapping[int | None, VersionStatistics]
"""Version to its messages; ``None`` are rows without a version, all of which are malformed."""


def merge_versions(parts: Iterable[Versions]) -> dict[int | None, VersionStatistics]:
    """The sum of parts, version by version."""
    merged: dict[int | None, VersionStatistics] = {}
    for part in parts:
        for version, found in part.items():
            merged[version] = merged[version] + found if version in merged else found
    return merged


@dataclass(frozen=True, slots=True)
class Statistics:
    """The integers of one message in all its versions. ``+`` adds the statistics of other data."""

    message: str
    plan: str = field(repr=False)
    """The plan's text. Only statistics with the same plan can be added."""
    sample: float = 1.0
    """The share of rows that was read."""
    versions: Versions = field(default_factory=dict)

    @property
    def messages(self) -> int:
        """The number of messages that could be decoded."""
        return sum(found.messages for found in self.versions.values())

    @property
    def malformed(self) -> int:
        """The number of messages that could not be decoded."""
        return sum(found.malformed for found in self.versions.values())

    def __add__(self, other: Self) -> Self:
        """Raises ``ValueError`` for statistics of another message, another plan or another sample."""
        if self.message != other.message:
            raise ValueError(f"statistics of {self.message} and of {other.message} do not add up")
        if self.plan != other.plan:
            raise ValueError(f"these are statistics of two states of the spec of {self.message}, which do not add up")
        if self.sample != other.sample:
            raise ValueError(f"a sample of {self.sample:g} and one of {other.sample:g} do not add up")
        return replace(self, versions=merge_versions([self.versions, other.versions]))

    def to_json(self) -> str:
        """The statistics as text that ``from_json`` reads; equal statistics give equal text."""
        return json.dumps(
            {
                "format": FORMAT,
                "message": self.message,
                "sample": self.sample,
                "versions": versions_as_json(self.versions),
                "plan": self.plan,
            },
            indent=1,
        )

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Reads what ``to_json`` wrote. Raises ``ValueError`` for anything else."""
        try:
            value = json.loads(text)
            if value["format"] != FORMAT:
                raise ValueError(f"expected format {FORMAT}, not {value['format']}: make the statistics again")
            return cls(
                str(value["message"]), str(value["plan"]), float(value["sample"]), versions_from_json(value["versions"])
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not statistics of the encoding advisor: {type(error).__name__} {error}") from error

    @classmethod
    def load(cls, file: Path) -> Self:
        """Reads a file with the result of ``to_json``. Raises ``OSError``, and ``ValueError`` with the name of the file."""
        try:
            return cls.from_json(file.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from error


def versions_as_json(versions: Versions) -> dict[str, Any]:
    """For ``versions_from_json``, in ascending order; rows without a version have the key ``none``."""
    ordered = sorted(versions, key=lambda version: -1 if version is None else version)
    return {"none" if version is None else str(version): versions[version].as_json() for version in ordered}


def versions_from_json(value: Mapping[str, Any]) -> dict[int | None, VersionStatistics]:
    """What ``versions_as_json`` gave. Raises ``KeyError``, ``TypeError`` or ``ValueError`` for anything else."""
    return {
        None if version == "none" else int(version): VersionStatistics.from_json(found)
        for version, found in value.items()
    }


def _either(choose: Any, one: Any, other: Any) -> Any:
    if one is None or other is None:
        return other if one is None else one
    return choose(one, other)


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"invalid count {value!r}")
    return value
