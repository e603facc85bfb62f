"""Runs drivers with a cluster of two executors on this machine, and makes interpreters for executors."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tests.spark.support.java import SMALL_JVM
from tests.spark.support.processes import SPARK_HOME, spark_environment

MASTER: Final = "local-cluster[2,1,1024]"
"""Two executors in processes of their own, each with a core and 1024 MiB."""
_RUN_SECONDS: Final = 300
_STORED: Final = ("--config-settings-package", "pyspark:--build-option=--compression=stored")
"""Settings for building PySpark's wheel from its sources without compression, which would not make it smaller."""
_SETTINGS: Final = {
    "spark.executor.memory": "700m",
    "spark.executor.extraJavaOptions": SMALL_JVM,
    "spark.driver.extraJavaOptions": SMALL_JVM,
    "spark.ui.enabled": "false",
    "spark.sql.session.timeZone": "UTC",
}


def run_driver(program: str, folder: Path, *arguments: str | Path, python: str, **settings: str) -> str:
    """Start a driver in ``folder``, and return its output; ``python`` is the interpreter of its executors.

    The program receives the settings as JSON, then the arguments.
    """
    # Spark creates the executors' folders in its home, which other programs share. So the driver gets its own home,
    # which consists of symbolic links.
    home = folder / "spark"
    home.mkdir()
    for part in SPARK_HOME.iterdir():
        (home / part.name).symlink_to(part)
    (folder / "program.py").write_text(program)
    done = subprocess.run(
        [sys.executable, "program.py", json.dumps({**_SETTINGS, **settings}), *map(str, arguments)],
        cwd=folder,
        env=spark_environment(SPARK_HOME=str(home), PYSPARK_PYTHON=python),
        capture_output=True,
        text=True,
        check=False,
        timeout=_RUN_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def make_environment(folder: Path, paths: Iterable[Path], *requirements: str) -> Path:
    """Make a virtual environment with some packages and further module folders, and return its interpreter."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    if requirements:
        # pip would copy and compile the whole of Spark.
        uv = [sys.executable, "-m", "uv", "--quiet"]
        install = [*uv, "pip", "install", "--python", str(folder / "bin" / "python")]
        subprocess.run([*install, *_STORED, *requirements], check=True)
        # Each installation of PySpark leaves 1.9 GB in uv's cache, which no later installation reuses.
        subprocess.run([*uv, "cache", "prune"], check=True)
    site = folder / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    (site / "libraries.pth").write_text("".join(f"{path}\n" for path in paths))
    return folder / "bin" / "python"
