"""``kafka:RELEASE`` in place of a folder of specs: fetched once, read by every command, and never changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from messagegen import load
from messagegen.cli import run
from messagegen.fetch import specs as cached
from messagegen.fetch.sources import FetchError
from messagegen.fetch.specs import SpecSet

SPEC = b"""{
  "type": "data",
  "name": "Reading",
  "validVersions": "0",
  "flexibleVersions": "0+",
  "about": "What was read.",
  "fields": [
    { "name": "%s", "type": "%s", "versions": "0+",
      "about": "A number." }
  ]
}
"""
OFFLINE = (
    "Maven cannot reach its repository (Unknown host repo); check network, proxy and Maven's settings, "
    "or pass local jars"
)


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """A list to which each fetched release is added. In 4.4.0, a field has a wider type; 9.9.9 cannot be fetched."""
    releases: list[str] = []

    def from_release(release: str, *_: Any, **__: Any) -> SpecSet:
        releases.append(release)
        if release == "9.9.9":
            raise FetchError(OFFLINE)
        spec = SPEC % (b"Value", b"int64" if release == "4.4.0" else b"int32")
        return SpecSet(release, {"kafka-clients/Reading.json": spec})

    monkeypatch.setattr(cached, "from_release", from_release)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return releases


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(arguments)
    captured = capsys.readouterr()
    return code, captured.out, " ".join(captured.err.split())


def configure(specs: str) -> None:
    Path("pyproject.toml").write_text(f'[tool.messagegen]\nspecs = [{specs}]\noutput = "src/readings"\n')


def test_generate_fetches_a_release_once(fetched: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    release = ("generate", "--specs", "kafka:4.4.0", "--output", "src/readings")
    assert outcome(capsys, *release)[0] == 0
    assert outcome(capsys, *release, "--check") == (0, "src/readings: up to date with 1 message\n", "")
    assert fetched == ["4.4.0"]


def test_the_configuration_can_name_a_release(fetched: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    configure('"kafka:4.4.0"')
    assert outcome(capsys, "generate")[0] == 0
    assert fetched == ["4.4.0"]


def test_warnings_about_specs_of_a_release_are_omitted(
    fetched: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Users cannot change specs of a release. In a user's own folder, the same specs are refused."""
    spec = (SPEC % (b"Value", b"int64")).replace(b'  "flexibleVersions": "0+",\n', b"")
    release = SpecSet("2.4.1", {"kafka-clients/Reading.json": spec})
    monkeypatch.setattr(cached, "from_release", lambda *_, **__: release)
    assert "warning" not in outcome(capsys, "generate", "--specs", "kafka:2.4.1", "--output", "src/readings")[2]
    Path("specs").mkdir()
    Path("specs/Reading.json").write_bytes(spec)
    assert "Reading.json:1:1: MESSAGE_FLEXIBLE_VERSIONS_WRITTEN" in outcome(capsys, "vectors", "--specs", "specs")[2]
    assert "warning" not in outcome(capsys, "vectors", "--specs", "kafka:2.4.1")[2]


