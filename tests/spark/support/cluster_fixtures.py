"""A cluster that tests share, and an interpreter for executors that has the libraries and not this project."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.spark.support.cluster import SparkCluster


@pytest.fixture(scope="session")
def spark_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkCluster]:
    """A master and two workers, for all tests that ask: starting them takes longer than most tests."""
    with SparkCluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


def make_environment(folder: Path, paths: Iterable[Path], *requirements: str) -> Path:
    """A virtual environment with some packages, which finds other modules in more folders; gives its interpreter."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    if requirements:
        install = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install", "--quiet"]
        subprocess.run([*install, *requirements], check=True)
    site = folder / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    (site / "libraries.pth").write_text("".join(f"{path}\n" for path in paths))
    return folder / "bin" / "python"


@pytest.fixture(scope="session")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An interpreter as executors have it before anything is shipped."""
    folder = tmp_path_factory.mktemp("bare") / "venv"
    # Python does not look into a path that it has from such a file for more of them, so editable packages stay behind.
    python = make_environment(folder, [Path(sysconfig.get_path("purelib"))])
    found = subprocess.run(
        [python, "-c", "import pyarrow, pyspark; import messagegen_spark"], check=False, capture_output=True, text=True
    )
    assert "No module named 'messagegen_spark'" in found.stderr, found.stderr
    return str(python)
