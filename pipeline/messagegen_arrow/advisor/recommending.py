"""Recommends encodings from statistics and costs, with a confidence for each field."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Final

from messagegen_arrow.advisor.advice import Advice, Confidence, Family, FieldAdvice, Level, VersionRow
from messagegen_arrow.advisor.costs import Cost, CostTable, Engine, Place, default_costs
from messagegen_arrow.advisor.encodings import (
    CLASSES,
    ENCODINGS,
    FORMS,
    LENGTHS,
    PLUS_ONE_LENGTHS,
    WIDTHS,
    first_longer,
    lengths_of,
    signed_bytes,
    split,
)
from messagegen_arrow.advisor.fields import IntegerField, integer_fields
from messagegen_arrow.advisor.statistics import FieldStatistics, Statistics
from messagegen_arrow.plans import read_plan

NANOSECONDS_PER_BYTE: Final = 8.0
"""Default cost of a byte: its time on a link of 1 Gbit/s."""

_Z95: Final = 1.96
"""Standard errors in half a 95 % interval."""

_NOISE: Final = 0.05
"""Precision of the measured costs."""

_FEW_MESSAGES: Final = 100
_ENOUGH_MESSAGES: Final = 1000
_SMALL_ERROR: Final = 0.05
_LARGE_ERROR: Final = 0.25
_NARROW_HEADROOM: Final = 16.0


@dataclass(frozen=True, slots=True)
class _Evidence:
    """A field of a struct in one version, at one path, with its statistics."""

    version: int
    field: IntegerField
    found: FieldStatistics


def recommend(
    statistics: Statistics,
    *,
    costs: CostTable | None = None,
    engine: Engine = "native",
    nanoseconds_per_byte: float = NANOSECONDS_PER_BYTE,
) -> Advice:
    """The advice for a message.

    An encoding is recommended if the bytes that it saves, at ``nanoseconds_per_byte``, outweigh the additional time to encode and
    decode once with ``engine``, and if the saving is statistically significant. It always has the width of the field, so all
    values still fit. Raises ``ValueError`` for an engine that ``costs`` (default: the package's table)
    does not have.
    """
    costs = default_costs() if costs is None else costs
    if not costs.has(engine):
        raise ValueError(f"the costs of the engine {engine!r} were not measured; measure them again, or name the other")
    if not nanoseconds_per_byte >= 0:
        raise ValueError(f"a byte costs 0 ns or more, not {nanoseconds_per_byte}")
    judge = _Judge(statistics, costs, engine, nanoseconds_per_byte)
    fields = tuple(judge.field(evidence) for evidence in judge.evidence_by_field())
    latest = read_plan(statistics.plan).valid_versions[-1]
    return Advice(
        message=statistics.message,
        latest_version=latest,
        next_version=latest + 1,
        engine=engine,
        nanoseconds_per_byte=nanoseconds_per_byte,
        messages=statistics.messages,
        malformed=statistics.malformed,
        fields=fields,
        families=tuple(judge.families(fields)),
        rows=tuple(_rows(judge.evidence)),
        machine=costs.machine,
        statistics=statistics,
    )


class _Judge:
    """All statistics of a message, and the costs of bytes and time."""

    def __init__(self, statistics: Statistics, costs: CostTable, engine: Engine, nanoseconds_per_byte: float) -> None:
        self.statistics = statistics
        self.costs = costs
        self.engine: Engine = engine
        self.nanoseconds_per_byte = nanoseconds_per_byte
        self.versions = read_plan(statistics.plan).valid_versions
        self.latest = {
            (field.struct, field.attribute): field for field in integer_fields(statistics.plan, self.versions[-1])
        }
        self.evidence = list(_evidence(statistics))

    def evidence_by_field(self) -> Iterator[list[_Evidence]]:
        """The statistics of each field of the newest version, in its order."""
        for key in self.latest:
            found = [one for one in self.evidence if (one.field.struct, one.field.attribute) == key]
            if found:
                yield found

    def cost(self, found: FieldStatistics, field: IntegerField, encoding: str) -> Cost:
        place: Place = "element" if field.is_array else "field"
        return self.costs.of(found, self.engine, place, encoding)

    def best(self, found: FieldStatistics, field: IntegerField) -> str:
        """The encoding of the field's width, or the current one, that costs the least in bytes and time together.

        If the costs are about the same, the current one, otherwise packed, which is also short for -1: a tiny difference should not
        change a field, or choose an encoding in which a rare value takes the full length.
        """
        price: dict[str, float] = {}
        time: dict[str, float] = {}
        for encoding in (field.encoding, *(f"{form}{field.width}" for form in ("packed", "upacked", "fixed"))):
            bytes_ = found.bytes_in(LENGTHS[encoding])
            if bytes_ is not None:
                time[encoding] = self.cost(found, field, encoding).both
                price[encoding] = bytes_ * self.nanoseconds_per_byte + time[encoding]
        if not price:
            return field.encoding
        lowest = min(price, key=price.__getitem__)
        limit = price[lowest] + _NOISE * time[lowest]
        return next(encoding for encoding, cost in price.items() if cost <= limit)

    def field(self, evidence: list[_Evidence]) -> FieldAdvice:
        field = self.latest[evidence[0].field.struct, evidence[0].field.attribute]
        found = reduce(add, (one.found for one in evidence))
        messages = sum(
            self.statistics.versions[version].messages for version in sorted({one.version for one in evidence})
        )
        recommended = self.recommended(found, field, messages)
        saving = _saving(found, field, recommended, messages)
        return FieldAdvice(
            struct=field.struct,
            attribute=field.attribute,
            key=field.keys.rpartition(".")[2],
            paths=tuple(sorted({one.field.keys for one in evidence})),
            type=field.type,
            is_array=field.is_array,
            count=found.count,
            minimum=found.minimum,
            maximum=found.maximum,
            negatives=found.negatives,
            minus_ones=found.minus_ones,
            current=field.encoding,
            recommended=recommended,
            bytes_now=found.bytes_in(lengths_of(field.encoding)) or 0,
            bytes_in=_bytes_in(found, field),
            saving_bytes=saving.bytes,
            saving_per_message=saving.mean,
            saving_error=saving.error,
            cost_now=self.cost(found, field, field.encoding) if field.advisable else Cost(),
            cost_recommended=self.cost(found, field, recommended) if field.advisable else Cost(),
            histograms=_histograms(found, field),
            confidence=self.confidence(evidence, found, field, recommended, saving),
            remarks=tuple(_remarks(found, field, recommended)),
        )

    def recommended(self, found: FieldStatistics, field: IntegerField, messages: int) -> str:
        """The best encoding, if its saving is significant."""
        if not field.advisable or not found.count:
            return field.encoding
        best = self.best(found, field)
        saving = _saving(found, field, best, messages)
        chance = saving.error is not None and abs(saving.mean) <= saving.error
        return field.encoding if chance else best

    def confidence(
        self,
        evidence: list[_Evidence],
        found: FieldStatistics,
        field: IntegerField,
        recommended: str,
        saving: _Saving,
    ) -> Confidence | None:
        if recommended == field.encoding:
            return None
        longer = _longer_from(found, field.encoding, recommended)
        largest = max(abs(found.minimum or 0), abs(found.maximum or 0), 1)
        relative = saving.error / abs(saving.mean) if saving.error is not None and saving.mean else None
        headroom = None if longer is None else abs(longer) / largest
        votes = {
            version: self.best(_merged(evidence, version), field) == recommended
            for version in sorted({one.version for one in evidence if one.found.count})
        }
        has_it = {
            version
            for version in self.versions
            for other in integer_fields(self.statistics.plan, version)
            if (other.struct, other.attribute) == (field.struct, field.attribute)
        }
        others = tuple(version for version, agrees in votes.items() if not agrees)
        doubts = tuple(_doubts(found.messages, relative, longer, headroom, others))
        return Confidence(
            level=_level(found.messages, relative, doubts),
            values=found.count,
            messages=found.messages,
            relative_error=relative,
            longer_from=longer,
            headroom=headroom,
            agreeing_versions=tuple(version for version, agrees in votes.items() if agrees),
            other_versions=others,
            unseen_versions=tuple(sorted(has_it - set(votes))),
            doubts=doubts,
        )

    def families(self, fields: Iterable[FieldAdvice]) -> Iterator[Family]:
        """All messages now, in each form of encodings, and as recommended."""
        advised = {(one.struct, one.attribute): one.recommended for one in fields}
        totals = [found.bytes for found in self.statistics.versions.values()]
        whole = None if None in totals else sum(total for total in totals if total is not None)
        now = sum(one.found.bytes_in(lengths_of(one.field.encoding)) or 0 for one in self.evidence)
        for name in ("now", *FORMS, "advised"):
            bytes_, cost = 0, Cost()
            for one in self.evidence:
                encoding = _encoding_in(name, one.field, advised)
                bytes_ += one.found.bytes_in(lengths_of(encoding)) or 0
                if one.field.advisable:
                    cost += self.cost(one.found, one.field, encoding)
            yield Family(name, bytes_, None if whole is None else whole - now + bytes_, cost)


def _encoding_in(family: str, field: IntegerField, advised: Mapping[tuple[str, str], str]) -> str:
    if family == "now" or not field.advisable:
        return field.encoding
    if family == "advised":
        return advised.get((field.struct, field.attribute), field.encoding)
    return f"{family}{field.width}"


def _evidence(statistics: Statistics) -> Iterator[_Evidence]:
    known = set(read_plan(statistics.plan).valid_versions)
    for version, found in sorted((v, f) for v, f in statistics.versions.items() if v is not None and v in known):
        for field in integer_fields(statistics.plan, version):
            if field.path in found.fields:
                yield _Evidence(version, field, found.fields[field.path])


def _merged(evidence: Iterable[_Evidence], version: int) -> FieldStatistics:
    return reduce(add, (one.found for one in evidence if one.version == version), FieldStatistics())


@dataclass(frozen=True, slots=True)
class _Saving:
    bytes: int
    mean: float
    error: float | None


def _saving(found: FieldStatistics, field: IntegerField, encoding: str, messages: int) -> _Saving:
    """The saving of an encoding in total, and per message with half its 95 % interval."""
    if encoding == field.encoding or not found.count:
        return _Saving(0, 0.0, None)
    before, after = found.bytes_in(LENGTHS[field.encoding]), found.bytes_in(LENGTHS[encoding])
    bytes_ = (before or 0) - (after or 0)
    weights = [a - b for a, b in zip(_weights(field.encoding), _weights(encoding), strict=True)]
    squares = _quadratic(weights, found.sums)
    mean = bytes_ / messages
    if messages < 2:
        return _Saving(bytes_, mean, None)
    variance = max(0.0, (squares - messages * mean * mean) / (messages - 1))
    return _Saving(bytes_, mean, _Z95 * math.sqrt(variance / messages))


def _weights(encoding: str) -> tuple[int, int, int]:
    """The size of a message's values as a combination of their number, their packed size and their upacked size.

    An upacked encoding narrower than the field is treated as one of its width; only negative values differ.
    """
    form, width = split(encoding)
    return {"fixed": (width // 8, 0, 0), "packed": (0, 1, 0), "upacked": (0, 0, 1)}[form]


def _quadratic(weights: list[int], sums: tuple[int, ...]) -> int:
    n, p, u = weights
    nn, np, nu, pp, pu, uu = sums
    return n * n * nn + 2 * n * p * np + 2 * n * u * nu + p * p * pp + 2 * p * u * pu + u * u * uu


def _bytes_in(found: FieldStatistics, field: IntegerField) -> dict[str, int | None]:
    """The bytes in each encoding of the field's type; empty for types without encodings."""
    if not field.advisable:
        return {}
    return {encoding: found.bytes_in(LENGTHS[encoding]) for encoding in ENCODINGS if split(encoding)[1] <= field.width}


def _histograms(found: FieldStatistics, field: IntegerField) -> dict[str, dict[int, int]]:
    width = field.width
    return {
        "signed": found.histogram([signed_bytes(class_) for class_ in range(CLASSES)]),
        "zig-zag": found.histogram(LENGTHS[f"packed{width}"]),
        "unsigned": found.histogram(LENGTHS[f"upacked{width}"]),
    }


def _longer_from(found: FieldStatistics, current: str, encoding: str) -> int | None:
    """The nearest value outside the range of the data that takes more bytes than now: above it, or below if it has negative values."""
    assert found.minimum is not None
    assert found.maximum is not None
    limit = max(bytes_ for bytes_ in LENGTHS[current] if bytes_)
    ends = [found.maximum] if found.minimum >= 0 else [found.maximum, found.minimum]
    longer = [first_longer(encoding, max(end, 0) if end == found.maximum else end, limit) for end in ends]
    width = split(encoding)[1]
    known = [value for value in longer if value is not None and -(1 << width - 1) <= value < 1 << width - 1]
    return min(known, key=abs, default=None)


def _remarks(found: FieldStatistics, field: IntegerField, recommended: str) -> Iterator[str]:
    if not field.advisable:
        yield f"{field.type} fields can have no encoding"
        return
    if not found.count:
        yield "there are no values of it in the data"
        return
    width = field.width
    if found.minus_ones:
        plus_one = found.bytes_in(PLUS_ONE_LENGTHS[width])
        best = min(bytes_ for form in FORMS if (bytes_ := found.bytes_in(LENGTHS[f"{form}{width}"])) is not None)
        if plus_one is not None and plus_one < best:
            share = found.minus_ones / found.count
            yield f"{share:.1%} of the values are -1: as an unsigned varint of the number plus one all would take {plus_one:,} bytes"
    negatives = found.negatives
    if recommended.startswith("upacked") and negatives:
        yield f"{negatives / found.count:.1%} of the values are negative and take the full length in {recommended}"
    elif recommended.startswith("upacked"):
        yield f"no value is negative; one would take {LENGTHS[recommended][0] or max(LENGTHS[recommended])} bytes in {recommended}"
    for narrower in WIDTHS:
        if narrower < width and found.bytes_in(LENGTHS[f"fixed{narrower}"]) is not None:
            yield f"all values fit into {narrower} bits, but others would be errors then, so nothing narrower is advised"
            break


def _doubts(
    messages: int, relative: float | None, longer: int | None, headroom: float | None, others: tuple[int, ...]
) -> Iterator[str]:
    if messages < _ENOUGH_MESSAGES:
        yield f"only {messages:,} messages have it"
    if relative is None:
        yield "one message says nothing of others"
    elif relative > _SMALL_ERROR:
        yield f"the saving is known to within {relative:.0%} only"
    if headroom is not None and headroom < _NARROW_HEADROOM:
        yield f"from {longer:,} on, {headroom:.1f} times the largest value seen, values take more bytes than now"
    if others:
        yield f"in version {', '.join(map(str, others))} another encoding would be better"


def _level(messages: int, relative: float | None, doubts: tuple[str, ...]) -> Level:
    if messages < _FEW_MESSAGES or relative is None or relative > _LARGE_ERROR or len(doubts) > 2:
        return "low"
    return "medium" if doubts else "high"


def _rows(evidence: Iterable[_Evidence]) -> Iterator[VersionRow]:
    for one in evidence:
        found, field = one.found, one.field
        yield VersionRow(
            version=one.version,
            path=field.keys,
            type=field.type,
            is_array=field.is_array,
            encoding=field.encoding,
            count=found.count,
            messages=found.messages,
            minimum=found.minimum,
            maximum=found.maximum,
            negatives=found.negatives,
            minus_ones=found.minus_ones,
            bytes_now=found.bytes_in(lengths_of(field.encoding)) or 0,
            bytes_in=_bytes_in(found, field),
        )
