"""The command ``docs``: its output, checks and errors, and where its specs and its title come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from messagegen.cli import run
from messagegen.fetch import specs as cached

READING = """\
{
  "type": "data",
  "name": "Reading",
  "validVersions": "0",
  "flexibleVersions": "none",
  "fields": [ { "name": "Sensor", "type": "string", "versions": "0+" } ]
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with one spec in ``specs``."""
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "Reading.json").write_text(READING)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_docs_writes_a_site_and_checks_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["docs", "specs", "--output", "site"]
    assert run([*command, "--check"]) == 1
    assert "site/index.html does not exist" in capsys.readouterr().out
    assert run(command) == 0
    assert capsys.readouterr().out == "site: 1 message, 5 files new\n"
    assert (folder / "site" / "messages" / "reading.html").is_file()
    assert run([*command, "--check"]) == 0
    (folder / "site" / "index.html").write_text("edited")
    assert run([*command, "--check"]) == 1
    assert capsys.readouterr().out.endswith(
        "site: 1 file out of date. Run `messagegen docs` and commit what it writes; "
        "to change a generated file, change its spec.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["specs"], "Missing option '--output'"),
        (["nowhere", "--output", "site"], "no such spec file or folder: nowhere"),
        (["--output", "site"], "no specs; pass --specs DIR, write specs under [tool.messagegen]"),
        (["specs", "--output", "site", "--title", " "], "title of the output site must be a string"),
        (["specs", "--output", "site", "--message", "Readin"], "unknown message Readin; did you mean Reading?"),
        (["kafka:latest", "--output", "site"], "'latest' is not a Kafka release; write it as "),
    ],
)
def test_wrong_usage_is_an_error(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str
) -> None:
    assert run(["docs", *arguments]) == 2
    assert reason in " ".join(capsys.readouterr().err.split())
    assert not (folder / "site").exists()


def test_a_release_of_kafka_is_read_from_the_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def release_folder(release: str, **_: object) -> Path:
        asked.append(release)
        return folder / "specs"

    monkeypatch.setattr(cached, "release_folder", release_folder)
    assert run(["docs", "kafka:4.4.0", "--output", "site"]) == 0
    assert asked == ["4.4.0"]
    assert "<h1>Message reference</h1>" in (folder / "site" / "index.html").read_text()
