"""Hypothesis strategies made from plans: any value of a message in a version, and bytes that are nearly one."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import strategies as st

from messagegen.plan import ops
from tests.support.specs import Subject, class_of

Values = st.SearchStrategy[Any]

_BITS: Final[dict[str, tuple[int, bool]]] = {
    "int8": (8, True),
    "int16": (16, True),
    "uint16": (16, False),
    "int32": (32, True),
    "uint32": (32, False),
    "int64": (64, True),
}
_TAGS: Final = st.one_of(st.integers(0, 40), st.sampled_from([126, 127, 128, 16383, 16384, 2**31 - 1]))
_LONG: Final = st.sampled_from([62, 63, 64, 126, 127, 128, 129, 300])
_HOSTILE: Final = (
    bytes.fromhex("7fffffff"),
    bytes.fromhex("80000000"),
    bytes.fromhex("ffffffff"),
    bytes.fromhex("7fff"),
    bytes.fromhex("ffffffff0f"),
    bytes.fromhex("ffffffff7f"),
    bytes.fromhex("8080808080808080808001"),
    bytes.fromhex("808000"),
    b"\x80",
    b"\xc3",
)
"""Lengths and counts that no buffer has, nulls, and varints that are too long, too large or longer than needed."""


def integers(bits: int, *, signed: bool = True) -> st.SearchStrategy[int]:
    """Integers of so many bits, often at a boundary."""
    lowest, highest = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    edges = [0, 1, -1, 63, 64, -64, -65, 127, 128, 8191, 8192, lowest, lowest + 1, highest - 1, highest]
    return st.one_of(
        st.sampled_from([edge for edge in edges if lowest <= edge <= highest]), st.integers(lowest, highest)
    )


def messages(subject: Subject, *, unknown_tags: bool = True) -> Values:
    """Any value that the subject's version can carry; NaN is left out, for it does not equal itself."""
    root = dict(subject.plan.roots)[subject.version]
    return _Maker(subject, unknown_tags=unknown_tags).struct(root)


@st.composite
def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    """``data`` with a few bytes cut off, changed, left out or put in."""
    result = bytearray(data)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(result)))
        match draw(st.sampled_from(["cut", "change", "remove", "insert", "hostile"])):
            case "cut":
                del result[at:]
            case "change":
                result[at : at + 1] = bytes([draw(st.integers(0, 255))])
            case "remove":
                del result[at : at + draw(st.integers(1, 4))]
            case "insert":
                result[at:at] = draw(st.binary(min_size=1, max_size=4))
            case _:
                hostile = draw(st.sampled_from(_HOSTILE))
                result[at : at + len(hostile)] = hostile
    return bytes(result)


class _Maker:
    """Strategies for the structs and values of one message."""

    def __init__(self, subject: Subject, *, unknown_tags: bool) -> None:
        self.plan = subject.plan
        self.message = subject.cls
        self.unknown_tags = unknown_tags
        self.made: dict[int, Values] = {}

    def struct(self, number: int) -> Values:
        if number not in self.made:
            self.made[number] = self.new_struct(self.plan.layouts[number])
        return self.made[number]

    def new_struct(self, layout: ops.Layout) -> Values:
        struct = self.plan.structs[layout.struct]
        fields: dict[str, Values] = {}
        for step in layout.steps:
            for member in step.steps if isinstance(step, ops.RunStep) else (step,):
                fields[struct.fields[member.field].attribute] = self.value(member.codec)
        cls = class_of(self.message, struct.class_name)
        for tagged in layout.tagged:
            attribute = struct.fields[tagged.field].attribute
            default = getattr(cls(), attribute)
            values = self.value(tagged.codec)
            fields[attribute] = (
                st.one_of(st.just(default), values) if default == default else values  # noqa: PLR0124 - NaN is not
            )
        if layout.flexible and self.unknown_tags:
            fields["unknown_tagged_fields"] = _unknown_tags(layout)
        return st.fixed_dictionaries(fields).map(lambda values: cls(**values))

    def value(self, codec: ops.Codec) -> Values:
        match codec:
            case ops.StructCodec(layout, null_mark):
                return _or_null(self.struct(layout), null_mark != "never")
            case ops.ArrayCodec(element, _, nullable):
                return _or_null(self.array(element), nullable)
            case ops.VariableCodec(kind, _, nullable):
                return _or_null(_texts() if kind == "string" else _binaries(), nullable)
            case ops.VarintCodec(_, bits):
                return integers(bits)
            case ops.FixedCodec(kind):
                return _fixed(kind)

    def array(self, element: ops.ElementCodec) -> Values:
        short = st.lists(self.value(element), max_size=3).map(tuple)
        if isinstance(element, ops.StructCodec):
            return short
        long = st.tuples(self.value(element), _LONG).map(lambda drawn: (drawn[0],) * drawn[1])
        return st.one_of(short, short, short, long)


def _or_null(values: Values, nullable: bool) -> Values:
    return st.one_of(st.none(), values) if nullable else values


def _texts() -> Values:
    long = st.tuples(st.sampled_from("aé日😀\x00"), _LONG).map(lambda drawn: drawn[0] * drawn[1])
    return st.one_of(st.text(max_size=6), st.text(max_size=6), long)


def _binaries() -> Values:
    return st.one_of(st.binary(max_size=6), st.binary(max_size=6), _LONG.map(lambda length: b"\x00" * length))


def _fixed(kind: str) -> Values:
    if kind == "bool":
        return st.booleans()
    if kind == "uuid":
        return st.uuids(allow_nil=True)
    if kind == "float64":
        return st.floats(allow_nan=False)
    bits, signed = _BITS[kind]
    return integers(bits, signed=signed)


def _unknown_tags(layout: ops.Layout) -> Values:
    known = {tagged.tag for tagged in layout.tagged}.union(layout.foreign_tags)
    field = st.tuples(_TAGS.filter(lambda tag: tag not in known), st.binary(max_size=4))
    fields = st.lists(field, max_size=2, unique_by=lambda one: one[0]).map(sorted).map(tuple)
    return st.one_of(st.just(()), fields)
