"""Spark versions that are too old are refused by name."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from messagegen_spark import register
from messagegen_spark.versions import UnsupportedSparkError, check_version

_EVERY_NAME = """\
import pyspark

pyspark.__version__ = {version!r}
import pyspark.sql.functions

pyspark.sql.functions.__dict__.pop("arrow_udf", None)
import messagegen_spark
from messagegen_spark.versions import UnsupportedSparkError

for name in dir(messagegen_spark):
    if name.startswith("_") or name in ("register", "spark_schema"):
        continue
    try:
        getattr(messagegen_spark, name)
    except UnsupportedSparkError as problem:
        print(problem)
"""


class Session:
    """A session with only its version, which ``register`` reads first."""

    def __init__(self, version: str) -> None:
        self.version = version


@pytest.mark.parametrize("version", ["3.5.6", "4.0.1", "3.4.0.dev0"])
def test_the_error_names_the_old_spark_version(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    of_session: object = Session(version)
    with pytest.raises(UnsupportedSparkError, match=f"needs Spark 4.1 to 4.3; this is {version}"):
        register(of_session)  # type: ignore[arg-type] # no session is needed to refuse it
    monkeypatch.setattr("pyspark.__version__", version)
    with pytest.raises(UnsupportedSparkError, match=f"needs PySpark 4.1 to 4.3; this is {version}"):
        register(of_session)  # type: ignore[arg-type] # likewise


@pytest.mark.parametrize("version", ["4.1.0", "4.3.0", "4.10.2", "5.0.0-preview1"])
def test_supported_versions_are_not_refused(version: str) -> None:
    check_version("Spark", version)


def test_every_function_reports_an_old_version() -> None:
    program = _EVERY_NAME.format(version="4.0.1")
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    said = done.stdout.splitlines()
    assert len(said) > 3
    assert set(said) == {"messagegen_spark needs PySpark 4.1 to 4.3; this is 4.0.1"}
