"""The benchmarks of the pipeline ask what they say they ask: a run on few rows, with every contestant that is installed."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Self

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.generation import fetch_specs
from benchmarks.measures import Measure, Measures
from benchmarks.spark import inputs, logs, measuring, names
from benchmarks.spark.chart import draw
from benchmarks.spark.inputs import ROWS, SMALL, avro_type
from benchmarks.spark.sessions import Key, Peaks, Session, Turn
from tests.arrow.support.log_data import many_batches, write_segment
from tests.spark.support import java

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]


def test_avro_declares_null_where_there_is_one() -> None:
    type_ = pa.struct([("id", pa.int16()), ("names", pa.list_(pa.string())), ("rack", pa.string())])
    rows = pa.array([{"id": 1, "names": ["a"], "rack": None}, {"id": 2, "names": [], "rack": "r"}], type_)
    assert avro_type(rows, "Row", unions=False) == {
        "type": "record",
        "name": "Row",
        "fields": [
            {"name": "id", "type": "int"},
            {"name": "names", "type": {"type": "array", "items": "string"}},
            {"name": "rack", "type": ["null", "string"]},
        ],
    }
    assert avro_type(pa.array([1], pa.int32()), "Id", unions=True) == ["null", "int"]


def test_log_readers_agree_on_what_they_read(tmp_path: Path) -> None:
    segment = tmp_path / f"{0:020}.log"
    segment.write_bytes(b"".join(many_batches(0, 50, size=200)))
    assert {read(segment) for read in logs.OURS.values()} == {10_000}


class FakeSession:
    """A session that has one question a part, and writes down what it is asked."""

    asked: ClassVar[list[str]] = []

    def __init__(self, _folder: Path, cores: int) -> None:
        self.name = f"{cores} cores"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.asked.append(f"{self.name} end")

    def prepare(self) -> None:
        self.asked.append("prepare")

    def cases(self) -> dict[Key, int]:
        keys = [
            (names.DECODE, "small", names.OURS),
            (names.ENCODE, "small", names.TO_AVRO),
            *(each.once for each in names.SCALED.values()),
        ]
        return dict.fromkeys(keys, 100)

    def run(self, key: Key) -> Turn:
        self.asked.append(f"{self.name} {key[0]} {key[1]}")
        return Turn(len(self.asked), 1.0)

    def repeat(self, what: str, times: int) -> Turn:
        self.asked.append(f"{self.name} repeat {what} {times}")
        return Turn(len(self.asked), 1.0)

    def peaks(self, what: str, times: int) -> Peaks:
        self.asked.append(f"peaks {what} {times}")
        return Peaks(1000 + times, 2000)


def test_a_run_gives_what_it_has_after_each_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "Session", FakeSession)
    monkeypatch.setattr(measuring, "version", lambda _: "1")
    monkeypatch.setattr(inputs, "write_inputs", lambda *_: None)
    monkeypatch.setattr(logs, "write_logs", lambda *_: None)
    monkeypatch.setattr(FakeSession, "asked", [])
    parts = (names.ENCODE, names.SCALING, measuring.MEMORY)
    found = list(measuring.measure(tmp_path, tmp_path, parts, 2, 1.0, lambda _: None))
    assert [({each.part for each in step.measures}, len(step.memory)) for step in found] == [
        ({names.ENCODE}, 0),
        ({names.ENCODE}, 8),
        ({names.ENCODE, names.SCALING}, 8),
    ]
    # Every round asks both sessions in turn, and the first rounds do not count.
    scaled = [
        line for line in FakeSession.asked if line.partition("cores repeat ")[2] in ("kafka-log 1", "kafka-log 6")
    ]
    warm_up = ["1 cores repeat kafka-log 1", "2 cores repeat kafka-log 1"]
    measured = ["1 cores repeat kafka-log 6", "2 cores repeat kafka-log 6"]
    assert scaled == (warm_up * measuring.WARM_UP + measured * 2) * measuring.PAIRS
    assert FakeSession.asked[0] == "prepare"
    assert FakeSession.asked[-2:] == ["2 cores end", "1 cores end"]
    encode = found[0].find(names.ENCODE, "small", names.TO_AVRO)
    assert encode is not None
    first = measuring.WARM_UP + 2  # the session was prepared before
    assert (encode.amount, encode.best, encode.median) == (100, first, first + 0.5)


def test_parts_that_were_not_measured_are_empty_in_the_chart(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: the benchmarks bring it")
    scaled = Measure(names.SCALING, "kafka-log lz4", names.ONE_CORE, 100, 1.0, 1.0)
    draw(Measures(measures=(scaled,)), tmp_path / "chart.svg")
    assert names.FROM_AVRO in (tmp_path / "chart.svg").read_text(encoding="utf-8")


@pytest.mark.exhaustive
@pytest.mark.java
def test_a_small_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # As tests of Spark set it, and whoever shares a server.
    monkeypatch.setenv("SPARK_SUBMIT_OPTS", "-XX:+UseSerialGC")
    monkeypatch.setenv("JDK_JAVA_OPTIONS", java.ANY_COLLECTOR)
    specs = fetch_specs(tmp_path / "specs")
    inputs.write_inputs(specs, tmp_path, 0.002)
    for codec in names.CODECS:
        write_segment(logs.log_folder(tmp_path, codec), 0, many_batches(0, 5, codec=codec))
    (tmp_path / "logs" / "count").write_text("15", encoding="ascii")
    assert [inputs.row_count(rows.file(tmp_path, "kafka")) for rows in ROWS] == [2000, 1000]

    with Session(tmp_path, 1) as session:
        session.prepare()
        cases = session.cases()
        assert cases[names.DECODE, "small", names.FROM_AVRO] == 2000
        assert cases[names.KAFKA_LOG, "zstd", names.LOG_ALL] == 15
        taken = {key: session.run(key) for key in cases if key[2] != names.KAFKA_PYTHON and key[1] != "large"}
        assert all(turn.seconds > 0 for turn in taken.values())
        for scaled in names.SCALED.values():
            assert session.repeat(scaled.what, 2).seconds > 0
        peaks = session.peaks(names.KAFKA_LOG, 3)
        assert peaks.jvm > 100_000_000
        assert peaks.workers > 10_000_000
    assert [len(data) for data in _bodies(tmp_path, "avro")] != [len(data) for data in _bodies(tmp_path, "kafka")]


def _bodies(folder: Path, kind: str) -> list[bytes]:
    values: list[bytes] = pq.read_table(SMALL.file(folder, kind))["value"].to_pylist()
    return values
