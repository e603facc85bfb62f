"""Charts of runs over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter
from matplotlib.ticker import EngFormatter, MaxNLocator

from messagegen_spark.pages.svg import chart_style, figure, svg
from messagegen_spark.report.queries import Series

COLOURS: Final = ("#3d8bd9", "#e08b2d", "#2a9d5c", "#c2468f", "#c0a72c", "#9355c4", "#d9534f", "#7d8794")
"""All stand out on white and on black."""
_INCHES: Final = (6.4, 3.3)
_FONT_SIZE: Final = 13
"""Large for the chart's size: on a phone it is as wide as the screen."""
_NAME: Final = 28
# Matplotlib has no types for them.
_LOCATOR: Final[Any] = AutoDateLocator
_FORMATTER: Final[Any] = ConciseDateFormatter


def lines_chart(times: npt.NDArray[np.datetime64], series: Sequence[Series], label: str) -> str:
    """A line for each series, that stays level between commits."""
    return _chart(times, series, label, is_filled=len(series) == 1)


def stacked_chart(times: npt.NDArray[np.datetime64], series: Sequence[Series], label: str) -> str:
    """The series on top of each other, as areas with steps."""
    with chart_style(_FONT_SIZE):
        made, axes = figure(*_INCHES)
        bottom = np.zeros(len(times))
        for colour, one in zip(COLOURS, series, strict=False):
            top = bottom + np.nan_to_num(one.values)
            axes.fill_between(times, bottom, top, step="post", color=colour, label=_short(one.name), linewidth=0)
            bottom = top
        _finish(axes, label)
        return svg(made)


def _chart(times: npt.NDArray[np.datetime64], series: Sequence[Series], label: str, *, is_filled: bool) -> str:
    with chart_style(_FONT_SIZE):
        made, axes = figure(*_INCHES)
        for colour, one in zip(COLOURS, series, strict=False):
            axes.step(times, one.values, where="post", color=colour, label=_short(one.name), linewidth=2)
            if is_filled:
                axes.fill_between(times, 0, one.values, step="post", color=colour, alpha=0.2, linewidth=0)
        _finish(axes, label)
        return svg(made)


def _finish(axes: Any, label: str) -> None:
    locator = _LOCATOR(minticks=3, maxticks=6)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(_FORMATTER(locator))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))
    axes.yaxis.set_major_formatter(EngFormatter(sep=""))
    axes.set_ylim(bottom=0)
    axes.margins(x=0)
    axes.set_ylabel(label)
    axes.grid(axis="y", alpha=0.25)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, handlelength=1, borderaxespad=0.2)


def _short(name: str) -> str:
    # A name that begins with an underscore would be left out of the legend.
    shown = f" {name}" if name.startswith("_") else name
    return shown if len(shown) <= _NAME else f"{shown[: _NAME - 1]}…"
