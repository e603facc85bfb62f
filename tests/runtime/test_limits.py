"""Limits for decoded messages: memory stays below them, all codecs agree, and no real message is refused."""

from __future__ import annotations

import struct
import tracemalloc
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib import import_module
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen.generation.loading import load_specs
from messagegen.plan.build import build_plan
from messagegen.plan.walkable import walkable
from messagegen.runtime.errors import DEFAULT_LIMITS, PAID_PER_BYTE
from messagegen.runtime.plan import PRIMITIVES
from messagegen.spec import parse
from tests.oracle import official_specs
from tests.oracle.made_up import made_up_text
from tests.support.profiles import examples
from tests.support.specs import OWN, PURPOSE_MADE, field, made, package
from tests.support.varints import uvarint

SEEDS: Final = st.integers(0, (1 << 64) - 1)
MADE_UP: Final = range(40)
"""The seeds of random specs."""

OVERHEAD: Final = 48_576
"""Additional bytes that the message's own fields and incomplete lists may take."""
SMALL_OVERHEAD: Final = 8000
"""The overhead of a message with few fields, in bytes."""
ENOUGH: Final = 1 << 40
FAILURES: Final = (ValueError, struct.error, LookupError)


class Subject:
    """A message in one version, without the engine."""

    def __init__(self, cls: Any, version: int) -> None:
        self.cls = cls
        self.version = version
        self.plan = cls.CODEC.parsed_plan()
        self.runtime = f"{cls.__module__.rpartition('.')[0]}._runtime"

    def __repr__(self) -> str:
        return f"{self.cls.__name__}-{self.version}"

    def module(self, name: str) -> Any:
        return import_module(f"{self.runtime}.{name}")

    def limits(self, **limits: int) -> Any:
        return self.module("errors").Limits(**limits)

    def by_walk(self, data: bytes, limits: Any) -> Any:
        """Return the result of the reference codec: the end, or the path, reason and offset of an error."""
        walk = self.module("walk")
        try:
            return walk.walk_decode(self.plan, data, 0, self.version, limits)[1]
        except self.module("errors").DecodeError as error:
            return error.path, error.reason, error.offset

    def by_straight_line(self, data: bytes, limits: Any) -> int | None:
        """Return the end of the message; ``None`` if straight-line code leaves the decision to the walk."""
        base = self.module("base")
        try:
            end: int = base.straight_line(self.cls.CODEC, self.version, data, 0, limits)[1]
        except FAILURES:
            return None
        return end


@cache
def subjects(source: str) -> list[Subject]:
    """Return the messages of made-up specs, or of a folder, in all versions."""
    if source == "made-up":
        parsed = [parse(made_up_text(seed), "made_up.json").spec for seed in MADE_UP]
        packages = [load_specs([spec]) for spec in parsed if spec is not None]
    else:
        packages = [package(OWN), package(PURPOSE_MADE)]
    found = []
    for one in packages:
        for name in one.__all__:
            cls = getattr(one, name)
            if hasattr(cls, "CODEC"):
                found += [Subject(cls, version) for version in cls.VALID_VERSIONS]
    return found


class Dearest:
    """Writes messages from their plans. The values are expensive: decoded, they need much more memory than as bytes."""

    def __init__(self, random: Random, elements: int) -> None:
        self.random = random
        self.left = elements
        """The number of further elements that arrays and tag sections may have."""

    def layout(self, layout: Any) -> bytes:
        out = b"".join(self.value(codec) for _, codec in layout.steps)
        return out + self.tags(layout) if layout.flexible else out

    def tags(self, layout: Any) -> bytes:
        count = self.count() if self.random.random() < 0.3 else 0
        known = [(tag, self.value(codec)) for tag, (_, codec) in layout.tagged.items() if self.random.random() < 0.5]
        first = self.random.choice([1, 300]) + max([0, *layout.tagged, *layout.foreign])
        unknown = [(first + number, self.random.choice([b"", b"ab"])) for number in range(count)]
        fields = sorted([*known, *unknown])
        return uvarint(len(fields)) + b"".join(uvarint(tag) + uvarint(len(data)) + data for tag, data in fields)

    def count(self) -> int:
        """Return a number of elements: a few, or all that are left."""
        count = min(self.left, self.random.choice([0, 1, 1, 2, 3, 30, self.left]))
        self.left -= count
        return count

    def length(self, codec: Any, length: int) -> bytes:
        if codec.compact:
            return uvarint(length + 1)
        return length.to_bytes(2 if codec.kind == "string" else 4, "big")

    def value(self, codec: Any) -> bytes:
        match codec.kind:
            case "array":
                count = self.count()
                # A few elements are repeated, which is faster, and just as expensive to decode.
                few = [self.value(codec.element) for _ in range(min(count, 4))]
                return self.length(codec, count) + b"".join(few[number % len(few)] for number in range(count))
            case "struct":
                return self.mark(codec) + self.layout(codec.layout)
            case "string" | "bytes" | "records":
                data = self.random.choice([b"", "\u0100".encode(), b"ab", "\U0001f600a".encode()])
                return self.length(codec, len(data)) + data
            case "packed":
                return self.random.choice([b"\x63", b"\x01"])
            case "upacked":
                return self.random.choice([b"\xff\x7f", b"\x01"])
        size = PRIMITIVES[codec.kind].size
        return self.random.choice([b"\xff", b"\x9c", b"\x40"]) * size if codec.kind != "bool" else b"\1"

    def mark(self, codec: Any) -> bytes:
        return b"\1" if codec.null else b""


