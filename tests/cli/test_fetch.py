"""The command ``fetch-specs``: output, exit codes and usage errors."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from messagegen.cli.fetch_specs import fetch_specs
from messagegen.fetch import jars
from messagegen.fetch.releases import NEWEST_RELEASE, artifacts_of

SPEC = '{"type": "data", "name": "Thing", "validVersions": "0", "fields": []}'


@pytest.fixture
def jar(tmp_path: Path) -> str:
    path = tmp_path / "kafka-clients-4.3.1.jar"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("common/message/Thing.json", SPEC)
    return str(path)


@pytest.fixture
def out(tmp_path: Path) -> str:
    return str(tmp_path / "specs")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(fetch_specs, arguments)


def test_specs_of_a_jar_are_written_and_checked(jar: str, out: str) -> None:
    result = run("--jar", jar, "--output", out)
    assert (result.exit_code, result.stderr) == (0, "")
    summary = f"Message specs of Kafka 4.3.1 in {out}: 1 written, 0 unchanged, 0 removed\n"
    assert result.stdout == "    1 kafka-clients\n    1 total\n" + summary
    assert Path(out, "kafka-clients", "Thing.json").read_text() == SPEC
    result = run("4.3.1", "--check", "--output", out)
    assert (result.exit_code, result.stdout) == (0, f"Message specs in {out} match the lock file: 1\n")


def test_check_exits_1_on_a_difference(jar: str, out: str) -> None:
    run("--jar", jar, "--output", out)
    edited = Path(out, "kafka-clients", "Thing.json")
    edited.write_text("{}")
    result = run("--check", "--output", out)
    assert (result.exit_code, result.stdout) == (1, f"{edited} was changed\nDifferences from the lock file: 1\n")
    result = run("4.0.0", "--check", "--output", out)
    assert f"{out}/messagegen-specs.lock is for another release\n" in result.stdout


def test_the_newest_release_is_fetched_and_named_by_default(
    tmp_path: Path, jar: str, out: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Use a fake Maven client that has the same jar for each artifact, and no pinned digests."""
    monkeypatch.setattr(jars, "SHA256", {})
    copies = (
        f"[shutil.copy({jar!r}, folder / f'{{name}}-{NEWEST_RELEASE}.jar') for name in {artifacts_of(NEWEST_RELEASE)}]"
    )
    script = f"folder = pathlib.Path(sys.argv[sys.argv.index('--file') + 1]).parent\n{copies}\n"
    (tmp_path / "mvn").write_text(f"#!{sys.executable}\nimport pathlib, shutil, sys\n{script}")
    (tmp_path / "mvn").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    result = run("--output", out)
    assert result.exit_code == 0
    assert result.stderr.startswith(
        "No RELEASE given: fetching 4.4.0, the newest that this version of messagegen knows\n"
    )
    assert "Message specs of Kafka 4.4.0" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["4.3.1", "--jar", "a.jar"], "Give a RELEASE such as"),
        (["--check", "--force"], "--check only compares DIR with its lock file"),
    ],
)
def test_wrong_usage_is_explained(out: str, arguments: list[str], told: str) -> None:
    result = run(*arguments, "--output", out)
    assert result.exit_code == 2
    assert told in result.stderr
