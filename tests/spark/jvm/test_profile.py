"""The log names the version of the jar, and its library's Cargo profile, because builds for tests are slower."""

from __future__ import annotations

import os
import re
import subprocess
import zipfile
from pathlib import Path

import pytest

from messagegen_spark.jvm.jar import jar_in_package

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

PROGRAM = """\
class Load {
  public static void main(String[] none) throws ClassNotFoundException {
    Class.forName("messagegen.spark.Native");
  }
}
"""


@pytest.mark.slow
def test_the_first_line_of_the_log_names_the_version_and_profile_of_the_jar(tmp_path: Path) -> None:
    pyspark = pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")
    jar = Path(str(jar_in_package()))
    with zipfile.ZipFile(jar) as archive:
        profile = archive.read("messagegen/spark/profile.txt").decode()
        manifest = archive.read("META-INF/MANIFEST.MF").decode()
    program = tmp_path / "Load.java"
    program.write_text(PROGRAM, encoding="utf-8")
    classes = os.pathsep.join([str(jar), str(Path(pyspark.__file__).parent / "jars" / "*")])
    command = ["java", "-Dlog4j2.level=INFO", "-cp", classes, str(program)]
    (line,) = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    (version,) = re.findall(r"^Implementation-Version: (\S+)\r$", manifest, re.MULTILINE)
    assert f"kafka-log {version}: native library with the profile {profile}" in line
    assert ("WARN" in line and "for tests: two to three times slower" in line) == (profile != "release")