def dear_message(subject: Subject, random: Random, elements: int) -> bytes:
    return Dearest(random, elements).layout(subject.plan.roots[subject.version])


def low_limits(subject: Subject, random: Random, size: int) -> Any:
    """Return limits that are close to the needs of a message of ``size`` bytes."""
    return subject.limits(
        array_length=random.choice([31, 40, 300, ENOUGH]),
        tagged_field_count=random.choice([2, 40, ENOUGH]),
        memory_factor=random.choice([0, 11, 12, 13, 20, 32]),
        memory_constant=random.choice([0, 1000, 10_000, random.randrange(40 * size + 1)]),
    )


@pytest.mark.slow
@pytest.mark.parametrize("source", ["own", "made-up"])
@examples(150)
@given(seed=SEEDS)
def test_straight_line_code_accepts_what_the_reference_codec_accepts(source: str, seed: int) -> None:
    random = Random(seed)
    subject = random.choice(subjects(source))
    data = dear_message(subject, random, random.choice([10, 100, 2000]))
    limits = low_limits(subject, random, len(data))
    walked = subject.by_walk(data, limits)
    straight = subject.by_straight_line(data, limits)
    assert straight == (walked if isinstance(walked, int) else None), subject
    assert subject.by_walk(data + bytes(random.randrange(5000)), limits) == walked or not isinstance(walked, int)
    assert subject.by_straight_line(data + bytes(random.randrange(5000)), limits) == straight, subject


LATER: Final = tuple(field(f"Later{number}", "int64", "1+") for number in range(100))
"""Version 0 lacks these fields, so they take memory, but no bytes."""
ROWS_OF_ONE_BYTE: Final = (LATER, b"\0")
ROWS_OF_AN_ARRAY: Final = ((*LATER, field("X", "[]int8")), b"\1\0")


@pytest.mark.parametrize(("of_row", "row"), [ROWS_OF_ONE_BYTE, ROWS_OF_AN_ARRAY])
def test_no_small_message_exceeds_the_default_limits(of_row: tuple[dict[str, Any], ...], row: bytes) -> None:
    """Straight-line code checks no limits in messages of at most ``CODEC.small`` bytes, however expensive they are."""
    cls = made(field("A", "[]Row", fields=of_row), flexibleVersions="0+", validVersions="0-1")
    subject = Subject(cls, 0)
    limits = subject.module("errors").DEFAULT_LIMITS
    small = subject.cls.CODEC.small
    for size, is_accepted in ((small, True), (2 * small, False)):
        count = (size - 4) // len(row)
        data = uvarint(count + 1) + row * count + b"\0"
        assert len(data) <= size
        assert isinstance(subject.by_walk(data, limits), int) == is_accepted
        assert (subject.by_straight_line(data, limits) == len(data)) == is_accepted


def peak_of(decode: Callable[[], object]) -> int:
    """Return the peak memory of a call in bytes."""
    tracemalloc.start()
    try:
        try:
            found = decode()
        except ValueError:
            found = None
        peak = tracemalloc.get_traced_memory()[1]
        del found
    finally:
        tracemalloc.stop()
    return peak


def check_bound(subject: Subject, data: bytes, limits: Any, overhead: int = OVERHEAD) -> None:
    """Check that both codecs stay below the limits, whether or not they accept the bytes."""
    most = limits.memory_factor * len(data) + limits.memory_constant + overhead
    for decode in (subject.by_straight_line, subject.by_walk):
        decode(data, limits)  # Objects that are loaded on first use are not counted.
        assert peak_of(partial(decode, data, limits)) <= most, (subject, decode.__name__, len(data))


