"""Decoding of chosen fields. Loaded on first use."""

from __future__ import annotations

from .base import DECODE_FAILURES, buffers
from .errors import is_a
from .structs import as_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .base import Codec, Message
    from .limits import Limits
    from .plans import Layout, Plan

    Tree = dict[str, "Tree | None"]

_TAGS = "unknown_tagged_fields"


def read(
    cls: type[Message],
    data: bytes | bytearray | memoryview,
    fields: Iterable[str],
    version: int,
    limits: Limits,
    zero_copy: bool,
) -> tuple[Any, int, int]:
    """A message with those fields, the offset after it, and the number of bytes of ``data``. Raises ``DecodeError``."""
    codec = cls.CODEC
    tree, chosen = _choose(codec, fields)
    buffer, source = buffers(data, zero_copy)
    engine = None if chosen is None else codec.engine
    message: Any = None
    end, refusal = 0, None
    try:
        if engine is None:
            message, end = codec.read(version, buffer, 0, source, limits)
        else:
            message, end = engine.decode_fields(version, buffer, 0, source, limits.packed, chosen)
        message = message if cls is codec.cls else as_class(cls, message)
    except DECODE_FAILURES as failure:
        refusal = failure.args
    # Outside of the except block, because the exception keeps all created objects alive.
    if refusal is not None:
        message, end = cls._refused(  # pyright: ignore[reportPrivateUsage] - of the same runtime
            refusal, buffer, 0, source, version, limits
        )
    if engine is None:
        _prune(message, codec.parsed_plan().roots[version], tree)
    return message, end, len(buffer)


def _choose(codec: Codec, fields: Iterable[str]) -> tuple[Tree, Any]:
    """The fields as a tree, and what the engine made of it. Raises ``ValueError`` for an unknown field."""
    if is_a(fields, str):
        raise TypeError(f"expected several paths of fields, got a str; write [{fields!r}]")
    paths = tuple(fields)
    found = codec.projections.get(paths)
    if found is None:
        tree = _tree(codec.parsed_plan(), paths)
        found = tree, None if codec.engine is None else codec.engine.projection(tree)
        codec.projections[paths] = found
    return found


def _tree(plan: Plan, paths: tuple[str, ...]) -> Tree:
    tree: Tree = {}
    for path in paths:
        _check(plan, path)
        *above, last = path.split(".")
        level: Tree | None = tree
        for part in above:
            level = level.setdefault(part, {}) if level is not None else None
        if level is not None:
            level[last] = None
    return tree


def _check(plan: Plan, path: str) -> None:
    owner = plan.root
    parts = path.split(".")
    for number, part in enumerate(parts):
        is_last = number == len(parts) - 1
        if part == _TAGS and is_last:
            return
        field = owner.fields.get(part)
        if field is None:
            names = ", ".join(owner.fields)
            raise ValueError(f"unknown field {path!r}: {owner.class_name} has no {part!r}; its fields are {names}")
        inner = plan.structs.get(field.type.lstrip("[]"))
        if inner is None:
            if not is_last:
                raise ValueError(f"unknown field {path!r}: {part!r} is not a struct and has no fields")
            return
        owner = inner


def _prune(value: Any, layout: Layout, tree: Tree) -> None:
    """Removes the values of fields that were not chosen. Structs of tagged fields stay whole, as in the engine."""
    for name in value.__defaults__:
        if name not in tree:
            object.__delattr__(value, name)
    for field, codec in layout.steps:
        below = tree.get(field.attribute)
        inner = codec.element.layout if codec.element else codec.layout
        if below is None or inner is None:
            continue
        held = getattr(value, field.attribute)
        if held is None:
            continue
        for one in held if codec.element else (held,):
            if one is not None:
                _prune(one, inner, below)
