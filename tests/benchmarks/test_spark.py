"""The benchmarks of the pipeline: a run with few rows executes each query of the workload table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.generation import fetch_specs
from benchmarks.measures import Measure, Measures
from benchmarks.spark import logs, workloads
from benchmarks.spark.chart import draw
from benchmarks.spark.data import ALL_ROWS, READ_TIMES, avro_record, write_avro_form, write_inputs
from benchmarks.spark.runner import Turn, ask, questions, start, warm_up
from tests.arrow.support.log_data import many_batches, write_segment
from tests.spark.support import java

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]


def test_avro_declares_null_only_for_columns_with_nulls() -> None:
    type_ = pa.struct([("id", pa.int16()), ("names", pa.list_(pa.string())), ("rack", pa.string())])
    rows = pa.array([{"id": 1, "names": ["a"], "rack": None}, {"id": 2, "names": [], "rack": "r"}], type_)
    assert avro_record(rows, "Row") == {
        "type": "record",
        "name": "Row",
        "fields": [
            {"name": "id", "type": "int"},
            {"name": "names", "type": {"type": "array", "items": "string"}},
            {"name": "rack", "type": ["null", "string"]},
        ],
    }


def test_fields_of_a_nullable_struct_are_not_nullable_in_avro() -> None:
    rows = pa.array([{"row": {"id": 1}}, {"row": None}], pa.struct([("row", pa.struct([("id", pa.int64())]))]))
    record = {"type": "record", "name": "Change_row", "fields": [{"name": "id", "type": "long"}]}
    assert avro_record(rows, "Change")["fields"] == [{"name": "row", "type": ["null", record]}]


def test_slow_contestants_warm_up_for_fewer_rounds() -> None:
    ran: list[str] = []

    def contestant(name: str, seconds: float) -> Callable[[], Turn]:
        def run() -> Turn:
            ran.append(name)
            return Turn(seconds, seconds)

        return run

    slow, quick = ("part", "data", "slow"), ("part", "data", "quick")
    warm_up({slow: contestant("slow", 3.0), quick: contestant("quick", 0.1)})
    assert ran == ["slow", "quick"] * 3 + ["quick"] * 5


def test_the_log_benchmark_reads_all_records(tmp_path: Path) -> None:
    segment = tmp_path / f"{0:020}.log"
    segment.write_bytes(b"".join(many_batches(0, 50, size=200)))
    assert logs.five_columns(segment) == 10_000


def test_the_chart_omits_parts_that_were_not_measured(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: the benchmarks bring it")
    measure = Measure(logs.LOGS, "lz4", logs.FIVE_COLUMNS, 100, 1.0, 1.0)
    draw(Measures(measures=(measure,)), tmp_path / "chart.svg")
    assert logs.AIOKAFKA in (tmp_path / "chart.svg").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.java
def test_a_small_run_executes_every_query_of_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_SUBMIT_OPTS", java.ANY_COLLECTOR)
    write_inputs(fetch_specs(tmp_path / "specs"), tmp_path, 0.001)
    for codec in logs.CODECS:
        write_segment(logs.log_folder(tmp_path, codec), 0, many_batches(0, 5, codec=codec))
    assert [rows.rows_read(tmp_path) for rows in ALL_ROWS] == [rows.fewest * READ_TIMES for rows in ALL_ROWS]

    spark = start()
    try:
        inputs = workloads.Inputs(spark, tmp_path)
        for rows in ALL_ROWS:
            write_avro_form(spark, rows, tmp_path)
        inputs.add_functions()
        asked = {part: questions(inputs, part) for part in workloads.PARTS}
        for part in workloads.PARTS:
            for rows, frame in asked[part].values():
                assert frame().count() == rows.rows_read(tmp_path)
            assert ask(inputs, *next(iter(asked[part].values()))).seconds > 0
    finally:
        spark.stop()
    assert sum(map(len, asked.values())) == sum(len(workload.sizes()) for workload in workloads.WORKLOADS)
    small = ALL_ROWS[0]
    forms = [pq.read_table(small.file(tmp_path, kind))["value"].to_pylist() for kind in ("kafka", "avro")]
    assert [len(data) for data in forms[0]] != [len(data) for data in forms[1]]