@pytest.mark.slow
@pytest.mark.parametrize("source", ["own", "made-up"])
@examples(40)
@given(seed=SEEDS)
def test_no_message_takes_more_memory_than_its_limits(source: str, seed: int) -> None:
    random = Random(seed)
    subject = random.choice(subjects(source))
    data = dear_message(subject, random, random.choice([100, 1000, 4000]))
    factor = random.choice([12, 14, 20, 32])
    constant = random.choice([0, 100_000, 20 * len(data), 60 * len(data)])
    check_bound(subject, data, subject.limits(memory_factor=factor, memory_constant=constant))


def arrays_of(layout: Any) -> Iterator[Any]:
    """Yield the codecs of all arrays in a layout and in its structs."""
    for codec in [codec for _, codec in layout.steps] + [codec for _, codec in layout.tagged.values()]:
        if codec.element is not None:
            yield codec
        inner = (codec.element or codec).layout
        if inner is not None:
            yield from arrays_of(inner)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("type_", "element", "others"),
    [
        ("[]int8", b"\x80", {}),
        ("[]int16", b"\x40\x00", {}),
        ("[]int64", b"\x40" * 8, {}),
        ("[]string", "\u0100".encode(), {}),
        ("[]uuid", b"\x40" * 16, {}),
        ("[]int64", b"\x63", {"elementEncoding": "packed64"}),
        ("[]Row", b"\x80", {"fields": [field("X", "int8")]}),
        ("[]Row", b"", {"fields": [field("X", "int8", "1+"), field("Y", "int64", "1+")]}),
        ("[]Row", b"\x80" * 8, {"fields": [field(name, "int8") for name in "ABCDEFGH"]}),
        ("[]Row", b"\x03\xc4\x80", {"fields": [field("X", "string")]}),
        ("[]Row", b"\x01", {"fields": [field("X", "[]Y", fields=[field("Z", "int8", "1+")])]}),
    ],
)
def test_the_longest_accepted_array_stays_within_its_memory_limit(
    type_: str, element: bytes, others: dict[str, Any]
) -> None:
    """The limits are exactly used up, so the charges must be large enough, but not much larger."""
    cls = made(field("A", type_, **others), flexibleVersions="0+", validVersions="0-1")
    subject = Subject(cls, 0)
    length = uvarint(len(element) + 1) if type_ == "[]string" else b""
    tags = b"\0" if type_ == "[]Row" else b""
    one = length + element + tags
    count = 5_000
    data = uvarint(count + 1) + one * count + b"\0"
    charge = next(arrays_of(subject.plan.roots[0])).charge
    limits = subject.limits(memory_factor=12, memory_constant=charge * count)
    assert subject.by_straight_line(data, limits) == len(data)
    check_bound(subject, data, limits, SMALL_OVERHEAD)
    if charge:
        less = subject.limits(memory_factor=12, memory_constant=charge * count - 1)
        assert subject.by_straight_line(data, less) is None
        assert subject.by_walk(data, less)[0] == "a"


NO_NAME: Final = {"nullableVersions": "0+"}
CHEAP: Final[dict[str, tuple[dict[str, Any], bytes, int]]] = {
    "results without errors": (
        field("Results", "[]Result", fields=[field("ErrorCode", "int16"), field("ErrorMessage", "string", **NO_NAME)]),
        b"\0\0\0\0",
        35_000,
    ),
    "filters without names": (
        field(
            "Filters",
            "[]Filter",
            fields=[
                field("ResourceType", "int8"),
                field("ResourceName", "string", **NO_NAME),
                field("PatternType", "int8"),
                field("Principal", "string", **NO_NAME),
                field("Host", "string", **NO_NAME),
                field("Operation", "int8"),
                field("PermissionType", "int8"),
            ],
        ),
        b"\1\0\1\0\0\1\1\0",
        90_000,
    ),
    "small numbers": (field("Numbers", "[]int8"), b"\5", 1_000_000),
}
"""Arrays like those of CreateAclsResponse and DeleteAclsRequest: the field, the bytes of an element, their number."""


@pytest.mark.parametrize("case", CHEAP)
def test_elements_that_cost_less_than_their_charge_are_accepted(case: str, codecs: str) -> None:
    array, element, count = CHEAP[case]
    cls = made(array, flexibleVersions="0+")
    data = uvarint(count + 1) + element * count + b"\0"
    assert cls.decode(data, version=0).encode(version=0) == data, codecs


