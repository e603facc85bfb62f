"""Charts of advice as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from matplotlib.figure import Figure
from matplotlib.patches import Patch

from messagegen_arrow.advisor.advice import Advice, FieldAdvice
from messagegen_spark.pages.svg import chart_style, figure, svg

_BARS: Final = "#3d8bd9"
_ADVISED: Final = "#2a9d5c"
_LENGTHS: Final = (
    "#2a9d5c",
    "#7cb342",
    "#c0a72c",
    "#e08b2d",
    "#d9534f",
    "#c2468f",
    "#9355c4",
    "#6460c9",
    "#3d76c2",
    "#7d8794",
)
"""From one byte to ten; all stand out on white and on black."""

_MOST_FIELDS: Final = 20
_INCHES_A_BAR: Final = 0.34


def families_chart(advice: Advice) -> str:
    """Bytes a message with all integers as they are, in each form, and as advised."""
    families = [one for one in advice.families if advice.messages]
    sizes = [(one.integer_bytes if one.bytes is None else one.bytes) / advice.messages for one in families]
    colours = [_ADVISED if one.name == "advised" else _BARS for one in families]
    return _bars([one.name for one in families], sizes, colours, "bytes a message", "{:,.1f}")


def savings_chart(advice: Advice) -> str:
    """Bytes a message that each changed field saves, the largest first."""
    changes = advice.changes[:_MOST_FIELDS]
    names = [f"{one.name}  {one.recommended}" for one in changes]
    savings = [one.saving_per_message for one in changes]
    return _bars(names, savings, [_ADVISED] * len(changes), "bytes saved a message", "{:,.2f}")


def lengths_chart(advice: Advice, form: str) -> str:
    """How many of the values of each field have which length, as ``zig-zag`` or ``unsigned`` varints."""
    fields = _most_bytes(advice)
    with chart_style():
        made, axes = _figure(len(fields), extra=0.5)
        used: set[int] = set()
        for row, one in enumerate(fields):
            left = 0.0
            for bytes_, count in one.histograms[form].items():
                share = 100 * count / one.count
                axes.barh(row, share, left=left, color=_LENGTHS[bytes_ - 1], height=0.7)
                left += share
                used.add(bytes_)
        axes.set_yticks(range(len(fields)), [one.name for one in fields])
        axes.invert_yaxis()
        axes.set_xlabel("% of values, by bytes of the varint")
        axes.set_xlim(0, 100)
        handles = [Patch(color=_LENGTHS[bytes_ - 1], label=str(bytes_)) for bytes_ in sorted(used)]
        axes.legend(handles=handles, ncols=10, loc="lower left", bbox_to_anchor=(0, 1), frameon=False)
        return svg(made)


def _most_bytes(advice: Advice) -> Sequence[FieldAdvice]:
    known = [one for one in advice.fields if one.count and one.bytes_in]
    return sorted(known, key=lambda one: -one.bytes_now)[:_MOST_FIELDS]


def _bars(names: Sequence[str], values: Sequence[float], colours: Sequence[str], label: str, form: str) -> str:
    with chart_style():
        made, axes = _figure(len(names))
        bars = axes.barh(range(len(names)), values, color=colours, height=0.7)
        axes.set_yticks(range(len(names)), names)
        axes.invert_yaxis()
        axes.set_xlabel(label)
        axes.margins(x=0.15)
        axes.bar_label(bars, labels=[form.format(value) for value in values], padding=4)
        return svg(made)


def _figure(rows: int, extra: float = 0.0) -> tuple[Figure, Any]:
    return figure(9, 0.9 + extra + _INCHES_A_BAR * max(rows, 1))
