"""Each invariant of operations, broken once; and damage anywhere, which is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

import pytest

from messagegen.lower import lower, lower_functions
from messagegen.lower.check import LoweringError, check_module
from messagegen.lower.check.reading import reading_problems
from messagegen.lower.check.writing import writing_problems
from messagegen.lower.ops import Block, Op, map_blocks, reading, walk, writing
from messagegen.plan.ops import MessagePlan
from tests.lower.test_text import CASES
from tests.support.specs import OWN, PURPOSE_MADE, plans

PLANS: Final = {**CASES, **plans(PURPOSE_MADE)}

NEEDED: Final = (
    reading.SetDefault,
    reading.ReadRun,
    reading.LookAtLength,
    reading.ReadLength,
    reading.ReadSized,
    reading.ReadNumbers,
    reading.ReadVarint,
    reading.ReadArray,
    reading.CallDecoder,
    reading.ReadMark,
    reading.ReadVarintMark,
    reading.ReadOrNull,
    reading.NoTags,
    reading.TagSection,
    reading.ReadTag,
    reading.ReadTags,
    reading.UnlessCounted,
    reading.ReadCount,
    reading.ReadCompactCount,
    reading.SetRow,
    reading.ForCount,
    writing.Guard,
    writing.PackRun,
    writing.SetValue,
    writing.SetText,
    writing.Measure,
    writing.IfNone,
    writing.IfShort,
    writing.CallWriter,
    writing.CallEncoder,
    writing.CallArrayEncoder,
    writing.ForItems,
    writing.WriteTags,
    writing.WriteTag,
    writing.WriteUnknownTags,
    writing.RefuseTags,
)
"""The operations that no function can lack: without one, something is not read, not written, or of no use."""
ONCE: Final = tuple(
    one
    for one in NEEDED
    if one
    not in (
        # Twice, these do the same again.
        reading.LookAtLength,
        reading.ReadLength,
        reading.ReadMark,
        reading.ReadVarintMark,
        reading.UnlessCounted,
        reading.ReadCount,
        reading.ReadCompactCount,
        writing.Measure,
        writing.IfShort,
        writing.WriteUnknownTags,
        writing.RefuseTags,
    )
)
"""The operations that must not stand twice."""


@pytest.mark.parametrize("plan", [*PLANS.values(), *plans(OWN).values()], ids=lambda plan: str(plan.name))
def test_what_is_lowered_is_whole(plan: MessagePlan) -> None:
    check_module(plan, lower(plan))


def edited(block: Block, kind: type[Op], number: int, change: Callable[[Op], Block]) -> Block:
    """The block with others in place of one of its operations of a kind."""
    numbers = iter(range(len(list(walk(block)))))

    def places(ops: Block) -> Block:
        return tuple(
            new for op in ops for new in (change(op) if isinstance(op, kind) and next(numbers) == number else (op,))
        )

    return map_blocks(block, places)


def damaged(
    plan: MessagePlan, kinds: tuple[type[Op], ...], change: Callable[[Op], Block]
) -> Iterator[tuple[str, bool]]:
    """For every operation of these kinds in the message's functions, how it reads, and whether its change is found."""
    for function in lower_functions(plan):
        problems = reading_problems if function.kind.startswith("decode") else writing_problems
        for kind in kinds:
            for number in range(sum(isinstance(op, kind) for op in walk(function.body))):
                changed = replace(function, body=edited(function.body, kind, number, change))
                found_ = any(problems(plan, plan.layouts[function.layout], changed))
                yield f"{kind.__name__} {number} of {function.name}", found_


@pytest.mark.parametrize("name", PLANS)
class TestDamage:
    def test_what_is_left_out_is_missed(self, name: str) -> None:
        cases = dict(damaged(PLANS[name], NEEDED, lambda _: ()))
        assert cases
        assert [case for case, found in cases.items() if not found] == []

    def test_what_stands_twice_is_refused(self, name: str) -> None:
        cases = dict(damaged(PLANS[name], ONCE, lambda op: (op, op)))
        assert [case for case, found in cases.items() if not found] == []


class TestModules:
    plan = CASES["tags_and_null"]
    module = lower(plan)

    @pytest.mark.parametrize("constant", [one.name for one in module.constants if "_i" in one.name])
    def test_constants_that_are_used_are_defined(self, constant: str) -> None:
        left = tuple(one for one in self.module.constants if one.name != constant)
        self.refused(f"{constant} is not defined", constants=left)

    # The codec is used by the template of modules, not by a function.
    @pytest.mark.parametrize(
        "number", [n for n, one in enumerate(module.runtime_imports) if not one.module.endswith("codecs")]
    )
    def test_names_that_are_used_are_imported(self, number: int) -> None:
        imports = self.module.runtime_imports
        self.refused(
            f"{imports[number].names[-1][1]} is not defined",
            runtime_imports=(*imports[:number], *imports[number + 1 :]),
        )

    def test_functions_that_are_called_are_defined(self) -> None:
        for number, function in enumerate(self.module.functions):
            left = (*self.module.functions[:number], *self.module.functions[number + 1 :])
            self.refused(f"{function.name} is not defined", functions=left)

    def test_functions_have_names_of_their_own(self) -> None:
        self.refused("two functions have one name", functions=self.module.functions * 2)

    def refused(self, words: str, **changes: Any) -> None:
        with pytest.raises(LoweringError, match=words):
            check_module(self.plan, replace(self.module, **changes))