@pytest.mark.parametrize(
    "command",
    [
        ("fetch-specs", "2.4.1", "--check", "--output", "specs"),
        ("fetch-specs", "2.4.1", "--output", "specs"),
        ("generate", "--specs", "specs", "--output", "src/readings"),
        ("generate", "--specs", "specs", "--output", "src/readings", "--check"),
        ("lint", "specs"),
        ("vectors", "specs"),
        ("breaking", "--specs", "specs", "--against", "kafka:2.4.1"),
        ("upgrade-report", "--from", "kafka:2.4.1", "--to", "specs"),
        ("merge-specs", "specs", "--output", "merged"),
    ],
    ids=lambda command: command[0],
)
def test_commands_ignore_windows_line_endings_in_fetched_specs(
    fetched: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    spec = (SPEC % (b"Value", b"int64")).replace(b'  "flexibleVersions": "0+",\n', b"")
    release = SpecSet("2.4.1", {"kafka-clients/Reading.json": spec})
    monkeypatch.setattr(cached, "from_release", lambda *_, **__: release)
    outcome(capsys, "fetch-specs", "2.4.1", "--output", "specs")
    outcome(capsys, "generate", "--specs", "specs", "--output", "src/readings")
    outcome(capsys, *command)
    unix = outcome(capsys, *command)
    assert "warning" not in unix[2]
    for path in Path().rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    assert outcome(capsys, *command) == unix


def test_a_release_can_be_loaded(fetched: list[str]) -> None:
    assert load("kafka:4.3.1").Reading(value=1).encode(version=0).hex() == "0000000100"


def test_releases_are_compared(fetched: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = outcome(capsys, "breaking", "--specs", "kafka:4.4.0", "--against", "kafka:4.3.1")
    assert code == 1
    assert out.startswith("kafka:4.4.0/kafka-clients/Reading.json:8:32: FIELD_SAME_TYPE ")
    assert "(was kafka:4.3.1/kafka-clients/Reading.json:8:32)" in out
    code, _, err = outcome(capsys, "breaking", "--specs", "kafka:4.4.0", "--against", "git:main")
    assert code == 2
    assert "kafka:4.4.0 is not in git; compare it with another release or a folder" in err


def test_lint_and_fmt_check_own_specs_but_not_releases(fetched: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    configure('"kafka:4.4.0", "specs"')
    Path("specs").mkdir()
    Path("specs/Reading.json").write_bytes(SPEC % (b"value", b"int32"))
    code, out, _ = outcome(capsys, "lint")
    assert (code, out.count("FIELD_NAME_CASE")) == (1, 1)
    assert outcome(capsys, "fmt", "--check")[2] == "1 file: 0 would be formatted, 1 unchanged"
    assert fetched == []
    configure('"kafka:4.4.0"')
    assert (
        "the configuration has only specs of Kafka's releases, such as kafka:4.4.0; name a folder"
        in outcome(capsys, "lint")[2]
    )


def test_lint_and_fmt_check_a_named_release_but_do_not_change_it(
    fetched: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert outcome(capsys, "lint", "kafka:4.4.0")[0] == 0
    assert outcome(capsys, "fmt", "--check", "kafka:4.4.0")[0] == 0
    assert outcome(capsys, "fmt", "--list", "kafka:4.4.0") == (0, "", "")
    code, _, err = outcome(capsys, "fmt", "kafka:4.4.0")
    assert code == 2
    assert "the specs of kafka:4.4.0 cannot be changed; fetch them with `messagegen fetch-specs`" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("generate", "--specs", "kafka:9.9.9", "--output", "src/readings"),
        ("lint", "kafka:9.9.9"),
        ("fmt", "--check", "kafka:9.9.9"),
        ("breaking", "--specs", "kafka:9.9.9", "--against", "kafka:4.4.0"),
        ("breaking", "--specs", "kafka:4.4.0", "--against", "kafka:9.9.9"),
    ],
)
def test_a_release_that_cannot_be_fetched_is_an_error(
    fetched: list[str], capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    code, out, err = outcome(capsys, *arguments)
    assert (code, out) == (2, "")
    assert OFFLINE in err
    assert "Traceback" not in err


WITH_SPEC_SETS = [
    ("generate", "--specs", "kafka:3.9", "--output", "src/readings"),
    ("lint", "kafka:3.9"),
    ("fmt", "--check", "kafka:3.9"),
    ("docs", "kafka:3.9", "--output", "site"),
    ("vectors", "--specs", "kafka:3.9"),
    ("encode", "--specs", "kafka:3.9", "--message", "Reading", "--version", "0", "value.json"),
    ("breaking", "--specs", "kafka:3.9", "--against", "kafka:3.9"),
    ("upgrade-report", "--from", "kafka:3.9", "--to", "kafka:3.9"),
    ("merge-specs", "kafka:3.9", "--output", "merged"),
    ("fetch-specs", "3.9", "--output", "fetched"),
]
"""Commands with a release as each set of specs that they take."""


@pytest.mark.parametrize("command", WITH_SPEC_SETS, ids=lambda command: command[0])
def test_a_minor_release_means_its_newest_patch(
    command: tuple[str, ...], fetched: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("value.json").write_text('{"value": 1}')
    outcome(capsys, *command)
    assert set(fetched) == {"3.9.2"}


def test_the_configuration_can_name_a_minor_release(fetched: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    configure('"kafka:3.9"')
    assert outcome(capsys, "generate")[0] == 0
    assert load("kafka:3.9").Reading(value=1).encode(version=0).hex() == "0000000100"
    assert fetched == ["3.9.2"]


def test_findings_name_the_full_version_of_the_release(fetched: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = outcome(capsys, "breaking", "--specs", "kafka:4.4", "--against", "kafka:4.3")
    assert out.startswith("kafka:4.4.0/kafka-clients/Reading.json:8:32: FIELD_SAME_TYPE ")
    assert outcome(capsys, "upgrade-report", "--from", "kafka:4.3", "--to", "kafka:4.4")[1].startswith(
        "kafka:4.3.1 -> kafka:4.4.0"
    )


def test_a_range_of_releases_is_compared(fetched: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = outcome(capsys, "breaking", "--specs", "kafka:4.2..4.4", "--against", "kafka:4.3")
    assert (code, out.partition(" ")[0]) == (1, "kafka:4.2..4.4/kafka-clients/Reading.json:8:32:")
    assert fetched == ["4.2.2", "4.3.1", "4.4.0"]
