"""Draws the chart of a run: decoders beside ``from_avro``, and log readers by codec."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from benchmarks.measures import Measures, ratio
from benchmarks.spark.data import ALL_ROWS
from benchmarks.spark.logs import AIOKAFKA, CODECS, FIVE_COLUMNS, LOGS
from benchmarks.spark.workloads import (
    DECODE,
    DECODE_MESSAGES,
    FROM_AVRO,
    FUNCTION,
    FUNCTIONS,
    LOG_MESSAGE,
    LOGS_OF_MESSAGES,
    REFERENCES,
)

_STYLE: Final = {"svg.hashsalt": "messagegen", "svg.fonttype": "none", "font.size": 9, "font.family": "sans-serif"}
_SIZES: Final = [rows.size for rows in ALL_ROWS]
_DECODERS: Final = {
    "function in the JVM, Parquet files": (FUNCTIONS, FUNCTION, "#0b3d73"),
    "decode_messages in workers, Parquet files": (DECODE, DECODE_MESSAGES, "#7fb2e5"),
    "kafka-log with message=, log files": (LOGS_OF_MESSAGES, LOG_MESSAGE, "#2a6fbb"),
}
"""Part, contestant and colour of each bar."""
_READERS: Final = {FIVE_COLUMNS: "#0b3d73", AIOKAFKA: "#7a5195"}


def draw(found: Measures, file: Path) -> None:
    """Write the chart as SVG, without bars for missing measures."""
    matplotlib = import_module("matplotlib")
    matplotlib.use("svg")
    pyplot = import_module("matplotlib.pyplot")
    with matplotlib.rc_context(_STYLE):
        figure, (decode, logs) = pyplot.subplots(2, 1, figsize=(10, 7), layout="constrained")
        speeds = {
            name: [ratio(found.find(part, size, ours), found.find(part, size, REFERENCES[part])) for size in _SIZES]
            for name, (part, ours, _) in _DECODERS.items()
        }
        _bars(decode, _SIZES, speeds, {name: colour for name, (_, _, colour) in _DECODERS.items()})
        decode.axhline(1, label=FROM_AVRO, color="#c0392b", linewidth=1.5)
        decode.set_ylabel("rows/s, times from_avro")
        decode.set_title("Spark: bytes to typed columns", loc="left", fontweight="bold")
        rates = {name: [_millions(found, codec, name) for codec in CODECS] for name in _READERS}
        _bars(logs, CODECS, rates, _READERS)
        logs.set_ylabel("million records/s")
        logs.set_title("One core: log segments to Arrow columns", loc="left", fontweight="bold")
        for panel in (decode, logs):
            panel.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
            panel.spines[["top", "right"]].set_visible(False)
            panel.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
        file.parent.mkdir(parents=True, exist_ok=True)
        # Omit the date, so that the same numbers produce the same picture.
        figure.savefig(file, format="svg", metadata={"Date": None})
        pyplot.close(figure)


def _millions(found: Measures, codec: str, name: str) -> float | None:
    measure = found.find(LOGS, codec, name)
    return None if measure is None else measure.rate / 1e6


def _bars(
    panel: Any, groups: Sequence[str], values: Mapping[str, list[float | None]], colours: Mapping[str, str]
) -> None:
    """Draw groups of bars."""
    width = 0.8 / len(values)
    for place, (name, heights) in enumerate(values.items()):
        offset = (place - (len(values) - 1) / 2) * width
        shown = [(x + offset, height) for x, height in enumerate(heights) if height is not None]
        panel.bar([x for x, _ in shown], [height for _, height in shown], width, label=name, color=colours[name])
    panel.set_xticks(range(len(groups)), groups)
