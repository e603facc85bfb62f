"""Replacing a folder's files: what killed runs, failing ones and runs at the same time leave."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from messagegen.publish import MANIFEST, Manifest, PublishError, publish, tree
from messagegen.publish.folder import Folder
from tests.publish.generations import FILES, LATER, generated, need_exchange, snapshot, written


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "repository" / "messages"


# Runs publish and kills itself at the step of that number; a step is whatever changes the file system or swaps folders.
KILLED = """
import json, os, sys
from pathlib import Path
from messagegen.publish import publish, tree
step, way, output, files = int(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), json.loads(sys.argv[4])
if way == "in place":
    tree.exchange = lambda *_: False
STEPS = {"os.rename", "os.link", "os.remove", "os.rmdir", "os.mkdir", "os.chmod", "ctypes.dlopen", "ctypes.dlsym"}
def count(event, arguments):
    global step
    if event in STEPS or (event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR)):
        step -= 1
        if step == 0:
            os._exit(9)
sys.addaudithook(count)
publish(files, output)
"""


def publish_and_die(step: int, way: str, output: Path, files: dict[str, str]) -> bool:
    """Publishes in another process that dies at ``step``; false where it ended before that."""
    arguments = [str(step), way, str(output), json.dumps(files)]
    code = subprocess.run([sys.executable, "-c", KILLED, *arguments], check=False).returncode
    assert code in (0, 9)
    return code == 9


class TestKilledRuns:
    def test_leave_the_old_output_or_the_new_one(self, tmp_path: Path) -> None:
        need_exchange(tmp_path)
        # Several stale files, so that some outlive the manifest while the old tree is removed.
        first = FILES | generated(**{f"gone{number}": "G = 1\n" for number in range(8)})
        old, new = written(first, **{"mine.txt": "mine\n"}), written(LATER, **{"mine.txt": "mine\n"})
        seen: list[dict[str, bytes]] = []
        for step in range(1, 100):
            output = tmp_path / str(step) / "messages"
            publish(first, output)
            (output / "mine.txt").write_text("mine\n")
            os.utime(output / "sub/b.py", ns=(1, 1))
            if not publish_and_die(step, "exchange", output, LATER):
                break
            seen.append(snapshot(output))
            publish(LATER, output)
            assert snapshot(output) == new
            assert [path.name for path in output.parent.iterdir()] == ["messages"]
            assert (output / "sub/b.py").stat().st_mtime_ns == 1
        assert all(state in (old, new) for state in seen)
        assert seen[0] == old
        assert seen[-1] == new

    def test_leave_whole_files_where_folders_cannot_be_exchanged(self, tmp_path: Path) -> None:
        old, new = written(FILES), written(LATER)
        third = generated(a="A = 3\n", new__c="C = 3\n")
        steps = 0
        for step in range(1, 100):
            output = tmp_path / str(step) / "messages"
            publish(FILES, output)
            (output / "mine.txt").write_text("mine\n")
            if not publish_and_die(step, "in place", output, LATER):
                break
            steps = step
            state = snapshot(output)
            assert state.pop("mine.txt") == b"mine\n"
            assert Manifest.parse(state.pop(MANIFEST)).files >= state.keys()
            assert all(content in (old.get(path), new.get(path)) for path, content in state.items())
            follower = LATER if step % 2 else third
            publish(follower, output)
            assert snapshot(output) == written(follower, **{"mine.txt": "mine\n"})
            assert [path.name for path in output.parent.iterdir()] == ["messages"]
        assert steps > 10

    def test_of_a_first_run_leave_nothing_or_everything(self, tmp_path: Path) -> None:
        seen: list[dict[str, bytes]] = []
        for step in range(1, 100):
            output = tmp_path / str(step) / "messages"
            output.parent.mkdir()
            if not publish_and_die(step, "exchange", output, FILES):
                break
            seen.append(snapshot(output))
            publish(LATER, output)
            assert snapshot(output) == written(LATER)
            assert [path.name for path in output.parent.iterdir()] == ["messages"]
        assert len(seen) > 5
        assert all(state in ({}, written(FILES)) for state in seen)

    def test_an_error_half_way_leaves_the_old_output(self, output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        publish(FILES, output)

        def full(*_: object) -> int:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(Folder, "write", full)
            with pytest.raises(OSError, match="No space"):
                publish(LATER, output)
        assert snapshot(output) == written(FILES)
        assert [path.name for path in output.parent.iterdir()] == ["messages"]


def test_runs_at_the_same_time_take_turns(output: Path) -> None:
    publish(FILES, output)
    sets = [generated(**{f"{letter}{number}": f"{letter}\n" for number in range(30)}) for letter in "xyz"]
    processes = [
        subprocess.Popen([sys.executable, "-c", KILLED, "0", "exchange", str(output), json.dumps(files)])
        for files in sets
    ]
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    assert snapshot(output) in [written(files) for files in sets]
    assert [path.name for path in output.parent.iterdir()] == ["messages"]


def test_what_somebody_writes_during_the_swap_survives(output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_exchange(output.parent.parent)
    publish(FILES, output)
    (output / "mine.txt").write_text("old\n")
    os.utime(output / "mine.txt", ns=(1, 1))
    exchange = tree.exchange

    def slow_exchange(parent: Folder, left: str, right: str) -> bool:
        (output / "mine.txt").unlink()
        (output / "mine.txt").write_text("saved meanwhile\n")
        (output / "fresh.txt").write_text("new meanwhile\n")
        return exchange(parent, left, right)

    monkeypatch.setattr(tree, "exchange", slow_exchange)
    publish(LATER, output)
    expected = written(LATER, **{"mine.txt": "saved meanwhile\n", "fresh.txt": "new meanwhile\n"})
    assert snapshot(output) == expected


class TestPlantedFolders:
    """Whoever can put things beside or into an output must not reach anything outside of it."""

    @pytest.fixture
    def outside(self, tmp_path: Path) -> Path:
        folder = tmp_path / "home" / ".ssh"
        folder.mkdir(parents=True)
        (folder / "authorized_keys").write_text("mine\n")
        os.utime(folder / "authorized_keys", ns=(1, 1))
        return folder

    @pytest.mark.parametrize("role", ["swap", "stage", "swap-1", "swap-1-2", "stage-1"])
    def test_are_not_taken_for_those_of_a_killed_run(self, output: Path, outside: Path, role: str) -> None:
        publish(FILES, output)
        (output / "keys").symlink_to(outside)
        planted = output.with_name(f".messages.messagegen-{role}")
        (planted / "keys").mkdir(parents=True)
        (planted / "keys" / "authorized_keys").write_text("theirs\n")
        publish(LATER, output)
        assert (outside / "authorized_keys").read_text() == "mine\n"
        assert (planted / "keys" / "authorized_keys").read_text() == "theirs\n"
        assert snapshot(output).items() >= written(LATER).items()

    @pytest.mark.parametrize("role", ["swap", "stage", "new", "swap-{0}-{0}", "stage-{0}"])
    def test_that_are_links_are_left_alone(self, output: Path, outside: Path, role: str) -> None:
        publish(FILES, output)
        inode = outside.stat().st_ino
        link = output.with_name(f".messages.messagegen-{role.format(inode)}")
        link.symlink_to(outside)
        if role == "new":
            with pytest.raises(PublishError, match=r"messagegen-new is in the way"):
                publish(LATER, output)
        else:
            publish(LATER, output)
        assert snapshot(outside) == {"authorized_keys": b"mine\n"}
        assert link.is_symlink()
        assert "authorized_keys" not in snapshot(output)

    def test_a_true_leftover_brings_back_nothing_through_a_link(self, output: Path, outside: Path) -> None:
        publish(FILES, output)
        old = output.with_name("old")
        (old / "keys").mkdir(parents=True)
        (old / "keys" / "authorized_keys").write_text("theirs\n")
        inode = old.stat().st_ino
        old.rename(output.with_name(f".messages.messagegen-swap-1-{inode}"))
        (output / "keys").symlink_to(outside)
        with pytest.raises(OSError, match=r"Not a directory|symbolic links"):
            publish(LATER, output)
        assert (outside / "authorized_keys").read_text() == "mine\n"
        (output / "keys").unlink()
        publish(LATER, output)
        assert snapshot(output) == written(LATER, **{"keys/authorized_keys": "theirs\n"})

    def test_a_link_that_appears_during_a_run_is_not_followed(
        self, output: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        publish(FILES, output)

        def planting(*_: object) -> bool:
            (output / "new").symlink_to(outside)
            return False

        monkeypatch.setattr(tree, "exchange", planting)
        with pytest.raises(OSError, match=r"Not a directory|symbolic links"):
            publish(LATER, output)
        assert snapshot(outside) == {"authorized_keys": b"mine\n"}

    @pytest.mark.parametrize("name", ["a.py", "theirs.py", MANIFEST])
    def test_a_pipe_does_not_hang_a_run(self, output: Path, name: str) -> None:
        publish(FILES, output)
        (output / name).unlink(missing_ok=True)
        os.mkfifo(output / name)
        if name == MANIFEST:
            with pytest.raises(PublishError, match="not a plain file"):
                publish(LATER, output)
        else:
            publish(LATER, output)
            assert snapshot(output) == written(LATER)


@pytest.mark.skipif(not os.path.ismount("/dev/shm"), reason="needs a mount point that is always there")
def test_a_mount_point_is_refused_before_anything_is_written() -> None:
    update = tree.TreeUpdate(write={"order.py": b"o = 1\n"}, remove=(), before=None, after=None)
    before = set(Path("/dev").iterdir())
    with pytest.raises(
        PublishError, match=r"^/dev/shm is a mount point; write to a folder inside it, such as /dev/shm/"
    ):
        tree.update_tree(Path("/dev/shm"), update)
    assert set(Path("/dev").iterdir()) == before
    assert not Path("/dev/shm/order.py").exists()
