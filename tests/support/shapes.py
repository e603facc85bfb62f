"""The shapes of layouts: layouts of equal shape are read in the same way and cost the same, with any field names."""

from __future__ import annotations

from typing import Any


def shape_of_codec(codec: Any) -> Any:
    """The shape of a codec."""
    if codec.element is not None:
        return "array", codec.compact, codec.null, shape_of_codec(codec.element)
    if codec.layout is None:
        return codec.kind, codec.bits, codec.compact, codec.null
    return "struct", codec.null, *shape_of_layout(codec.layout)


def shape_of_layout(layout: Any) -> Any:
    """The shape of a layout."""
    tagged = tuple((tag, shape_of_codec(inner)) for tag, (_, inner) in layout.tagged.items())
    steps = tuple(shape_of_codec(inner) for _, inner in layout.steps)
    return layout.cost, layout.flexible, steps, tagged
