"""One value on the wire as templates read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from messagegen.plan import ops

_LETTER: dict[ops.FixedKind, str] = {
    "bool": "?",
    "int8": "b",
    "int16": "h",
    "uint16": "H",
    "int32": "i",
    "uint32": "I",
    "int64": "q",
    "float64": "d",
    "uuid": "16s",
}
_NAME: dict[ops.FixedKind, str] = {**_LETTER, "bool": "t", "uuid": "u"}
_SIZE = {"?": 1, "b": 1, "h": 2, "H": 2, "i": 4, "I": 4, "q": 8, "d": 8, "16s": 16}


@dataclass(frozen=True, slots=True)
class Run:
    """Fields of constant size, read and written by one ``struct`` format."""

    format: str
    format_text: str
    size: int
    targets: str
    sources: str
    uuids: tuple[str, ...]
    kind: Literal["run"] = "run"


@dataclass(frozen=True, slots=True)
class Varint:
    """A varint; ``form`` is packed or upacked."""

    target: str
    form: str
    bits: int
    array_call: str = ""
    kind: Literal["varint"] = "varint"


@dataclass(frozen=True, slots=True)
class StructValue:
    """A struct in one layout; ``call`` reads it."""

    target: str
    null_mark: str
    function: str
    call: str
    array_call: str = ""
    kind: Literal["struct"] = "struct"


@dataclass(frozen=True, slots=True)
class Letter:
    """An array element that one ``struct`` letter describes."""

    letter: str
    size: int
    kind: Literal["run"] = "run"


@dataclass(frozen=True, slots=True)
class Element:
    """An array element that a runtime function reads and writes."""

    array_call: str
    writer: str
    kind: Literal["string", "uuid"]


@dataclass(frozen=True, slots=True)
class Sized:
    """A length or count and what it counts: bytes (``element`` is None, ``slice`` takes them) or elements."""

    target: str
    compact: bool
    nullable: bool
    is_string: bool
    slice: str
    element: Varint | StructValue | Letter | Element | None
    length_reader: str
    length_writer: str
    length_argument: str
    length_format: str
    length_size: int
    null_length: str
    kind: Literal["sized"] = "sized"


Value = Run | Varint | StructValue | Sized


class ValueViews:
    """Makes the value views of one message; ``function`` names the functions of a layout."""

    def __init__(self, plan: ops.MessagePlan, function: Callable[[int], str]) -> None:
        self.plan = plan
        self.function = function

    def step(self, layout: ops.Layout, step: ops.Step) -> Value:
        """The view of one step of a layout."""
        fields = self.plan.structs[layout.struct].fields
        if isinstance(step, ops.RunStep):
            return self.run([(f"o.{fields[s.field].attribute}", s.codec) for s in step.steps])
        target = f"o.{fields[step.field].attribute}"
        match step.codec:
            case ops.VarintCodec(form, bits):
                return Varint(target, form, bits)
            case ops.StructCodec() as codec:
                return self.struct(target, codec)
            case ops.VariableCodec() as codec:
                return _sized(target, codec, None)
            case ops.ArrayCodec(element) as codec:
                return _sized(target, codec, self.element(element))
            case ops.FixedCodec():
                raise AssertionError(f"{step.codec} stands outside a run")

    def run(self, members: list[tuple[str, ops.Codec]]) -> Run:
        """The view of fields of constant size, given by target and codec."""
        kinds: list[ops.FixedKind] = [codec.kind for _, codec in members if isinstance(codec, ops.FixedCodec)]
        targets = [target for target, _ in members]
        uuids = tuple(target for target, kind in zip(targets, kinds, strict=True) if kind == "uuid")
        sources = [f"{target}.bytes" if target in uuids else target for target in targets]
        return Run(
            format="".join(_NAME[kind] for kind in kinds),
            format_text=">" + "".join(_LETTER[kind] for kind in kinds),
            size=sum(_SIZE[_LETTER[kind]] for kind in kinds),
            targets=", ".join(targets) if len(targets) > 1 else f"({targets[0]},)",
            sources=", ".join(sources),
            uuids=uuids,
        )

    def struct(self, target: str, codec: ops.StructCodec) -> StructValue:
        """The view of a struct in ``target``."""
        function = self.function(codec.layout)
        zero_copy = self.plan.layouts[codec.layout].zero_copy
        array_call = (
            f"_read_array_of_views(_decode_{function}, b, p, n, z)"
            if zero_copy
            else f"_read_array(_decode_{function}, b, p, n)"
        )
        call = f"_decode_{function}(b, p{', z' if zero_copy else ''})"
        return StructValue(target, codec.null_mark, function, call, array_call)

    def element(self, codec: ops.ElementCodec) -> Varint | StructValue | Letter | Element:
        """The view of an array's element."""
        match codec:
            case ops.FixedCodec("uuid"):
                return Element("_read_uuids(b, p, n)", "", "uuid")
            case ops.FixedCodec(kind):
                return Letter(_LETTER[kind], _SIZE[_LETTER[kind]])
            case ops.VarintCodec(form, bits):
                return Varint("", form, bits, f"_read_varint_array(_read_{form}, b, p, n, {bits})")
            case ops.StructCodec():
                return self.struct("", codec)
            case ops.VariableCodec(compact=compact):
                text = "compact_string" if compact else "string"
                return Element(f"_read_array(_read_{text}, b, p, n)", f"_write_{text}", "string")


def _sized(
    target: str,
    codec: ops.VariableCodec | ops.ArrayCodec,
    element: Varint | StructValue | Letter | Element | None,
) -> Sized:
    is_string = isinstance(codec, ops.VariableCodec) and codec.kind == "string"
    source = "z" if isinstance(codec, ops.VariableCodec) and codec.zero_copy else "b"
    return Sized(
        target=target,
        compact=codec.compact,
        nullable=codec.nullable,
        is_string=is_string,
        slice="b[p:e].decode()" if is_string else f"{source}[p:e]",
        element=element,
        length_reader="_read_string_length" if is_string else "_read_uvarint",
        length_writer="_write_compact_length" if is_string else "_write_uvarint",
        length_argument="n" if is_string else "n + 1",
        length_format="h" if is_string else "i",
        length_size=2 if is_string else 4,
        null_length='b"\\xff\\xff"' if is_string else 'b"\\xff\\xff\\xff\\xff"',
    )
