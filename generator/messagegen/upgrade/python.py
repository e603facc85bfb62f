"""What changed in the classes that are generated for a message."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from messagegen.evolve.changes import Action
from messagegen.evolve.sides import Field, MessagePair, Side
from messagegen.upgrade.report import ApiChange


@dataclass(slots=True)
class _Class:
    """A class of the old side: what it is called now, and what its attributes are called."""

    now: str
    attributes: dict[str, str] = field(default_factory=dict[str, str])


def api_changes(pair: MessagePair) -> tuple[ApiChange, ...]:
    """The classes and attributes that are new, gone, renamed or of another type."""
    return tuple(dict.fromkeys(_api_changes(pair)))


def _api_changes(pair: MessagePair) -> Iterator[ApiChange]:
    old, new = _classes(pair.old), _classes(pair.new)
    kept: dict[str, _Class] = {}
    for struct in pair.structs:
        of_class = kept.setdefault(struct.old.class_name, _Class(struct.new.class_name))
        for both in struct.fields:
            of_class.attributes.setdefault(both.old.plan.attribute, both.new.plan.attribute)
    for name in old:
        if name in new:
            kept.setdefault(name, _Class(name))
    names = {one.now for one in kept.values()}
    yield from (ApiChange("added", None, f"class {name}") for name in new if name not in names)
    yield from (ApiChange("removed", f"class {name}", None) for name in old if name not in kept)
    renamed = {name: one.now for name, one in kept.items()}
    for before, one in kept.items():
        if before != one.now:
            yield ApiChange("renamed", f"class {before}", f"class {one.now}")
        yield from _attribute_changes(before, one, old[before], new[one.now], renamed)


def _attribute_changes(
    before: str, one: _Class, old: Mapping[str, Field], new: Mapping[str, Field], renamed: Mapping[str, str]
) -> Iterator[ApiChange]:
    # Attributes whose fields no version has on both sides are known by their name.
    pairs = {name: name for name in old if name in new and name not in one.attributes.values()} | one.attributes
    for name, was in old.items():
        text, after = f"{before}.{name}: {was.annotation()}", pairs.get(name)
        if after is None:
            yield ApiChange("removed", text, None)
            continue
        expected = re.sub(r"\w+", lambda match: renamed.get(match[0], match[0]), was.annotation())
        if (name, expected) != (after, new[after].annotation()):
            action: Action = "changed" if (before, name) == (one.now, after) else "renamed"
            yield ApiChange(action, text, f"{one.now}.{after}: {new[after].annotation()}")
    for name, now in new.items():
        if name not in pairs.values():
            yield ApiChange("added", None, f"{one.now}.{name}: {now.annotation()}")


def _classes(side: Side) -> dict[str, dict[str, Field]]:
    """The classes of a message, itself first, with the fields that are their attributes."""
    return {one.class_name: {field.plan.attribute: field for field in one.fields} for one in side.structs}
