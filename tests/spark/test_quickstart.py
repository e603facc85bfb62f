"""The part of a quickstart that uses Spark runs as printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.conftest import Golden
from tests.docs.examples import run_page
from tests.docs.setting import ROOT, prepared

pytestmark = [pytest.mark.spark, pytest.mark.slow]
PAGE = ROOT / "docs" / "quickstart" / "log-to-table.md"


def test_the_quickstart_runs_as_printed(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    # The JVM of the tests was started in a different folder.
    stands_for = {'load("logs")': f'load("{tmp_path}/logs")'}
    setting = prepared(PAGE, tmp_path, monkeypatch, having="spark", stands_for=stands_for)
    golden(PAGE, run_page(PAGE.read_text(encoding="utf-8"), PAGE.name, setting))
