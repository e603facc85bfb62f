"""The commands ``messagegen init`` and ``messagegen schema``."""

from __future__ import annotations

from pathlib import Path

import pytest

from messagegen import __version__
from messagegen.cli import run
from messagegen.spec import schema_text


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "shop").mkdir()
    monkeypatch.chdir(tmp_path / "shop")
    return tmp_path / "shop"


class TestInit:
    def test_a_new_repository_passes_its_checks(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, err = outcome(capsys, "init")
        assert (code, err) == (0, "")
        assert "written     src/shop_messages\n" not in out
        assert "generated   src/shop_messages\n" in out
        for check in ("generate --check", "lint", "fmt --check"):
            assert outcome(capsys, *check.split())[0] == 0, check
        code, again, _ = outcome(capsys, "init")
        assert code == 0
        assert {line.split()[0] for line in again.partition("Next:")[0].splitlines()} == {"unchanged"}
        assert "unchanged   pyproject.toml\n" in again

    def test_init_creates_missing_folders(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, _ = outcome(capsys, "init", "new/place", "--output", "lib/own")
        assert code == 0
        assert (folder / "new/place/lib/own/sensor_reading.py").is_file()
        assert "Next, in new/place:\n  PYTHONPATH=lib python -c 'import own; help(own.SensorReading)'\n" in out

    def test_wrong_usage_is_an_error(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, err = outcome(capsys, "init", "--output", "../out")
        assert (code, out) == (2, "")
        assert "must be inside the folder that is set up" in " ".join(err.split())

    def test_a_broken_pyproject_is_an_error(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (folder / "pyproject.toml").write_text("[tool\n")
        code, _, err = outcome(capsys, "init")
        assert code == 2
        assert "pyproject.toml is not TOML" in err


class TestSchema:
    def test_schemas_are_printed(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert outcome(capsys, "schema") == (0, schema_text(), "")
        assert f'"urn:messagegen:schema:error-codes:{__version__}"' in outcome(capsys, "schema", "--error-codes")[1]
