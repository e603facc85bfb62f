"""Delta's and Iceberg's connectors work, each with the newest PySpark that it supports.

This also tests the source and the functions with older versions of PySpark, and which changes of a spec tables
accept.
"""

from __future__ import annotations

import json
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

import pyspark

from tests.oracle.jars import maven_jars
from tests.spark.connectors.versions import DELTA, OLDEST
from tests.spark.support.java import OTHER_JARS
from tests.spark.support.round_trip import RECORDS

pytestmark = [pytest.mark.spark, pytest.mark.java, pytest.mark.slow, pytest.mark.xdist_group("connectors")]

ROOT: Final = Path(__file__).parents[3]


def ran(heading: str, python: Path, settings: dict[str, str], table: str, folder: Path) -> dict[str, Any]:
    """Run ``recipe`` with an interpreter's PySpark, and return its output."""
    name = heading.split()[1].lower()
    jars = maven_jars(f"spark-{name}", Path(__file__).with_name(f"{name}.pom.xml"))
    settings = {**settings, "spark.jars": ",".join(map(str, sorted(jars.glob("*.jar"))))}
    program = [python, "-m", "tests.spark.connectors.recipe", heading, json.dumps(settings), folder / "files", table]
    environment = {"PATH": "/usr/bin:/bin", "PYSPARK_PYTHON": str(python), "SPARK_LOCAL_IP": "127.0.0.1"}
    done = subprocess.run(
        [str(part) for part in program],
        cwd=folder,
        env=environment | {"SPARK_SUBMIT_OPTS": OTHER_JARS, "HOME": str(Path.home())},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    found: dict[str, Any] = json.loads(done.stdout)
    assert set(found["rows"].values()) == {RECORDS}, found["rows"]
    assert found["changes"] == 3
    return found


OLD: Final = {"count": 7, "rows": [{"id": 5, "name": "a"}]}
EVOLVED: Final = {
    "added": [
        {"count": 7, "rows": [{"id": 5, "name": "a", "size": None}], "unit": None},
        {"count": 8, "rows": [{"id": 6, "name": None, "size": 9}], "unit": "km"},
    ],
    "removed": [OLD, {"count": None, "rows": [{"id": 6, "name": "b"}]}],
    "wider": [OLD, {"count": 1 << 36, "rows": [{"id": 6, "name": "b"}]}],
    "wider without properties": "CAST_OVERFLOW",
}
"""The rows of a table after changes of a spec that all formats accept, as on the page about breaking changes."""


def test_a_delta_table_gets_all_rows_once(tmp_path: Path, python_with: Callable[[str], Path]) -> None:
    settings = {
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    }
    table = f"delta.`{tmp_path}/files/lake/orders`"
    found = ran("A Delta table", python_with(DELTA), settings, table, tmp_path)
    assert found["pyspark"] == DELTA
    assert found["offsets"] == list(range(16))
    renamed = [{**OLD, "total": None}, {"count": None, "rows": [{"id": 6, "name": "b"}], "total": 8}]
    # Delta reads the string as an integer.
    cast = [OLD, {"count": 8, "rows": [{"id": 6, "name": "b"}]}]
    assert found["evolved"] == {**EVOLVED, "renamed": renamed, "of another type": cast}


def test_an_iceberg_table_gets_all_rows_once(tmp_path: Path, python_with: Callable[[str], Path]) -> None:
    settings = {
        "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.lake.type": "hadoop",
        "spark.sql.catalog.lake.warehouse": str(tmp_path / "lake"),
    }
    found = ran("An Iceberg table", python_with(OLDEST), settings, "lake.kafka.orders", tmp_path)
    assert found["pyspark"] == OLDEST
    assert found["offsets"] == list(range(16))
    assert found["evolved"] == {
        **EVOLVED,
        "renamed": "out of order",
        "of another type": "Cannot change column type",
    }


def test_the_project_and_the_page_name_the_pyspark_versions_that_are_tested() -> None:
    project = tomllib.loads((ROOT / "pipeline" / "pyproject.toml").read_text(encoding="utf-8"))
    (stated,) = (each for each in project["project"]["optional-dependencies"]["spark"] if each.startswith("pyspark"))
    page = (ROOT / "docs" / "spark-sql.md").read_text(encoding="utf-8")
    assert f"\n| {pyspark.__version__} |" in page
    assert f"\n| {DELTA}, {OLDEST} |" in page
    newest = pyspark.__version__.split(".")
    assert stated == f"pyspark>={OLDEST.rpartition('.')[0]},<{newest[0]}.{int(newest[1]) + 1}"
