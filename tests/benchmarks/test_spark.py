"""The benchmarks of the pipeline ask what they say they ask: a run on few rows, with every contestant that is
installed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.generation import fetch_specs
from benchmarks.measures import Measure, Measures
from benchmarks.spark import inputs, logs, names
from benchmarks.spark.chart import draw
from benchmarks.spark.inputs import ROWS, SMALL, avro_type
from benchmarks.spark.measuring import warm_up
from benchmarks.spark.sessions import Session, Turn
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


def test_fields_of_a_struct_that_is_null_are_not_null_in_avro() -> None:
    rows = pa.array([{"row": {"id": 1}}, {"row": None}], pa.struct([("row", pa.struct([("id", pa.int64())]))]))
    fields = avro_type(rows, "Change", unions=False)["fields"]
    record = {"type": "record", "name": "Change_row", "fields": [{"name": "id", "type": "long"}]}
    assert fields == [{"name": "row", "type": ["null", record]}]


def test_slow_contestants_warm_up_for_fewer_rounds() -> None:
    lines: list[str] = []
    ran: list[str] = []

    def contestant(name: str, seconds: float) -> Callable[[], Turn]:
        def run() -> Turn:
            ran.append(name)
            return Turn(seconds, seconds)

        return run

    warm_up({"slow": contestant("slow", 3.0), "quick": contestant("quick", 0.1)}, lines.append)
    assert ran == ["slow", "quick"] * 3 + ["quick"] * 5
    assert lines[0] == "warm-up 1 of 8: slow"
    assert lines[-1] == "warm-up 8 of 8: quick"


def test_log_readers_agree_on_what_they_read(tmp_path: Path) -> None:
    segment = tmp_path / f"{0:020}.log"
    segment.write_bytes(b"".join(many_batches(0, 50, size=200)))
    assert {read(segment) for read in logs.OURS.values()} == {10_000}


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
        read_again = 1000 * names.READ_TIMES
        assert [cases[names.FUSED_PART, size, names.FUSED] for size in names.SECOND_SIZES] == [read_again] * 2
        assert [cases[names.FUNCTIONS, size, names.FUNCTION] for size in names.SECOND_SIZES] == [read_again] * 2
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
