"""A cluster that tests share, and an interpreter for executors that has the libraries and not this project."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from collections.abc import Iterator

import pytest

from tests.pipeline.spark_cluster import SparkCluster


@pytest.fixture(scope="session")
def spark_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkCluster]:
    """A master and two workers, for all tests that ask: starting them takes longer than most tests."""
    with SparkCluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An interpreter as executors have it before anything is shipped."""
    folder = tmp_path_factory.mktemp("bare") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    # Python does not look into a path that it has from such a file for more of them, so editable packages stay behind.
    site = folder / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    python = folder / "bin" / "python"
    found = subprocess.run(
        [python, "-c", "import pyarrow, pyspark; import messagegen_spark"], check=False, capture_output=True, text=True
    )
    assert "No module named 'messagegen_spark'" in found.stderr, found.stderr
    return str(python)
