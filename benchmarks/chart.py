"""The chart of a run: how many times as fast as kafka-python everybody is."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any, Final

from benchmarks.processes import AIOKAFKA, JAVA, KAFKA_PYTHON, KIO, NATIVE, OPERATIONS, PURE, Operation
from benchmarks.results import Results, ratios
from benchmarks.workloads import WORKLOADS

_COLOURS: Final = {
    PURE: "#2a6fbb",
    NATIVE: "#0b3d73",
    KIO: "#d98c21",
    KAFKA_PYTHON: "#555555",
    AIOKAFKA: "#7a5195",
    JAVA: "#4d9a51",
}
_STYLE: Final = {"svg.hashsalt": "messagegen", "svg.fonttype": "none", "font.size": 9, "font.family": "sans-serif"}


def draw(results: Results, file: Path) -> None:
    """Writes the chart as SVG: one panel an operation, one group of bars a workload, a logarithmic scale."""
    matplotlib = import_module("matplotlib")
    matplotlib.use("svg")
    pyplot = import_module("matplotlib.pyplot")
    with matplotlib.rc_context(_STYLE):
        figure, panels = pyplot.subplots(len(OPERATIONS), 1, figsize=(10, 7), layout="constrained")
        for panel, operation in zip(panels, OPERATIONS, strict=True):
            _panel(panel, results, operation)
        panels[0].legend(
            ncols=len(results.contestants()), loc="lower center", bbox_to_anchor=(0.5, 1.08), frameon=False
        )
        file.parent.mkdir(parents=True, exist_ok=True)
        # Without a date the same numbers give the same picture.
        figure.savefig(file, format="svg", metadata={"Date": None})
        pyplot.close(figure)


def _panel(panel: Any, results: Results, operation: Operation) -> None:
    contestants = [contestant for contestant in results.contestants() if contestant != KAFKA_PYTHON]
    reference = results.best(operation, KAFKA_PYTHON)
    width = 0.8 / len(contestants)
    for place, contestant in enumerate(contestants):
        speeds = ratios(reference, results.best(operation, contestant))
        offset = (place - (len(contestants) - 1) / 2) * width
        xs = [x + offset for x, workload in enumerate(WORKLOADS) if workload.name in speeds]
        heights = [speeds[workload.name] for workload in WORKLOADS if workload.name in speeds]
        # Bars start at 1, kafka-python's speed: what is slower hangs below it.
        panel.bar(xs, [h - 1 for h in heights], width, bottom=1, label=contestant, color=_COLOURS[contestant])
    panel.axhline(1, label=KAFKA_PYTHON, color=_COLOURS[KAFKA_PYTHON], linewidth=1.5)
    panel.set_yscale("log")
    panel.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    panel.set_ylabel("times as fast as kafka-python")
    panel.set_title(operation, loc="left", fontweight="bold")
    panel.set_xticks(range(len(WORKLOADS)), [workload.name for workload in WORKLOADS])
    panel.spines[["top", "right"]].set_visible(False)
