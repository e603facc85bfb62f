"""Each line of the page about SQL, Scala and Java runs as printed, with Spark's own commands."""

from __future__ import annotations

import dataclasses
import os
import shutil
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from tests.conftest import Golden
from tests.docs.examples import run_page
from tests.docs.setting import ROOT, prepared
from tests.spark.support.java import SMALL_JVM, first_jars, write_commands
from tests.spark.support.processes import SPARK_HOME, spark_environment

pytestmark = [
    pytest.mark.spark,
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("unzip"), reason="unzip is not installed"),
]
PAGE = ROOT / "docs" / "spark-sql.md"
_FIRST_SETTING = "spark.jars  "


def test_the_page_runs_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Golden) -> None:
    # Build the wheel that the page unpacks, so that it contains the jar of this checkout.
    list(WheelBuilder(str(ROOT / "pipeline")).build(directory=str(tmp_path), versions=["standard"]))
    write_commands(tmp_path / "bin")
    path = os.pathsep.join([str(tmp_path / "bin"), str(SPARK_HOME / "bin"), os.environ["PATH"]])
    # Hive is disabled, because starting it takes longer than the whole page.
    options = f"{SMALL_JVM} -Dspark.sql.catalogImplementation=in-memory -Dspark.ui.enabled=false"
    own = {"SPARK_CONF_DIR": str(tmp_path / "conf"), "SPARK_SUBMIT_OPTS": options, "PATH": path}
    for name, value in spark_environment(**own).items():
        monkeypatch.setenv(name, value)
    # On a slow machine, commands would show their progress.
    monkeypatch.setenv("MESSAGEGEN_PROGRESS", "0")
    places = {"/opt/messagegen/": f"{tmp_path}/", "/var/lib/kafka/data": str(ROOT / "docs" / "quickstart" / "logs")}
    stands_for = {**places, _FIRST_SETTING: f"{first_jars()}\n{_FIRST_SETTING}"}
    setting = prepared(PAGE, tmp_path, monkeypatch, stands_for=stands_for)
    setting = dataclasses.replace(setting, every_command=True)
    golden(PAGE, run_page(PAGE.read_text(encoding="utf-8"), PAGE.name, setting))
