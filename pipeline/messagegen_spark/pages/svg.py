"""Charts as SVG that fits light and dark pages: what is no data has the colour of the text around it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import matplotlib as mpl
from matplotlib.figure import Figure

_TEXT: Final = "#010203"
"""Stands for the colour of the surrounding text until the SVG is done."""

_STYLE: Final[Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "messagegen",
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": _TEXT,
    # Names of groups are no formulas.
    "text.parse_math": False,
    "axes.labelcolor": _TEXT,
    "axes.edgecolor": _TEXT,
    "xtick.color": _TEXT,
    "ytick.color": _TEXT,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


@contextmanager
def chart_style(font_size: float = 10) -> Iterator[None]:
    """The style in which figures have to be made and turned into text."""
    with mpl.rc_context({**_STYLE, "font.size": font_size}):
        yield


def figure(width: float, height: float) -> tuple[Figure, Any]:
    """An empty figure without a background, and its axes; sizes are inches."""
    # No pyplot, which would keep figures and choose a window system.
    made = Figure(figsize=(width, height), layout="constrained")
    made.patch.set_alpha(0)
    axes = made.add_subplot()
    axes.patch.set_alpha(0)
    return made, axes


def svg(made: Figure) -> str:
    """The figure as text to put into a page."""
    out = io.StringIO()
    made.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    # Inside a page there is neither XML declaration nor document type.
    return text[text.index("<svg") :].replace(_TEXT, "currentColor")
