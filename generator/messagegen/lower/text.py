"""The text form of operations, for golden files and people; one operation per line.

decode one _decode_Part_v0                a function: its kind, its name, and ``keeps_views`` if it takes that buffer
  new object Part first                   an operation: its kind, then its fields: texts, ``name=number``, names of true flags
  read or null word condition="not b[p]"  fields after the first are named
    call decoder word _decode_Word_v0     a block is indented below
  if short limit=127
    short:                                several blocks, each below its name
      put length B value="n + 1"
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import cast

from messagegen.lower.ops import Expression, Format, Function, Length, Op
from messagegen.names import snake_case


def functions_text(functions: Iterable[Function]) -> str:
    """The text form of functions, separated by blank lines; equal functions give equal text."""
    return "\n".join("".join(f"{line}\n" for line in _function(function)) for function in functions)


def _function(function: Function) -> Iterator[str]:
    yield f"{function.kind} {function.name}{' keeps_views' * function.keeps_views}"
    for op in function.body:
        yield from _op(op, "  ")


def _op(op: Op, indent: str) -> Iterator[str]:
    kind = snake_case(type(op).__name__).replace("_", " ")
    names = (field.name for field in fields(op) if field.name not in op.holds)
    parts = [_value(name, getattr(op, name), first=not number) for number, name in enumerate(names)]
    yield " ".join([f"{indent}{kind}", *filter(None, parts)])
    blocks = [(name, block) for name, block in op.blocks() if block]
    indent += "  "
    for name, block in blocks:
        if len(op.holds) > 1:
            yield f"{indent}{name}:"
        for inner in block:
            yield from _op(inner, indent + "  " * (len(op.holds) > 1))


def _value(name: str, value: object, *, first: bool) -> str:
    match value:
        case bool():
            return name * value
        case None | "" | ():
            return ""
        case tuple():
            text = " ".join(map(str, cast("tuple[object, ...]", value)))
        case Expression():
            text = value.text
        case Format():
            text = value.name
        case Length():
            text = f"{value.letter}+{value.behind}"
        case _:
            text = str(value)
    if first:
        return text
    return f'{name}="{text}"' if " " in text else f"{name}={text}"
