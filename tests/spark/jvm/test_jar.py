"""The jar has what a team needs to adopt it: licences, its version, and a POM."""

from __future__ import annotations

import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from messagegen_spark.jvm.jar import jar_in_package
from tests.docs.setting import ROOT

pytestmark = [pytest.mark.spark, pytest.mark.java]


def jar() -> Path:
    return Path(str(jar_in_package()))


def version_of(archive: zipfile.ZipFile) -> str:
    (version,) = re.findall(
        r"<version>(.+)</version>", archive.read("META-INF/maven/messagegen/kafka-log/pom.xml").decode()
    )
    return str(version)


def test_the_jar_contains_its_licence_and_the_licences_of_its_libraries() -> None:
    with zipfile.ZipFile(jar()) as archive:
        assert archive.read("META-INF/LICENSE") == (ROOT / "LICENSE").read_bytes()
        third_party = archive.read("META-INF/THIRD-PARTY-LICENSES")
    assert third_party == (ROOT / "native" / "THIRD-PARTY-LICENSES").read_bytes()


def test_the_manifest_comes_first_and_has_the_version_of_the_pom() -> None:
    with zipfile.ZipFile(jar()) as archive:
        assert archive.namelist()[0] == "META-INF/MANIFEST.MF"
        manifest = archive.read("META-INF/MANIFEST.MF").decode()
        assert f"Implementation-Version: {version_of(archive)}\r\n" in manifest


@pytest.mark.slow
def test_the_command_on_the_page_puts_the_jar_into_a_repository(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "spark.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^mvn (.+deploy-file .+)$", page, re.MULTILINE)
    # Maven writes the POM beside the jar.
    copy = shutil.copy(jar(), tmp_path)
    values = {"kafka-log.jar": str(copy), "=ID": "=ours", "=URL": f"=file://{tmp_path}"}
    for name, value in values.items():
        assert name in command
        command = command.replace(name, value)
    subprocess.run(["mvn", "--batch-mode", "--quiet", *command.split()], check=True, cwd=tmp_path)
    with zipfile.ZipFile(jar()) as archive:
        version = version_of(archive)
    deployed = tmp_path / "messagegen" / "kafka-log" / version / f"kafka-log-{version}.jar"
    assert deployed.read_bytes() == jar().read_bytes()
    assert f"<version>{version}</version>" in deployed.with_suffix(".pom").read_text(encoding="utf-8")
