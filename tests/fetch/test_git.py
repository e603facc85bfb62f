"""Specs of a commit are read without the files of the work tree, and from any current folder."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from messagegen.findings import UsageError
from messagegen.git import read_commit
from messagegen.publish.manifest import MANIFEST, Manifest
from tests.support.git import git


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository whose branch ``main`` has two specs below ``my specs``, one of them in a subfolder."""
    top = tmp_path / "repository"
    (top / "my specs" / "data").mkdir(parents=True)
    (top / "my specs" / "One.json").write_bytes(b"one\r\n")
    (top / "my specs" / "data" / "Zwei ü.json").write_bytes(b"")
    (top / "my specs" / "README.md").write_text("no spec")
    git(top, "init", "--initial-branch=main")
    git(top, "add", ".")
    git(top, "commit", "--message=First")
    return top


def test_texts_are_read_from_the_commit_and_not_from_the_work_tree(repository: Path) -> None:
    specs = repository / "my specs"
    (specs / "One.json").write_bytes(b"edited")
    (specs / "Untracked.json").write_bytes(b"new")
    (specs / "data" / "Zwei ü.json").rename(specs / "Renamed.json")
    status = subprocess.run(["git", "status", "--porcelain"], cwd=repository, check=True, capture_output=True).stdout
    read = read_commit("main", [specs])
    assert read.texts == {"main:my specs/One.json": b"one\r\n", "main:my specs/data/Zwei ü.json": b""}
    assert read.paths["main:my specs/One.json"] == specs.resolve() / "One.json"
    again = subprocess.run(["git", "status", "--porcelain"], cwd=repository, check=True, capture_output=True).stdout
    assert again == status


def test_relative_paths_work_in_any_folder_and_git_variables_are_ignored(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository / "my specs" / "data")
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere/index")
    monkeypatch.setenv("GIT_LITERAL_PATHSPECS", "0")
    assert set(read_commit("main", [Path()]).texts) == {"main:my specs/data/Zwei ü.json"}
    assert set(read_commit("HEAD", [Path("../One.json")]).texts) == {"HEAD:my specs/One.json"}
    assert len(read_commit("main~0", [repository]).texts) == 2


def test_a_renamed_folder_is_found_by_its_former_name(repository: Path) -> None:
    git(repository, "mv", "my specs", "message_specs")
    git(repository, "commit", "--message=Second")
    with pytest.raises(UsageError, match=r"main~1 has no \*\.json files in message_specs; .*git:main~1:FOLDER"):
        read_commit("main~1", [repository / "message_specs"])
    read = read_commit("main~1", [repository / "message_specs"], "my specs/")
    assert set(read.texts) == {"main~1:my specs/One.json", "main~1:my specs/data/Zwei ü.json"}


def test_manifests_of_outputs_are_not_specs(repository: Path) -> None:
    (repository / "my specs" / MANIFEST).write_bytes(Manifest("0.1.0", {}).render())
    (repository / "my specs" / "data" / MANIFEST).write_text('{"name": "One", "validVersions": "0"}')
    git(repository, "add", ".")
    git(repository, "commit", "--message=Second")
    names = {name for name in read_commit("main", [repository]).texts if name.endswith(MANIFEST)}
    assert names == {"main:my specs/data/MANIFEST.json"}


def test_a_folder_that_the_commit_lacks_has_no_texts(repository: Path) -> None:
    (repository / "message_specs").mkdir()
    (repository / "message_specs" / "New.json").write_text("new")
    assert read_commit("main", [repository / "message_specs"]).texts == {}
    assert len(read_commit("main", [repository / "message_specs", repository / "my specs"]).texts) == 2


@pytest.mark.parametrize("ref", ["nothing", "--all", "main:my specs", ""])
def test_an_unknown_commit_is_an_error(repository: Path, ref: str) -> None:
    with pytest.raises(UsageError, match="has no commit"):
        read_commit(ref, [repository])
