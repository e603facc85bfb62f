"""The folder of fetched specs and its lock file: files that are written, kept, removed or different."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies

from messagegen.fetch.folder import FolderChanges, Lock, digest
from messagegen.fetch.releases import LOCK_NAME
from messagegen.fetch.specs import FetchError, SpecSet, check_specs, store_specs
from messagegen.generation.files import spec_files
from messagegen.publish import files as disk

Tree = dict[str, bytes]

FIRST = {"kafka-clients": {"A.json": b"a1", "B.json": b"b1"}, "kafka-raft": {"C.json": b"c1"}}
SECOND = {"kafka-clients": {"A.json": b"a2", "D.json": b"d2"}, "kafka-storage": {"E.json": b"e2"}}


def spec_set(release: str, artifacts: Mapping[str, Mapping[str, bytes]]) -> SpecSet:
    return SpecSet(release, flat(artifacts))


def tree(folder: Path) -> Tree:
    """Return all files below ``folder`` except the lock, by relative path."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != LOCK_NAME)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def flat(artifacts: Mapping[str, Mapping[str, bytes]]) -> Tree:
    return {f"{artifact}/{name}": data for artifact, specs in artifacts.items() for name, data in specs.items()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that holds the specs of release 1.0 as fetched."""
    store_specs(spec_set("1.0", FIRST), tmp_path / "specs")
    return tmp_path / "specs"


def store_second(folder: Path, *, force: bool = False) -> tuple[Lock, FolderChanges]:
    return store_specs(spec_set("2.0", SECOND), folder, force=force)


def test_a_new_folder_contains_only_specs_and_the_lock(tmp_path: Path) -> None:
    stored = store_specs(spec_set("1.0", FIRST), tmp_path / "deep" / "specs")
    assert tree(tmp_path) == {f"deep/specs/{path}": data for path, data in flat(FIRST).items()}
    assert stored[1].written == tuple(sorted(flat(FIRST)))
    assert json.loads((tmp_path / "deep" / "specs" / LOCK_NAME).read_text()) == {
        "lockVersion": 1,
        "release": "1.0",
        "artifacts": {
            name: {
                "specs": {file: digest(data) for file, data in specs.items()},
            }
            for name, specs in FIRST.items()
        },
    }


def test_a_second_fetch_changes_nothing(folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    stored = store_specs(spec_set("1.0", FIRST), folder)
    assert (stored[1].written, stored[1].removed) == ((), ())
    assert stored[1].unchanged == tuple(sorted(flat(FIRST)))
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_fetching_a_different_release_replaces_and_adds_and_removes_specs(folder: Path) -> None:
    (folder / "README.md").write_bytes(b"mine")
    (folder / "kafka-raft" / "Mine.json").write_bytes(b"mine")
    stored = store_second(folder)
    assert stored[1].written == ("kafka-clients/A.json", "kafka-clients/D.json", "kafka-storage/E.json")
    assert stored[1].removed == ("kafka-clients/B.json", "kafka-raft/C.json")
    assert tree(folder) == {**flat(SECOND), "README.md": b"mine", "kafka-raft/Mine.json": b"mine"}
    assert check_specs(folder, "2.0")[1] == (("kafka-raft/Mine.json", "unlisted"),)


@pytest.mark.parametrize("path", ["kafka-clients/A.json", "kafka-clients/B.json"])
def test_an_edited_spec_is_kept_unless_forced(folder: Path, path: str) -> None:
    (folder / path).write_bytes(b"edited")
    before = tree(folder)
    with pytest.raises(FetchError, match=rf"nothing was changed .*: {path} was edited by someone else; .*--force"):
        store_second(folder)
    assert tree(folder) == before
    store_second(folder, force=True)
    assert tree(folder) == flat(SECOND)


@pytest.mark.parametrize("path", ["kafka-clients/A.json", "kafka-storage", "kafka-clients/D.json"])
def test_links_in_place_of_specs_are_never_followed(tmp_path: Path, folder: Path, path: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "E.json").write_bytes(b"mine")
    (folder / path).unlink(missing_ok=True)
    (folder / path).symlink_to(outside)
    before = tree(folder)
    for force in (False, True):
        with pytest.raises(FetchError, match="nothing was changed"):
            store_second(folder, force=force)
        assert tree(folder) == before
    assert tree(outside) == {"E.json": b"mine"}


@pytest.mark.parametrize("after", range(7))
def test_a_killed_run_leaves_whole_files_and_the_next_run_completes_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    changes = 0

    def dying(method: Callable[..., object]) -> Callable[..., object]:
        def change(*args: object, **leftover: bool) -> object:
            nonlocal changes
            # Do not count the removal of an earlier run's leftovers, because it is not a change to the folder.
            changes += not leftover
            if changes > after:
                raise KeyboardInterrupt
            return method(*args, **leftover)

        return change

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", dying(Path.replace))
        patch.setattr(Path, "unlink", dying(Path.unlink))
        if after < 6:
            with pytest.raises(KeyboardInterrupt):
                store_second(folder)
            assert check_specs(folder)[1] or after == 0
        else:
            store_second(folder)
    known = {*flat(FIRST).items(), *flat(SECOND).items()}
    assert {item for item in tree(folder).items() if not item[0].endswith(disk.LEFTOVER)} <= known
    store_second(folder)
    assert {path: data for path, data in tree(folder).items() if not path.endswith(disk.LEFTOVER)} == flat(SECOND)
    assert check_specs(folder, "2.0")[1] == ()


def test_check_names_every_difference(folder: Path) -> None:
    assert check_specs(folder, "1.0")[1] == ()
    (folder / "kafka-clients" / "A.json").write_bytes(b"edited")
    (folder / "kafka-clients" / "New.json").write_bytes(b"{}")
    (folder / "kafka-clients" / "README.md").write_bytes(b"mine")
    (folder / "kafka-raft" / "C.json").unlink()
    _, differences = check_specs(folder, "2.0")
    assert list(differences) == [
        ("kafka-clients/A.json", "changed"),
        ("kafka-clients/New.json", "unlisted"),
        ("kafka-raft/C.json", "missing"),
        (LOCK_NAME, "release"),
    ]


NAMES = ["kafka-clients", "kafka-raft", "other", ".hidden", "A.json", "C.json", "Extra.json", "MANIFEST.json", "b.txt"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(paths=strategies.sets(strategies.lists(strategies.sampled_from(NAMES), min_size=1, max_size=4).map("/".join)))
def test_check_reports_each_unlisted_file_that_generate_would_read(
    tmp_path_factory: pytest.TempPathFactory, paths: set[str]
) -> None:
    folder = tmp_path_factory.mktemp("specs")
    store_specs(spec_set("1.0", FIRST), folder)
    for path in paths:
        with suppress(OSError):  # a drawn path needs a folder where another path is a file
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).open("x").close()
    read = {path.relative_to(folder).as_posix() for path in spec_files([folder])}
    assert check_specs(folder)[1] == tuple((path, "unlisted") for path in sorted(read - set(flat(FIRST))))


ARTIFACTS = '"release": null, "artifacts": {%s}}'


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[" * 100_000,
        "\xff",
        "[]",
        "{}",
        '{"lockVersion": 2, ' + ARTIFACTS % "",
        '{"lockVersion": 1, ' + ARTIFACTS % '"..": {"specs": {"A.json": "0"}}',
        '{"lockVersion": 1, ' + ARTIFACTS % '"a": {"specs": 5}',
    ],
)
def test_an_invalid_lock_is_refused_and_nothing_changes(folder: Path, text: str) -> None:
    (folder / LOCK_NAME).write_text(text, "latin-1")
    for act in (store_second, check_specs):
        with pytest.raises(FetchError, match="is not a lock file of this version of messagegen; restore the file"):
            act(folder)
    assert tree(folder) == flat(FIRST)


@pytest.mark.parametrize("name", ["../../outside.json", "sub/outside.json", ".hidden.json", "outside.txt"])
def test_a_lock_that_names_files_outside_the_folder_is_refused(tmp_path: Path, folder: Path, name: str) -> None:
    (tmp_path / "outside.json").write_bytes(b"mine")
    lock = json.loads((folder / LOCK_NAME).read_text())
    lock["artifacts"]["kafka-raft"]["specs"] = {name: digest(b"mine")}
    (folder / LOCK_NAME).write_text(json.dumps(lock))
    with pytest.raises(FetchError, match="is not a lock file"):
        store_second(folder, force=True)
    assert (tmp_path / "outside.json").read_bytes() == b"mine"
