"""Hypothesis strategies: messages in a version, from the generated strategies, and damaged bytes."""

from __future__ import annotations

import sys
from functools import cache, lru_cache
from types import ModuleType
from typing import Any, Final

from hypothesis import strategies as st

from messagegen import edges
from messagegen.outputs.strategies import strategies_text
from tests.support.specs import Subject

Values = st.SearchStrategy[Any]

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
"""Lengths and counts larger than any buffer, nulls, and varints that are too long, too large or longer than needed."""


def integers(bits: int, *, signed: bool = True) -> st.SearchStrategy[int]:
    """Return a strategy for integers of ``bits`` bits, often at a boundary."""
    lowest, highest = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    return st.one_of(st.sampled_from(edges.integers(lowest, highest)), st.integers(lowest, highest))


@cache
def strategies_of(package: str) -> Any:
    """Return the generated strategies module for a loaded package."""
    module = ModuleType(f"{package}.strategies")
    sys.modules[module.__name__] = module
    exec(compile(strategies_text(package), module.__name__, "exec"), vars(module))
    return module


def messages(subject: Subject, *, unknown_tags: bool = True, stand_ins: bool = False) -> Values:
    """Return a strategy for all messages that the version can represent, except NaN, which does not equal itself."""
    return _messages(subject.cls, subject.version, unknown_tags=unknown_tags, stand_ins=stand_ins)


# Hypothesis checks a strategy on its first use, so creating a strategy for each example is slow.
@lru_cache(maxsize=2048)
def _messages(cls: Any, version: int, *, unknown_tags: bool, stand_ins: bool) -> Values:
    module = strategies_of(cls.__module__.rpartition(".")[0])
    drawn: Values = module.messages(cls, version=version, unknown_tags=unknown_tags, stand_ins=stand_ins)
    return drawn


@st.composite
def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    """Return ``data`` with a few bytes cut off, changed, removed or inserted."""
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
