"""The invariants of functions that write."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from messagegen.lower.ops import Block, Function, Op, writing
from messagegen.plan import ops as planned

State = Literal[
    "nothing", "any", "bytes", "tuple", "measured bytes", "measured tuple", "counted bytes", "counted tuple"
]
"""What the value is, and how much of it has been written."""

_MEASURED: dict[State, State] = {"bytes": "measured bytes", "tuple": "measured tuple"}
_COUNTED: dict[State, State] = {"measured bytes": "counted bytes", "measured tuple": "counted tuple"}
_NULL = ("0", "-1")


def writing_problems(plan: planned.MessagePlan, layout: planned.Layout, function: Function) -> Iterator[str]:
    """The problems of a function that writes, as text."""
    fields = [field.attribute for field in plan.structs[layout.struct].fields]
    path = _Path("any" if function.kind == "encode many" else "nothing")
    path.follow(function.body)
    path.move("nothing", to="nothing")
    yield from path.problems
    if path.guarded != [fields[number] for number in layout.guarded]:
        yield "the guarded fields are not those of the layout"
    if sorted(path.written) != sorted(fields[number] for number, _ in planned.fields_on_wire(layout)):
        yield "the fields that are written are not those of the layout"
    if path.tags != 1:
        yield "unknown tagged fields are not written or refused once"


class _Path:
    """Follows operations; ``written`` are the fields whose values were written or are about to be."""

    def __init__(self, state: State) -> None:
        self.written: list[str] = []
        self.guarded: list[str] = []
        self.state: State = state
        self.tags = 0
        self.problems: list[str] = []

    def follow(self, block: Block) -> None:
        for op in block:
            self.op(op)

    def move(self, *before: State, to: State) -> None:
        """Moves the value from one state to another."""
        if self.state not in before:
            self.problems.append(f"expected the value to be {' or '.join(before)}, it is {self.state}")
        self.state = to

    def write(self, source: str) -> None:
        """Records that a function writes the value."""
        self.move("any" if source == "value" else "nothing", to="nothing")
        self.written += [source.removeprefix("struct.")] * (source != "value")

    def take(self, source: str, to: State) -> None:
        self.move("any" if source == "value" else "nothing", to=to)
        self.written += [source.removeprefix("struct.")] * (source != "value")

    def count(self, value: str) -> None:
        """Records that a length is written, unless it is that of null."""
        if value and value not in _NULL:
            self.move(*_COUNTED, to=_COUNTED.get(self.state, "nothing"))

    def either(self, *blocks: tuple[Block, State]) -> None:
        """Checks that all branches write the same and end in the same state."""
        ends: list[tuple[list[str], State]] = []
        for block, state in blocks:
            path = _Path(state)
            path.follow(block)
            self.problems += path.problems
            ends.append((path.written, path.state))
        if any(end != ends[0] for end in ends):
            self.problems.append(f"one way writes {ends[0]}, the other {ends[-1]}")
        self.written += ends[-1][0]
        self.state = ends[-1][1]

    def op(self, op: Op) -> None:  # noqa: C901, PLR0912 - one case for each kind of operations
        match op:
            case writing.Guard(name):
                self.guarded.append(name)
            case writing.SetValue(source):
                self.take(source, "any")
            case writing.SetText(source):
                self.take(source, "bytes")
            case writing.CheckBytes():
                self.move("any", to="bytes")
            case writing.CheckTuple():
                self.move("any", to="tuple")
            case writing.CheckBools():
                self.move("tuple", to="tuple")
            case writing.Measure():
                self.move(*_MEASURED, to=_MEASURED.get(self.state, "nothing"))
            case writing.PutLength(value=value):
                self.count(value)
            case writing.PutLongLength() | writing.PutCompactCount():
                self.count("length")
            case writing.PackRun(_, attributes, length=value):
                self.written += attributes
                self.count(value)
            case writing.PutBytes():
                self.move("counted bytes", to="nothing")
            case writing.PutNumbers():
                self.move("counted tuple", to="nothing")
            case writing.PutManyNumbers():
                self.move("measured tuple", to="nothing")
            case writing.CallWriter(_, source) | writing.CallEncoder(_, source) | writing.CallArrayEncoder(_, source):
                self.write(source)
            case writing.IfNone(source, null, block):
                self.if_none(source, null, block)
            case writing.IfShort(_, short, long):
                self.either((short, self.state), (long, self.state))
            case writing.ForItems(block):
                self.move("counted tuple", to="nothing")
                self.follow(block)
            case writing.WriteTags(block):
                self.follow(block)
                self.tags += 1
            case writing.WriteTag(block=block):
                self.move("nothing", to="nothing")
                before = len(self.written)
                self.follow(block)
                if len(self.written) != before + 1:
                    self.problems.append(f"tag {op.tag} writes {self.written[before:]}")
            case writing.WriteUnknownTags() | writing.RefuseTags():
                self.tags += 1
            case _:
                pass

    def if_none(self, source: str, null: Block, block: Block) -> None:
        if source == "value":
            self.move("any", to="any")
            self.either((null, "nothing"), (block, "any"))
        else:
            self.move("nothing", to="nothing")
            # Null is a value of the field, too.
            self.either(((*null, writing.CallWriter("", source)), "nothing"), (block, "nothing"))