class Large:
    """Writes messages of large clusters from plans; ``counts`` are the numbers of array elements by attribute."""

    def __init__(self, counts: dict[str, int]) -> None:
        self.counts = counts

    def layout(self, layout: Any) -> bytes:
        fields = [self.value(field.attribute, codec) for field, codec in layout.steps]
        return b"".join(fields) + (b"\0" if layout.flexible else b"")

    def value(self, attribute: str, codec: Any) -> bytes:
        match codec.kind:
            case "array":
                count = self.counts.get(attribute, 1)
                length = uvarint(count + 1) if codec.compact else count.to_bytes(4, "big")
                return length + self.value("", codec.element) * count
            case "struct":
                return self.layout(codec.layout)
            case "string":
                text = b"orders" if codec.null == 0 else b""
                return (uvarint(len(text) + 1) if codec.compact else len(text).to_bytes(2, "big")) + text
            case "bytes" | "records":
                return b"\1" if codec.compact else bytes(4)
        return b"\1" * PRIMITIVES[codec.kind].size


class Empty(Large):
    """Writes the smallest structs: texts and arrays are null or empty."""

    def __init__(self) -> None:
        super().__init__({})

    def value(self, attribute: str, codec: Any) -> bytes:
        match codec.kind:
            case "array" | "bytes" | "records":
                return b"\1" if codec.compact else bytes(4)
            case "string":
                return b"\1" if codec.compact else bytes(2)
            case "struct" if codec.null:
                return b"\xff"
        return super().value(attribute, codec)


EMPTY_ELEMENTS: Final = 90_000


@pytest.mark.slow
@pytest.mark.java
def test_an_array_of_empty_elements_is_accepted_in_every_message_of_kafka() -> None:
    surplus = DEFAULT_LIMITS.memory_factor - PAID_PER_BYTE
    refused = []
    for name, text in (item for texts in official_specs().values() for item in texts.items()):
        spec = parse(text, name).spec
        assert spec is not None
        for version, root in walkable(build_plan(spec)).roots.items() if not spec.valid_versions.empty else ():
            for array in arrays_of(root):
                paid = surplus * len(Empty().value("", array.element))
                if EMPTY_ELEMENTS * (array.charge - paid) > DEFAULT_LIMITS.memory_constant:
                    refused.append((name, version, array.text))
    assert refused == []


PARTITIONS: Final = 1_000_000
LARGE: Final = {
    "metadata of 1,000 topics": ("MetadataResponse", {"topics": 1_000, "partitions": PARTITIONS // 1_000}),
    "metadata of as many topics": ("MetadataResponse", {"topics": PARTITIONS}),
    "metadata with three replicas": (
        "MetadataResponse",
        {"topics": 1_000, "partitions": PARTITIONS // 1_000, "replica_nodes": 3, "isr_nodes": 3},
    ),
    "a fetch session": ("FetchRequest", {"topics": 200, "partitions": 1_000}),
    "a fetch session of as many topics": ("FetchRequest", {"topics": 200_000}),
    "answers of a fetch session": ("FetchResponse", {"responses": 200, "partitions": 1_000}),
    "answers of a fetch session of as many topics": ("FetchResponse", {"responses": 200_000}),
    "offset commits": ("OffsetCommitRequest", {"topics": 100_000}),
    "answers of offset commits": ("OffsetCommitResponse", {"topics": 100_000}),
    "offset fetches": ("OffsetFetchRequest", {"groups": 1, "topics": 100_000}),
    "answers of offset fetches": ("OffsetFetchResponse", {"groups": 1, "topics": 100_000}),
}
"""Messages of the largest clusters, with the numbers of elements in their arrays; other arrays have one element."""


@pytest.mark.slow
@pytest.mark.parametrize("case", LARGE)
def test_messages_of_a_large_cluster_stay_within_the_limits(case: str) -> None:
    """Only charges are computed, in each version, instead of a million objects; decoding uses the same charges."""
    name, counts = LARGE[case]
    cls = getattr(package(OWN), name)
    for version in cls.VALID_VERSIONS:
        subject = Subject(cls, version)
        data = Large(counts).layout(subject.plan.roots[version])
        taken = charges_of(subject.plan.roots[version], counts)
        assert taken <= 20 * len(data) + DEFAULT_LIMITS.memory_constant, subject


def charges_of(layout: Any, counts: dict[str, int], times: int = 1) -> int:
    """Return the sum of the charges for all arrays in a message."""
    taken = 0
    for step, codec in layout.steps:
        count = times * counts.get(step.attribute, 1) if codec.element else times
        taken += codec.charge * count
        inner = (codec.element or codec).layout
        if inner is not None:
            taken += charges_of(inner, counts, count)
    return taken


@pytest.mark.slow
@pytest.mark.parametrize("case", LARGE)
def test_the_newest_message_of_a_large_cluster_is_decoded(case: str) -> None:
    name, counts = LARGE[case]
    cls = getattr(package(OWN), name)
    version = cls.VALID_VERSIONS[-1]
    subject = Subject(cls, version)
    data = Large(counts).layout(subject.plan.roots[version])
    assert subject.by_straight_line(data, subject.module("errors").DEFAULT_LIMITS) == len(data)
