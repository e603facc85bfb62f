"""The invariants of functions that read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from messagegen.lower.ops import Block, Function, Op, reading
from messagegen.plan import ops as planned

_TAGS = "unknown_tagged_fields"
_MARKS = {"mark > 127": "mark", "mark == 0": "varint mark"}


def reading_problems(plan: planned.MessagePlan, layout: planned.Layout, function: Function) -> Iterator[str]:
    """The problems of a function that reads, as text."""
    fields = plan.structs[layout.struct].fields
    if function.kind == "decode tags":
        tagged = {one.tag: fields[one.field].attribute for one in layout.tagged}
        yield from _tag_problems(function.body, tagged)
        return
    path = _Path({_TAGS, *(field.attribute for field in fields)})
    path.follow(function.body)
    if not path.returned:
        path.problems.append("nothing is returned")
    yield from path.problems


def _tag_problems(body: Block, tagged: dict[int, str]) -> Iterator[str]:
    match body:
        case (reading.ReadTags(block),):
            cases = [op for op in block if isinstance(op, reading.ReadTag)]
            if [case.tag for case in cases] != list(tagged):
                yield "the tags are not those of the layout"
            for number, case in enumerate(cases):
                if case.first != (number == 0):
                    yield f"tag {case.tag} is not looked for in order"
                path = _Path({tagged.get(case.tag, "")})
                path.follow(case.block)
                path.end()
                yield from path.problems
        case _:
            yield "expected one tag section"


class _Path:
    """Follows operations; ``length`` is what was read last: a length by its letter, a mark, a count, or nothing usable."""

    def __init__(self, fields: set[str], done: Iterable[str] = ()) -> None:
        self.fields = fields
        self.done = set(done)
        self.length = ""
        self.returned = False
        self.problems: list[str] = []

    def follow(self, block: Block) -> None:
        for op in block:
            self.op(op)

    def end(self) -> None:
        """All fields must be set by now."""
        self.problems += [f"{name} is not set" for name in sorted(self.fields - self.done)]

    def give(self, *names: str) -> None:
        for name in names:
            if name in self.done or name not in self.fields:
                self.problems.append(f"{name} is set where it may not be")
            self.done.add(name)

    def need(self, *names: str) -> None:
        self.problems += [f"{name} is used before it is set" for name in names if name not in self.done]

    def take(self, length: str) -> None:
        if self.length != length:
            self.problems.append(f"the length is used as {length}, and is {self.length or 'nothing'}")
        self.length = ""

    def inside(self, block: Block, fields: set[str], *, done: Iterable[str] = ()) -> _Path:
        """The path through a block that must set these fields, except those that are done."""
        path = _Path(fields, done)
        path.follow(block)
        path.end()
        self.problems += path.problems
        return path

    def op(self, op: Op) -> None:
        self.lengths(op)
        self.values(op)

    def lengths(self, op: Op) -> None:  # noqa: C901, PLR0912 - one case for each kind of operations
        """The effect of an operation on the length."""
        match op:
            case reading.ReadRun(length=length):
                self.length = length
            case reading.LookAtLength():
                self.length = "B"
            case reading.ReadLength(format_):
                self.length = format_.letters
            case reading.ReadMark():
                self.length = "mark"
            case reading.ReadVarintMark():
                self.length = "varint mark"
            case reading.ReadCompactCount() | reading.ReadCount():
                self.length = "count"
            case reading.ReadSized() | reading.ReadNumbers():
                self.take(op.length.letter)
            case reading.ReadOrNull(condition=condition) if condition in _MARKS:
                self.take(_MARKS[condition])
            case reading.TagSection(peeked=True):
                self.take("B")
            case reading.UnlessCounted(block):
                self.length = self.inside(block, set()).length
            case reading.ChargeArray() | reading.CheckBytesLeft() | reading.ReadRows():
                self.take("count")
                self.length = "count"
            case reading.ForCount():
                self.take("count")
            case _:
                pass

    def values(self, op: Op) -> None:  # noqa: C901, PLR0912 - one case for each kind of operations
        """The effect of an operation on fields."""
        match op:
            case (
                reading.SetDefault(name)
                | reading.ReadVarint(name)
                | reading.ReadArray(name)
                | reading.CallDecoder(name)
            ):
                self.give(name)
            case reading.ReadRun(attributes=names) | reading.SetRow(names):
                self.give(*names)
            case reading.ReadSized(name):
                self.give(name)
            case reading.ReadNumbers(name, few=few, many=many):
                self.give(name)
                for block in (few, many):
                    self.inside(block, self.done, done=self.done)
            case reading.ReadOrNull(name, block=block):
                self.inside(block, {name})
                self.give(name)
            case reading.MakeUuid(name) | reading.RefuseNull(name):
                self.need(name)
            case reading.ShareTuple(name, like):
                self.need(name, like)
            case reading.NoTags() | reading.TagSection():
                self.give(_TAGS)
            case reading.ReadRows(block=block):
                self.inside(block, self.fields)
            case reading.ForCount(block=block):
                self.inside(block, self.fields)
                self.done = self.fields
            case reading.Append() | reading.ReturnObject() | reading.ReturnItems():
                self.end()
                self.returned = True
            case _:
                pass
