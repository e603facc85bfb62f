"""Runs that are killed, fail half way or run at the same time, and planted files."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from messagegen.publish import files as disk
from messagegen.publish.manifest import MANIFEST, PublishError
from messagegen.publish.output import check, publish
from tests.publish.generations import FILES, LATER, generated, snapshot, written
from tests.support.killing import killed_at

_PUBLISH = """
import json, sys
from pathlib import Path
from messagegen.publish.output import publish
publish(json.loads(sys.argv[2]), Path(sys.argv[1]))
"""


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "repository" / "messages"


def start_run(output: Path, files: dict[str, str]) -> subprocess.Popen[bytes]:
    """Start to publish in another process."""
    return subprocess.Popen([sys.executable, "-c", _PUBLISH, str(output), json.dumps(files)])


def killed_run(step: int, output: Path, files: dict[str, str]) -> int:
    """Publish in another process that is killed at ``step``; return its exit code."""

    def run() -> int:
        publish(files, output)
        return 0

    return killed_at(step, run)


@pytest.mark.slow
@pytest.mark.parametrize("first", [{}, FILES], ids=["first run", "later run"])
def test_a_killed_run_leaves_whole_files_and_the_next_run_completes_it(tmp_path: Path, first: dict[str, str]) -> None:
    old, new = written(first) if first else {}, written(LATER)
    third = generated(a="A = 3\n", new__c="C = 3\n")
    step = 0
    while True:
        step += 1
        output = tmp_path / str(step) / "messages"
        output.mkdir(parents=True)
        if first:
            publish(first, output)
            (output / "mine.txt").write_text("mine\n")
        code = killed_run(step, output, LATER)
        if code == 0:
            break
        assert code == -signal.SIGKILL
        state = {path: content for path, content in snapshot(output).items() if not path.endswith(disk.LEFTOVER)}
        assert not first or state.pop("mine.txt") == b"mine\n"
        assert all(content in (old.get(path), new.get(path)) for path, content in state.items() if path != MANIFEST)
        assert check(LATER, output).files or state == new
        follower = LATER if step % 2 else third
        publish(follower, output)
        assert snapshot(output) == written(follower, **({"mine.txt": "mine\n"} if first else {}))
    assert step > 10


def test_a_failed_run_leaves_no_partial_files(output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(FILES, output)
    replace = disk.replace

    def full(folder: Path, path: str, content: bytes) -> None:
        if path == "new/c.py":
            raise OSError(28, "No space left on device")
        replace(folder, path, content)

    with monkeypatch.context() as patch:
        patch.setattr(disk, "replace", full)
        with pytest.raises(OSError, match="No space"):
            publish(LATER, output)
    assert {path.name for path in output.rglob("*")} <= {"__init__.py", "a.py", "b.py", "sub", MANIFEST}
    assert check(LATER, output).files
    publish(LATER, output)
    assert snapshot(output) == written(LATER)


def test_a_stale_file_is_removed_even_after_several_failed_runs(output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(FILES | {"fields.csv": "0\n"}, output)
    replace = disk.replace

    def full(folder: Path, path: str, content: bytes) -> None:
        if path != MANIFEST:
            raise OSError(28, "No space left on device")
        replace(folder, path, content)

    with monkeypatch.context() as patch:
        patch.setattr(disk, "replace", full)
        for number in range(1, 4):
            with pytest.raises(OSError, match="No space"):
                publish(FILES | {"fields.csv": f"{number}\n", f"{number}.csv": ""}, output)
            digests = json.loads((output / MANIFEST).read_bytes())["files"]["fields.csv"]
            assert len(digests.split()) == 2
    assert publish(FILES, output).paths("stale") == ("fields.csv",)
    assert snapshot(output) == written(FILES)


def test_runs_at_the_same_time_take_turns(output: Path) -> None:
    publish(FILES, output)
    sets = [generated(**{f"{letter}{number}": f"{letter}\n" for number in range(30)}) for letter in "xyz"]
    runs = [start_run(output, files) for files in sets]
    assert [each.wait(60) for each in runs] == [0, 0, 0]
    assert snapshot(output) in [written(files) for files in sets]


def test_a_link_that_appears_during_a_run_is_not_followed(
    output: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(FILES, output)
    outside = tmp_path / "outside"
    outside.mkdir()
    remove = disk.remove

    def planting(folder: Path, path: str) -> None:
        remove(folder, path)
        (output / "new").symlink_to(outside)

    monkeypatch.setattr(disk, "remove", planting)
    with pytest.raises(OSError, match="symbolic link"):
        publish(LATER, output)
    assert snapshot(outside) == {}


@pytest.mark.parametrize("name", ["a.py", "theirs.py", MANIFEST, f".a.py{disk.LEFTOVER}"])
@pytest.mark.parametrize("kind", ["pipe", "link"])
def test_planted_pipes_are_not_read_and_planted_links_are_not_followed(
    output: Path, tmp_path: Path, name: str, kind: str
) -> None:
    publish(FILES, output)
    secret = tmp_path / "secret.py"
    secret.write_text(FILES["a.py"])
    (output / name).unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(output / name)
    else:
        (output / name).symlink_to(secret)
    if name == MANIFEST:
        with pytest.raises(PublishError, match="not a plain file"):
            publish(LATER, output)
    else:
        publish(LATER, output)
        (output / "theirs.py").unlink(missing_ok=True)
        assert snapshot(output) == written(LATER)
    assert secret.read_text() == FILES["a.py"]


def test_the_current_folder_can_be_an_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    publish(FILES, Path())
    publish(LATER, Path())
    assert snapshot(tmp_path) == written(LATER)


@pytest.mark.parametrize("name", [f"notes{disk.LEFTOVER}", f".notes{disk.LEFTOVER}", f"sub/.theirs.py{disk.LEFTOVER}"])
def test_files_with_names_similar_to_leftovers_are_kept(output: Path, name: str) -> None:
    publish(FILES, output)
    (output / name).write_text("theirs\n")
    folder = output / f"folder{disk.LEFTOVER}"
    folder.mkdir()
    publish(LATER, output)
    assert snapshot(output) == written(LATER, **{name: "theirs\n"})
    assert folder.is_dir()


@pytest.mark.parametrize("name", ["a.py", "new/c.py", MANIFEST])
def test_a_folder_in_place_of_a_temporary_file_is_an_error_before_writing(output: Path, name: str) -> None:
    publish(FILES, output)
    before = snapshot(output)
    disk.beside(output / name).mkdir(parents=True)
    with pytest.raises(PublishError, match=re.escape(f"{disk.beside(output / name)} is a folder")):
        publish(LATER, output)
    assert snapshot(output) == before


def test_leftovers_of_an_earlier_run_are_removed(output: Path) -> None:
    publish(FILES, output)
    for path in [*FILES, *LATER, MANIFEST]:
        left = disk.beside(output / path)
        left.parent.mkdir(exist_ok=True)
        left.write_text("half")
    publish(LATER, output)
    assert snapshot(output) == written(LATER)
