"""The command ``messagegen merge-specs``: its output, reports and errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from messagegen.cli import run
from messagegen.fetch.releases import RELEASES, release_of, releases_between, with_patch
from tests.support.merging import NEW, OLD, field, message


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the folders ``old`` and ``new``, each a set of specs."""
    for name, spec in (("old", OLD), ("new", NEW)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "OrderRequest.json").write_text(json.dumps(spec))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_merging_writes_a_spec_for_each_message(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["merge-specs", "old", "new", "--output", "merged"]) == 0
    written = (folders / "merged" / "new" / "OrderRequest.json").read_text()
    assert '"validVersions": "0-5"' in written
    assert capsys.readouterr().out == "1 message spec in merged: 1 written, 0 unchanged, 0 removed; 0 findings\n"
    assert run(["merge-specs", "old", "new", "--output", "merged"]) == 0
    assert "0 written, 1 unchanged" in capsys.readouterr().out


def test_nothing_is_written_if_sets_disagree(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed = message("0-3", *OLD["fields"], field("More", "0+"))
    (folders / "new" / "OrderRequest.json").write_text(json.dumps(changed))
    assert run(["merge-specs", "old", "new", "--output", "merged", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)["findings"]
    places = [(each["rule"], each["file"], each["previous"]["file"]) for each in found]
    assert places == [("FIELD_NOT_ADDED", "new/OrderRequest.json", "old/OrderRequest.json")]
    assert not (folders / "merged").exists()
    assert run(["merge-specs", "old", "new", "--output", "merged", "--keep-newest"]) == 0
    assert '"More"' in (folders / "merged" / "new" / "OrderRequest.json").read_text()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ([], "Missing argument 'SET...'"),
        (["old"], "Missing option '--output'"),
        (["absent", "--output", "merged"], "no such spec file or folder: absent"),
        (["kafka:2.3..4.4", "--output", "merged"], "unknown release '2.3'; expected one of 2.4.1, "),
        (["kafka:4.0.0..4.4", "--output", "merged"], "unknown release '4.0.0'; write 4.0 or 4.0.2, the only patch of"),
        (["kafka:4.4..2.4", "--output", "merged"], "4.4 is newer than 2.4; write the older release first"),
    ],
)
def test_wrong_usage_is_an_error(
    folders: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], error: str
) -> None:
    assert run(["merge-specs", *arguments]) == 2
    assert error in capsys.readouterr().err


def test_a_range_of_releases_includes_both_ends() -> None:
    assert releases_between("4.4.0") is None
    assert releases_between("2.4..4.4") == RELEASES
    assert releases_between("3.8.1..4.0") == ("3.8.1", "3.9.2", "4.0.2")


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("kafka:2.7", "2.7.2"),
        ("kafka:4.4", "4.4.0"),
        ("kafka:4.4.0", "4.4.0"),
        ("kafka:2.4..4.4", "2.4..4.4"),
        # Unknown releases are passed on, because they may exist.
        ("kafka:2.7.0", "2.7.0"),
        ("kafka:4.9", "4.9"),
        ("kafka:4", "4"),
        ("kafka", None),
        ("2.7", None),
    ],
)
def test_a_minor_release_means_its_newest_patch(text: str, release: str | None) -> None:
    assert release_of(Path(text)) == release


def test_every_minor_release_has_a_known_patch_release() -> None:
    assert [with_patch(release.rpartition(".")[0]) for release in RELEASES] == [*RELEASES]
