"""What changed in the classes that are generated for a message."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from messagegen.emit.classes import annotation
from messagegen.evolve.sides import MessagePair, Side
from messagegen.upgrade.report import ApiChange

_Attributes = Mapping[str, str]
"""The types of a class's attributes."""

_PRIVATE: Final = re.compile(r"\b_(?:builtins\.)?(?=[A-Za-z])")
"""The names under which a module imports types."""


def added_classes(side: Side) -> tuple[ApiChange, ...]:
    """The classes of a message that is new."""
    return tuple(ApiChange(None, f"class {name}") for name in _classes(side))


def removed_classes(side: Side) -> tuple[ApiChange, ...]:
    """The classes of a message that is gone."""
    return tuple(ApiChange(f"class {name}", None) for name in _classes(side))


def api_changes(pair: MessagePair) -> tuple[ApiChange, ...]:
    """The classes and attributes that are new, gone, renamed or of another type."""
    return tuple(dict.fromkeys(_api_changes(pair)))


def _api_changes(pair: MessagePair) -> Iterator[ApiChange]:
    old, new = _classes(pair.old), _classes(pair.new)
    renamed: dict[str, str] = {}
    attributes: dict[str, dict[str, str]] = {}
    for struct in pair.structs:
        renamed.setdefault(struct.old_class, struct.new_class)
        of_class = attributes.setdefault(struct.old_class, {})
        for field in struct.fields:
            of_class.setdefault(field.old.plan.attribute, field.new.plan.attribute)
    for name in old:
        if name in new:
            renamed.setdefault(name, name)
    kept = set(renamed.values())
    yield from (ApiChange(None, f"class {name}") for name in new if name not in kept)
    yield from (ApiChange(f"class {name}", None) for name in old if name not in renamed)
    for before, after in renamed.items():
        if before != after:
            yield ApiChange(f"class {before}", f"class {after}")
        yield from _attribute_changes((before, old[before]), (after, new[after]), attributes.get(before, {}), renamed)


def _attribute_changes(
    old: tuple[str, _Attributes], new: tuple[str, _Attributes], pairs: Mapping[str, str], classes: Mapping[str, str]
) -> Iterator[ApiChange]:
    """``pairs`` are the old attributes with what became of them, ``classes`` the same for classes."""
    # Attributes whose fields no version has on both sides are known by their name.
    pairs = {name: name for name in old[1] if name in new[1] and name not in pairs.values()} | dict(pairs)
    for before, type_ in old[1].items():
        text = f"{old[0]}.{before}: {type_}"
        after = pairs.get(before)
        if after is None:
            yield ApiChange(text, None)
            continue
        expected = re.sub(r"\w+", lambda match: classes.get(match[0], match[0]), type_)
        if (before, expected) != (after, new[1][after]):
            yield ApiChange(text, f"{new[0]}.{after}: {new[1][after]}")
    for after, type_ in new[1].items():
        if after not in pairs.values():
            yield ApiChange(None, f"{new[0]}.{after}: {type_}")


def _classes(side: Side) -> dict[str, dict[str, str]]:
    """The classes of a message, itself first, with the types of their attributes."""
    assert side.plan is not None
    return {
        one.class_name: {field.attribute: _PRIVATE.sub("", annotation(one, field)) for field in one.fields}
        for one in side.plan.structs
    }
