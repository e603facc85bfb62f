"""Java options for Spark's processes. Without optimized code, which pays off too late, tests take half the time.

``python -m tests.spark.support.java FILE`` writes an archive of Spark's classes (JEP 350). Java reads it instead of
loading and checking thousands of classes, which takes a third of the time of a short job.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

ARCHIVE: Final = Path(__file__).resolve().parents[3] / ".cache" / "spark.jsa"
"""The archive that ``make test`` writes. Java ignores an archive from a different Java or of different jars."""

_QUICK_COMPILER: Final = "-XX:TieredStopAtLevel=1"
QUICK: Final = f"-XX:+UseSerialGC {_QUICK_COMPILER}"
"""The options without the archive, which fits only one version of Java and Spark."""
# Without these options, Java's messages about an archive would mix with the output of commands. Spark separates options
# by blanks.
_ARCHIVED: Final = (
    f" -XX:SharedArchiveFile={ARCHIVE} -Xlog:disable" if ARCHIVE.exists() and " " not in str(ARCHIVE) else ""
)

SMALL_JVM: Final = f"{QUICK}{_ARCHIVED}"
ANY_COLLECTOR: Final = f"{_QUICK_COMPILER}{_ARCHIVED}"
"""The options for programs that choose a garbage collector."""

OTHER_JARS: Final = f"{QUICK} -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote -Xlog:disable"
"""The options for jars that the archive does not have. Checking their bytecode would take a fifth of a short job."""

ENVIRONMENT: Final = {
    "SPARK_DAEMON_JAVA_OPTS": SMALL_JVM,
    "SPARK_LAUNCHER_OPTS": QUICK,
    "SPARK_SUBMIT_OPTS": SMALL_JVM,
}
"""Environment variables for Spark's scripts. Unlike for JAVA_TOOL_OPTIONS, Java prints no message about them."""


def first_jars() -> str:
    """Return the setting for the file ``spark-defaults.conf`` that lets Java use the archive.

    Java ignores the archive unless the class path begins with Spark's jars, and Spark begins it with the file's folder.
    """
    jars = _spark_home() / "jars"
    (slf4j,) = jars.glob("slf4j-api-*.jar")
    return f"spark.driver.extraClassPath {slf4j}{os.pathsep}{jars}/*"


def write_commands(folder: Path) -> None:
    """Write ``java`` and ``javac`` with ``OTHER_JARS`` to ``folder``, for the PATH of commands on a page."""
    folder.mkdir()
    for name, prefix in {"java": "", "javac": "-J"}.items():
        options = " ".join(f"{prefix}{option}" for option in OTHER_JARS.split())
        command = folder / name
        command.write_text(f'#!/bin/sh\nexec "{shutil.which(name)}" {options} "$@"\n', encoding="utf-8")
        command.chmod(0o755)


def _spark_home() -> Path:
    import pyspark  # noqa: PLC0415 - not where only the options are asked for

    return Path(pyspark.__file__).parent


_PROGRAM: Final = """\
import sys
from pyspark.sql import SparkSession

builder = SparkSession.builder.config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "2")
spark = builder.getOrCreate()
rows = spark.range(100).selectExpr("id", "cast(id as string) as text")
rows = rows.mapInArrow(lambda batches: batches, "id long, text string")
rows.repartition(2).write.parquet(sys.argv[1])
spark.read.parquet(sys.argv[1]).groupBy("text").count().orderBy("text").collect()
spark.stop()
"""


def write_archive(file: Path) -> None:
    """Run a job that loads the classes that most jobs need, and write the archive."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=file.parent.resolve()) as folder:
        program, made = Path(folder) / "program.py", Path(folder) / "spark.jsa"
        program.write_text(_PROGRAM, encoding="utf-8")
        submit = _spark_home() / "bin" / "spark-submit"
        own = {
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYSPARK_PYTHON": sys.executable,
            "PYSPARK_DRIVER_PYTHON": sys.executable,
            "SPARK_SUBMIT_OPTS": f"{QUICK} -XX:ArchiveClassesAtExit={made} -Xlog:disable",
        }
        command = [str(part) for part in (submit, "--master", "local[2]", program, Path(folder) / "rows")]
        done = subprocess.run(
            command, cwd=folder, env={**os.environ, **own}, capture_output=True, text=True, check=False
        )
        if done.returncode or not made.exists():
            raise SystemExit(f"Spark wrote no archive of its classes:\n{done.stdout}\n{done.stderr}")
        made.replace(file)


if __name__ == "__main__":
    write_archive(Path(sys.argv[1]))
