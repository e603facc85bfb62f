"""One value on the wire as templates read it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from messagegen.plan import ops
from messagegen.render.charges import Charges

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
_LENGTH_SIZE = {"B": 1, "h": 2, "i": 4}
_NAME: dict[ops.FixedKind, str] = {**_LETTER, "bool": "t", "uuid": "u"}


@dataclass(frozen=True, slots=True)
class Run:
    """Fields of constant size, read and written by one ``struct`` format.

    ``size`` is the number of bytes read, ``peek`` the letter of a length read with them, ``pad`` that of an empty tag section
    written with them. ``bools`` are the targets that must be bools, for ``struct`` would take the truth of anything.
    ``packed`` is the expression that writes it; empty where the value after it does.
    """

    format: str
    format_text: str
    size: int
    targets: tuple[str, ...]
    sources: str
    uuids: tuple[str, ...]
    bools: tuple[str, ...]
    packed: str
    peek: str = ""
    pad: str = ""
    kind: Literal["run"] = "run"


@dataclass(frozen=True, slots=True)
class StructValue:
    """A struct in one layout; ``call`` reads it."""

    target: str
    null_mark: str
    function: str
    call: str
    kind: Literal["struct"] = "struct"


@dataclass(frozen=True, slots=True)
class Called:
    """A value that one function reads and one writes; the reader gives ``None`` for null, the writer does not take it."""

    target: str
    call: str
    refuses_null: bool
    writer: str
    writer_arguments: str
    null_bytes: str = ""
    null_test: str = ""
    null_size: int = 0
    kind: Literal["called"] = "called"


@dataclass(frozen=True, slots=True)
class Sized:
    """A string or bytes; ``slow_call`` reads what is long or null; ``peeked`` if a run has read the length.

    The readers of ``slow_call`` begin at the length, the straight-line code behind it, but for a compact one that is not peeked.
    Where a run stands before it, ``run_and_length`` writes both at one go, ``run`` only the run, ``null_bytes`` the run and null.
    """

    target: str
    compact: bool
    nullable: bool
    source: str
    decoded: str
    encoded: str
    is_bytes: bool
    reader: str
    reader_arguments: str
    length_writer: str
    length_argument: str
    length_format: str
    length_size: int
    null_bytes: str
    peeked: bool = False
    run: str = ""
    run_and_length: str = ""
    kind: Literal["sized"] = "sized"

    @property
    def slow_call(self) -> str:
        """The call of the reader of any length."""
        return f"{self.reader}({_back_to_length(self.compact, self.peeked, self.length_size)}{self.reader_arguments})"


@dataclass(frozen=True, slots=True)
class Numbers:
    """An array whose elements are one ``struct`` letter each; ``slow_call``, ``peeked``, ``run`` and ``run_and_length`` as in ``Sized``.

    ``like`` is the array of numbers before it in the same struct, if of the same type, which often holds the same, as replicas
    and in-sync replicas do; where they are equal, one tuple serves both.
    """

    target: str
    compact: bool
    nullable: bool
    letter: str
    letter_name: str
    size: int
    reader: str
    null_bytes: str
    peeked: bool = False
    run: str = ""
    run_and_length: str = ""
    like: str = ""
    kind: Literal["numbers"] = "numbers"

    @property
    def slow_call(self) -> str:
        """The call of the reader of any length."""
        return f'{self.reader}({_back_to_length(self.compact, self.peeked, 4)}, "{self.letter}", m)'

    @property
    def after_count(self) -> str:
        """What is added to the position that the elements are read from; ``n`` is one more than their number if compact."""
        bytes_ = "n" if self.size == 1 else f"{self.size} * n"
        less = (self.size if self.peeked else self.size - 1) if self.compact else 0
        return f"{bytes_} - {less}" if less else bytes_

    def shares(self) -> bool:
        """Whether the numbers have the four bytes or more that a shared tuple is credited with."""
        return bool(self.like) and self.letter in "iIq"


def _back_to_length(compact: bool, peeked: bool, size: int) -> str:
    """The arguments of a reader that begins at the length, where straight-line code may stand behind it."""
    if compact:
        return "b, p - 1" if peeked else "b, p"
    return f"b, p - {size}"


Value = Run | StructValue | Called | Sized | Numbers


def with_peeks(values: list[Value], *, flexible: bool, tagged: bool) -> tuple[Value, ...]:
    """Lets each run read and write the length or tag count that follows it: one call instead of two.

    A run at the end of a struct also writes the empty tag section, where no field of the struct is ``tagged``.
    """
    values = list(_with_likes(values))
    result: list[Value] = []
    for number, value in enumerate(values):
        follower = values[number + 1] if number + 1 < len(values) else None
        if isinstance(follower, Sized | Numbers) and isinstance(value, Run):
            letter = "B" if follower.compact else "i" if isinstance(follower, Numbers) else follower.length_format
            values[number + 1] = _after_run(follower, value, letter)
            result.append(replace(value, size=value.size + _LENGTH_SIZE[letter], peek=letter, packed=""))
        elif follower is None and flexible and isinstance(value, Run):
            pad = "" if tagged else "x"
            packed = f"_pack_{value.format}{pad}({value.sources})"
            result.append(replace(value, size=value.size + 1, peek="B", pad=pad, packed=packed))
        else:
            result.append(value)
    return tuple(result)


def _after_run(value: Sized | Numbers, run: Run, letter: str) -> Sized | Numbers:
    length, null = ("n + 1", "0") if value.compact else ("n", "-1")
    both = f"_pack_{run.format}{letter}({run.sources}, "
    return replace(value, peeked=True, run=run.packed, run_and_length=f"{both}{length})", null_bytes=f"{both}{null})")


def _with_likes(values: Iterable[Value]) -> Iterator[Value]:
    latest: Numbers | None = None
    for value in values:
        if isinstance(value, Numbers):
            # Floats and truths may be equal and yet not the same bytes.
            yield replace(value, like=latest.target if latest and latest.letter == value.letter not in "?d" else "")
            latest = value
        else:
            yield value


class ValueViews:
    """Makes the value views of one message; ``function`` names the functions of a layout."""

    def __init__(self, plan: ops.MessagePlan, function: Callable[[int], str], charges: Charges) -> None:
        self.plan = plan
        self.function = function
        self.charges = charges

    def step(self, layout: ops.Layout, step: ops.Step) -> Value:
        """The view of one step of a layout."""
        fields = self.plan.structs[layout.struct].fields
        if isinstance(step, ops.RunStep):
            return _run([(f"o.{fields[s.field].attribute}", s.codec) for s in step.steps])
        target = f"o.{fields[step.field].attribute}"
        match step.codec:
            case ops.VarintCodec(form, bits):
                call = f"_read_{form}{bits}(b, p)"
                return Called(target, call, refuses_null=False, writer=f"_write_{form}{bits}", writer_arguments=target)
            case ops.StructCodec(layout=index, null_mark=null_mark):
                function = self.function(index)
                return StructValue(target, null_mark, function, f"_decode_{function}(b, p{self.source(index)})")
            case ops.VariableCodec() as codec:
                return _sized(target, codec)
            case ops.ArrayCodec() as codec:
                return self.array(target, codec)
            case ops.FixedCodec():
                raise AssertionError(f"{step.codec} stands outside a run")

    def array(self, target: str, codec: ops.ArrayCodec) -> Value:
        """The view of an array."""
        null_bytes = _null_bytes(codec.compact, 4) if codec.nullable else ""
        element = codec.element
        if isinstance(element, ops.StructCodec):
            function = f"{self.function(element.layout)}_array"
            call = f"_decode_{function}(b, p{self.source(element.layout)})"
            return Called(
                target,
                call,
                refuses_null=not codec.nullable,
                writer=f"_encode_{function}",
                writer_arguments=target,
                null_bytes=null_bytes,
                null_test="" if not codec.nullable else "not b[p]" if codec.compact else "b[p] > 127",
                null_size=1 if codec.compact else 4,
            )
        if isinstance(element, ops.FixedCodec) and element.kind != "uuid":
            return _numbers(target, codec, element.kind)
        kind = _element_name(element)
        prefix = "compact_" if codec.compact else ""
        return Called(
            target,
            call=f"_read_{prefix}array(_read_{kind}, b, p, m, {self.charges.element(element)})",
            refuses_null=not codec.nullable,
            writer=f"_write_{prefix}array",
            writer_arguments=f"{target}, _write_{kind}",
            null_bytes=null_bytes,
        )

    def source(self, layout: int) -> str:
        """The arguments that hand on the buffer of which views may be kept, where the layout keeps any, and the allowance."""
        return ", z, m" if self.plan.layouts[layout].zero_copy else ", m"


def _element_name(codec: ops.ElementCodec) -> str:
    match codec:
        case ops.VarintCodec(form, bits):
            return f"{form}{bits}"
        case ops.VariableCodec(compact=compact):
            return "compact_string" if compact else "string"
        case ops.FixedCodec(kind):
            return kind
        case ops.StructCodec():
            raise AssertionError("structs have functions of their own")


def _run(members: list[tuple[str, ops.Codec]]) -> Run:
    kinds: list[ops.FixedKind] = [codec.kind for _, codec in members if isinstance(codec, ops.FixedCodec)]
    targets = [target for target, _ in members]
    uuids = tuple(target for target, kind in zip(targets, kinds, strict=True) if kind == "uuid")
    format_ = "".join(_NAME[kind] for kind in kinds)
    sources = ", ".join(f"_uuid_bytes({target})" if target in uuids else target for target in targets)
    return Run(
        format=format_,
        format_text=">" + "".join(_LETTER[kind] for kind in kinds),
        size=sum(ops.FIXED_SIZE[kind] for kind in kinds),
        targets=tuple(targets),
        sources=sources,
        uuids=uuids,
        bools=tuple(target for target, kind in zip(targets, kinds, strict=True) if kind == "bool"),
        packed=f"_pack_{format_}({sources})",
    )


def _sized(target: str, codec: ops.VariableCodec) -> Sized:
    is_string = codec.kind == "string"
    prefix = "compact_" if codec.compact else ""
    source = "z" if codec.zero_copy else "b"
    value = "s" if codec.nullable else target
    return Sized(
        target=target,
        compact=codec.compact,
        nullable=codec.nullable,
        source=source,
        decoded=".decode()" if is_string else "",
        encoded=f"_utf8({value})" if is_string else value,
        is_bytes=not is_string,
        reader=f"_read_{prefix}{'string' if is_string else 'bytes'}{'_or_null' if codec.nullable else ''}",
        reader_arguments="" if is_string else f", {source}",
        length_writer="_write_compact_length" if is_string else "_write_uvarint",
        length_argument="n" if is_string else "n + 1",
        length_format="h" if is_string else "i",
        length_size=2 if is_string else 4,
        null_bytes=_null_bytes(codec.compact, 2 if is_string else 4),
    )


def _numbers(target: str, codec: ops.ArrayCodec, kind: ops.FixedKind) -> Numbers:
    prefix = "compact_" if codec.compact else ""
    suffix = "_or_null" if codec.nullable else ""
    return Numbers(
        target=target,
        compact=codec.compact,
        nullable=codec.nullable,
        letter=_LETTER[kind],
        letter_name=_NAME[kind],
        size=ops.FIXED_SIZE[kind],
        reader=f"_read_{prefix}numbers{suffix}",
        null_bytes=_null_bytes(codec.compact, 4),
    )


def _null_bytes(compact: bool, size: int) -> str:
    """Null as a length: 0 as a varint, or -1 in so many bytes."""
    ones = r"\xff" * size
    return r'b"\x00"' if compact else f'b"{ones}"'
