"""The documentation of a class at run time, for ``help``: its fields with types, defaults, versions and texts.

Loaded on first use.
"""

from __future__ import annotations

import sys
import textwrap
from inspect import cleandoc

from .plan import read_plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from .plan import Layout, Plan, StructPlan

_WIDTH = 100
_TAGS = "unknown_tagged_fields"


def document(cls: type[Any], summary: str) -> str:
    """The docstring of a class, and its fields. ``summary`` is the docstring in its module."""
    names = [name for name in cls.__defaults__ if name != _TAGS]
    if not names:
        return summary
    return "\n".join([cleandoc(summary), "", "Fields:", *_fields(cls, names)])


def _fields(cls: type[Any], names: list[str]) -> Iterator[str]:
    text = getattr(sys.modules.get(cls.__module__), "_PLAN", None)
    plan = read_plan(text) if text else None
    struct = plan.structs.get(cls.__name__) if plan else None
    annotations = _annotations(cls)
    for name in names:
        yield f"    {name}: {annotations.get(name, '')} = {_shown(cls.__defaults__[name])}"
        if plan and struct and name in struct.fields:
            told = [struct.fields[name].about, *facts(plan, struct, name)]
            hidden = ["Sensitive: repr and errors don't show it."] if name in cls.SENSITIVE else []
            yield from _wrapped(" ".join(filter(None, [*told, *hidden])))


def _shown(default: object) -> str:
    """A default as it is written in code; a struct without its fields."""
    struct = type(default)
    return f"{struct.__name__}()" if hasattr(struct, "__defaults__") else repr(default)


def _wrapped(text: str) -> list[str]:
    margin = " " * 8
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=margin,
        subsequent_indent=margin,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _annotations(cls: type[Any]) -> dict[str, str]:
    """The types of fields as text, without the marks of names that the module has imported."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        own: dict[str, Any] = getattr(base, "__annotations__", {})
        found.update({name: str(text).replace("_builtins.", "").replace("_UUID", "UUID") for name, text in own.items()})
    return found


def facts(plan: Plan, struct: StructPlan, attribute: str) -> Iterator[str]:
    """Sentences about the versions that have a field, those in which it may be null, and its tag."""
    layouts = [layout for layout in plan.layouts if layout.struct is struct]
    present = [layout for layout in layouts if attribute in layout.codecs]
    if len(present) < len(layouts):
        yield f"In {_versions(plan, present)}."
    nullable = [layout for layout in present if layout.codecs[attribute].null]
    if nullable:
        yield "May be null." if len(nullable) == len(present) else f"May be null in {_versions(plan, nullable)}."
    tagged = [layout for layout in present if attribute in layout.optional]
    for layout in tagged[:1]:
        tag = next(tag for tag, (field, _) in layout.tagged.items() if field.attribute == attribute)
        yield f"Tag {tag}." if len(tagged) == len(present) else f"Tag {tag} in {_versions(plan, tagged)}."


def _versions(plan: Plan, layouts: list[Layout]) -> str:
    """Versions of layouts, such as ``versions 0-2, 5+``."""
    versions = sorted({version for layout in layouts for version in layout.versions})
    last = plan.valid_versions[-1]
    runs: list[list[int]] = []
    for version in versions:
        if runs and runs[-1][1] == version - 1:
            runs[-1][1] = version
        else:
            runs.append([version, version])
    texts = [_version_range(low, high, last) for low, high in runs]
    unit = "versions" if len(versions) > 1 else "version"
    return f"{unit} {', '.join(texts) or 'none'}"


def _version_range(low: int, high: int, last: int) -> str:
    if high == last:
        return f"{low}+"
    return f"{low}-{high}" if low < high else str(low)
