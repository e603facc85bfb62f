"""The source and the functions work with each Java on this machine, and not only with the one of all other tests."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from tests.spark.support.java import QUICK
from tests.spark.support.processes import spark_environment
from tests.spark.support.round_trip import RECORDS

pytestmark = [pytest.mark.spark, pytest.mark.slow]

FOLDERS: Final = "MESSAGEGEN_JAVA_HOMES"
"""The environment variable with the folders of more versions of Java."""
OLDEST: Final = 17


def version_in(home: Path) -> str | None:
    """Return the version of the Java in a folder, or ``None`` for other folders."""
    release = home / "release"
    text = release.read_text(encoding="utf-8") if release.is_file() else ""
    found = re.search(r'^JAVA_VERSION="(\d.*)"$', text, re.MULTILINE)
    return found[1] if found else None


def is_supported(version: str) -> bool:
    return int(re.split(r"\D", version)[0]) >= OLDEST


def other_javas() -> dict[str, Path]:
    """Return the folders of supported versions of Java by version, except the version of all other tests."""
    named = [Path(home) for home in os.environ.get(FOLDERS, "").split(os.pathsep) if home]
    homes = [*named, *sorted(Path("/usr/lib/jvm").glob("*"))]
    java = os.environ.get("JAVA_HOME") or Path(shutil.which("java") or "java").resolve().parents[1]
    usual = version_in(Path(java))
    versions = {home: version_in(home) for home in homes if (home / "bin" / "java").exists()}
    return {each: home for home, each in versions.items() if each and each != usual and is_supported(each)}


@pytest.mark.parametrize("version", sorted(other_javas()) or [None])
def test_a_log_is_read_decoded_and_encoded(version: str | None, tmp_path: Path) -> None:
    if version is None:
        pytest.skip("a second Java is not installed")
    done = subprocess.run(
        [sys.executable, "-m", "tests.spark.support.round_trip", str(tmp_path)],
        env=spark_environment(SPARK_SUBMIT_OPTS=QUICK, JAVA_HOME=str(other_javas()[version])),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    found = json.loads(done.stdout)
    assert found["java"] == version
    assert set(found["rows"].values()) == {RECORDS}, found["rows"]
    # Java reports classes that call native code without a permission.
    assert "messagegen.spark" not in done.stderr
