"""The chart of a run: decoders beside ``from_avro``, and log readers by codec."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from benchmarks.measures import Measures, ratio
from benchmarks.spark.names import (
    AIOKAFKA,
    ALL_COLUMNS,
    ALL_SIZES,
    BROKER,
    CODECS,
    DECODE,
    FIVE_COLUMNS,
    FROM_AVRO,
    FUNCTION,
    FUNCTIONS,
    FUSED,
    FUSED_PART,
    KAFKA_PYTHON,
    KAFKA_PYTHON_RECORDS,
    LOGS,
    OURS,
    OURS_COLUMN,
    OURS_ONE_FIELD,
    OURS_PERMISSIVE,
    PYTHON_AVRO,
    SIZES,
    UNTOUCHED,
)

_STYLE: Final = {"svg.hashsalt": "messagegen", "svg.fonttype": "none", "font.size": 9, "font.family": "sans-serif"}
_DECODERS: Final = {
    UNTOUCHED: "#b0b0b0",
    OURS: "#0b3d73",
    OURS_PERMISSIVE: "#2a6fbb",
    OURS_ONE_FIELD: "#7fb2e5",
    OURS_COLUMN: "#4d9a51",
    KAFKA_PYTHON: "#555555",
}
_IN_THE_JVM: Final = {
    "function, Parquet files": (FUNCTIONS, FUNCTION, FROM_AVRO),
    "function, topics of a broker": (BROKER, FUNCTION, FROM_AVRO),
    "kafka-log with message=, log files": (FUSED_PART, FUSED, PYTHON_AVRO),
}
"""What decodes in the JVM: part, contestant, and what it is compared with."""
_PLACES: Final = dict(zip(_IN_THE_JVM, ("#0b3d73", "#7fb2e5", "#2a6fbb"), strict=True))
_READERS: Final = {
    FIVE_COLUMNS: "#0b3d73",
    ALL_COLUMNS: "#2a6fbb",
    AIOKAFKA: "#7a5195",
    KAFKA_PYTHON_RECORDS: "#555555",
}


def draw(found: Measures, file: Path) -> None:
    """Writes the chart as SVG; panels of parts that were not measured are empty."""
    matplotlib = import_module("matplotlib")
    matplotlib.use("svg")
    pyplot = import_module("matplotlib.pyplot")
    with matplotlib.rc_context(_STYLE):
        figure, (decode, in_the_jvm, logs) = pyplot.subplots(3, 1, figsize=(10, 11), layout="constrained")
        speeds = {
            name: [ratio(found.find(DECODE, size, name), found.find(DECODE, size, FROM_AVRO)) for size in SIZES]
            for name in _DECODERS
        }
        _bars(decode, [f"{size} rows" for size in SIZES], speeds, _DECODERS, bottom=1)
        decode.set_title("Spark: bytes to typed columns, decoded in Python", loc="left", fontweight="bold")
        speeds = {
            name: [ratio(found.find(part, data, ours), found.find(part, data, rival)) for data in ALL_SIZES]
            for name, (part, ours, rival) in _IN_THE_JVM.items()
        }
        _bars(in_the_jvm, ALL_SIZES, speeds, _PLACES)
        in_the_jvm.set_title("Spark: bytes to typed columns, decoded in the JVM", loc="left", fontweight="bold")
        for panel in (decode, in_the_jvm):
            panel.axhline(1, label=FROM_AVRO, color="#c0392b", linewidth=1.5)
            panel.set_ylabel(f"rows/s, times {FROM_AVRO}")
        rates = {name: [_millions(found, codec, name) for codec in CODECS] for name in _READERS}
        _bars(logs, CODECS, rates, _READERS)
        logs.set_ylabel("million records/s")
        logs.set_title("One core: log segments to Arrow columns", loc="left", fontweight="bold")
        for panel in (decode, logs):
            if panel.patches:  # a logarithmic scale of nothing can't be drawn
                panel.set_yscale("log")
        for panel in (decode, in_the_jvm, logs):
            panel.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
            panel.spines[["top", "right"]].set_visible(False)
            panel.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
        file.parent.mkdir(parents=True, exist_ok=True)
        # Without a date the same numbers give the same picture.
        figure.savefig(file, format="svg", metadata={"Date": None})
        pyplot.close(figure)


def _millions(found: Measures, codec: str, name: str) -> float | None:
    measure = found.find(LOGS, codec, name)
    return None if measure is None else measure.rate / 1e6


def _bars(
    panel: Any,
    groups: Sequence[str],
    values: Mapping[str, list[float | None]],
    colours: Mapping[str, str],
    bottom: float = 0,
) -> None:
    """Groups of bars; those of what was not measured are missing. Bars start at ``bottom`` and may hang below it."""
    width = 0.8 / len(values)
    for place, (name, heights) in enumerate(values.items()):
        offset = (place - (len(values) - 1) / 2) * width
        shown = [(x + offset, height) for x, height in enumerate(heights) if height is not None]
        xs, tops = [x for x, _ in shown], [height - bottom for _, height in shown]
        panel.bar(xs, tops, width, bottom=bottom, label=name, color=colours[name])
    panel.set_xticks(range(len(groups)), groups)
