"""Plans of messages, read from the text in generated classes (``Message.CODEC.plan``).

The text is sent to workers, which need no generated modules.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from messagegen_kafka._runtime.plan import Codec, Field, Layout, Plan
from messagegen_kafka._runtime.plan import read_plan as read_text

__all__ = [
    "Codec",
    "Field",
    "Layout",
    "Plan",
    "nested_layouts",
    "read_plan",
    "read_text",
    "root_layouts",
    "without_abouts",
]


@lru_cache(maxsize=1024)
def read_plan(text: str) -> Plan:
    """Parse a plan; each text is only parsed once. Raises ``ValueError`` for a different format."""
    return read_text(text)


def root_layouts(plan: Plan, versions: Iterable[int]) -> tuple[Layout, ...]:
    """Return the distinct layouts of the message in these versions. Raises ``LookupError`` for an unknown version."""
    for version in versions:
        if version not in plan.roots:
            lowest, highest = plan.valid_versions[0], plan.valid_versions[-1]
            raise LookupError(f"{plan.name} has versions {lowest} to {highest}, not {version}")
    return tuple(dict.fromkeys(plan.roots[version] for version in versions))


def nested_layouts(layouts: Iterable[Layout], attribute: str) -> tuple[Layout, ...]:
    """Return the distinct layouts of a field's struct or its array's structs, in structs with these layouts."""
    codecs = (layout.codecs[attribute] for layout in layouts if attribute in layout.codecs)
    found = ((codec.element or codec).layout for codec in codecs)
    return tuple(dict.fromkeys(layout for layout in found if layout is not None))


def without_abouts(text: str) -> str:
    """Return the text of a plan without ``about`` lines, which workers do not need."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(" :about "))


def tagged_attributes(layout: Layout) -> frozenset[str]:
    """Return the fields that are tagged in a layout."""
    return frozenset(field.attribute for field, _ in layout.tagged.values())
