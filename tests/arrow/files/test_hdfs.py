"""HDFS as a store: whole files, versions that replace each other one at a time, and errors that say what to do."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest

from messagegen_arrow import read_log
from messagegen_arrow.files import Folders, StoreError, opened, read_bytes, stores, versions, writing
from messagegen_arrow.files.hdfs import _Hdfs
from messagegen_arrow.files.versions import ReplacedError
from messagegen_arrow.log.files import LogPathError
from tests.arrow.support.broker_folder import write_orders
from tests.hdfs.cluster import SERVICE
from tests.hdfs.fixtures import HdfsFolder

UNFINISHED = f".{0:032x}.new"


@pytest.fixture
def store(hdfs: HdfsFolder) -> _Hdfs:
    """What names the folder, made for this test alone."""
    stores._store.cache_clear()  # noqa: SLF001 - the environment differs from test to test
    found, _ = stores.located(hdfs.url())
    assert isinstance(found, _Hdfs)
    return found


def test_a_name_service_a_name_node_and_the_default_one(hdfs: HdfsFolder, tmp_path: Path) -> None:
    write_orders(tmp_path)
    hdfs.put_folder(tmp_path, "logs")
    expected = pa.table(read_log(tmp_path)).drop_columns("path")
    for url in (hdfs.url("logs"), hdfs.url_with_settings("logs"), f"hdfs:///{hdfs.name}/log?"):
        assert pa.table(read_log(url)).drop_columns("path") == expected
    assert Folders().kind(f"hdfs:///{hdfs.name}") == "folder"


def test_reads_across_blocks(hdfs: HdfsFolder) -> None:
    random = Random(1)
    data = random.randbytes(2 * (1 << 20) + 17)
    hdfs.put("large", data)
    with opened(hdfs.url("large")) as file:
        assert file.size() == len(data)
        for _ in range(20):
            start, count = random.randrange(len(data) + 10), random.randrange(1 << 21)
            assert file.read_at(count, start) == data[start : start + count]


def test_files_and_folders_are_told_apart(hdfs: HdfsFolder) -> None:
    hdfs.put("a/b/file", b"x")
    hdfs.client.mkdirs(f"/{hdfs.name}/empty")
    folders = Folders()
    kinds = {
        name: folders.kind(hdfs.url(*name.split("/"))) for name in ("a", "a/b/file", "empty", "gone", "a/b/file/x")
    }
    assert kinds == {"a": "folder", "a/b/file": "file", "empty": "folder", "gone": None, "a/b/file/x": None}
    assert folders.names(hdfs.url("a", "b", "file")) == set()
    with pytest.raises(FileNotFoundError):
        read_bytes(hdfs.url("a"))


def test_what_is_not_finished_is_not_seen(hdfs: HdfsFolder) -> None:
    hdfs.put(f"out/{UNFINISHED}", b"half of")
    hdfs.put("out/whole", b"all")
    assert Folders().names(hdfs.url("out")) == {"whole"}
    assert writing.everything_in(hdfs.url("out")) == [hdfs.url("out", "whole")]
    writing.remove_all_in(hdfs.url("out"))
    assert hdfs.keys() == []


def test_a_file_that_cannot_be_written_leaves_nothing(hdfs: HdfsFolder, tmp_path: Path) -> None:
    for put in (writing.put, writing.put_new):
        with pytest.raises(FileNotFoundError) as missing:
            put(hdfs.url("out"), tmp_path / "nowhere")
        assert missing.value.filename == str(tmp_path / "nowhere")
    hdfs.put("out", b"first")
    with pytest.raises(FileExistsError, match="out"):
        writing.put_new(hdfs.url("out"), b"second")
    assert (hdfs.keys(), hdfs.get("out")) == (["out"], b"first")


def test_a_local_file_that_fails_is_named(hdfs: HdfsFolder) -> None:
    """Reading a process's own memory from its beginning fails as a damaged disk does."""
    broken = Path("/proc/self/mem")
    with pytest.raises(OSError, match="/proc/self/mem") as failed:
        writing.put(hdfs.url("out"), broken)
    assert not isinstance(failed.value, StoreError)
    assert hdfs.keys() == []


class TestVersions:
    def test_one_of_many_replaces_a_version(self, hdfs: HdfsFolder) -> None:
        """Each adds its share, and tries again where another was faster; nothing gets lost."""
        path = hdfs.url("count")
        versions.put_first(path, b"0")

        def add(times: int) -> None:
            while times:
                found = versions.read_version(path)
                assert found is not None
                with suppress(ReplacedError):
                    versions.put_again(path, str(int(found.data) + 1).encode(), found.version)
                    times -= 1

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(add, [5] * 4))
        found = versions.read_version(path)
        assert found is not None
        assert found.data == b"20"
        assert len(hdfs.keys()) == 2, "those of other versions are removed"

    def test_one_of_many_is_first(self, hdfs: HdfsFolder) -> None:
        def first(number: int) -> bool:
            try:
                versions.put_first(hdfs.url("lock"), str(number).encode())
            except FileExistsError:
                return False
            return True

        with ThreadPoolExecutor(4) as pool:
            assert sorted(pool.map(first, range(4))) == [False, False, False, True]
        assert len(hdfs.keys()) == 2

    def test_an_old_version_replaces_nothing(self, hdfs: HdfsFolder) -> None:
        path = hdfs.url("lock")
        old = versions.put_first(path, b"first")
        versions.remove_versions(path)
        with pytest.raises(ReplacedError, match="was replaced by another process"):
            versions.put_again(path, b"old", old)
        assert (versions.read_version(path), hdfs.keys()) == (None, [])
        versions.put_first(path, b"second")
        with pytest.raises(ReplacedError):
            versions.put_again(path, b"old", old)
        found = versions.read_version(path)
        assert found is not None
        assert (found.data, len(hdfs.keys())) == (b"second", 2)

    def test_what_others_put_there(self, hdfs: HdfsFolder) -> None:
        hdfs.put("lock", b"mine")
        with pytest.raises(StoreError, match="lock was not written by messagegen: remove it"):
            versions.read_version(hdfs.url("lock"))

    def test_one_that_comes_while_it_is_looked_for(
        self, store: _Hdfs, hdfs: HdfsFolder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        client = store._client  # noqa: SLF001 - what is asked of the name node
        look = client.get_file_info

        def late(path: str) -> Any:
            try:
                return look(path)
            finally:
                with suppress(FileExistsError):
                    versions.put_first(hdfs.url("lock"), b"other")

        monkeypatch.setattr(client, "get_file_info", late)
        assert versions.read_version(hdfs.url("lock")) is None
        found = versions.read_version(hdfs.url("lock"))
        assert found is not None
        assert found.data == b"other"

    def test_a_part_is_missing(self, hdfs: HdfsFolder) -> None:
        version = versions.put_first(hdfs.url("lock"), b"data")
        hdfs.client.delete(f"/{hdfs.name}/lock/.{version}.data")
        with pytest.raises(StoreError, match="lock is damaged: a file in it is missing; remove it"):
            versions.read_version(hdfs.url("lock"))


class TestLostAnswers:
    """The library asks again where an answer was lost, and the name node has done it already."""

    @pytest.fixture
    def asked_twice(self, store: _Hdfs, monkeypatch: pytest.MonkeyPatch) -> None:
        client = store._client  # noqa: SLF001 - what is asked of the name node
        rename = client.rename

        def twice(*arguments: Any) -> None:
            rename(*arguments)
            rename(*arguments)

        monkeypatch.setattr(client, "rename", twice)

    @pytest.mark.usefixtures("asked_twice")
    def test_files(self, hdfs: HdfsFolder) -> None:
        writing.put(hdfs.url("a"), b"1")
        with pytest.raises(FileExistsError):
            writing.put_new(hdfs.url("b"), b"2")
        writing.move_each([(hdfs.url("a"), hdfs.url("c", "d"))])
        assert (hdfs.keys(), hdfs.get("c/d")) == (["b", "c/d"], b"1")

    @pytest.mark.usefixtures("asked_twice")
    def test_files_with_versions(self, hdfs: HdfsFolder) -> None:
        path = hdfs.url("lock")
        with pytest.raises(FileExistsError):
            versions.put_first(path, b"first")
        first = versions.read_version(path)
        assert first is not None
        second = versions.put_again(path, b"second", first.version)
        assert versions.read_version(path) == versions.Version(b"second", second)
        with pytest.raises(ReplacedError):
            versions.put_again(path, b"third", first.version)


class TestErrors:
    @pytest.mark.parametrize(
        ("url", "reason"),
        [
            (
                "hdfs://elsewhere/logs",
                "unknown name service elsewhere: expected the port of a name node, as in hdfs://elsewhere:8020",
            ),
            ("hdfs://127.0.0.1:9/logs", "refused.*; check the network, and host and port of the name node"),
            ("hdfs://no-such-host.invalid:8020/logs", "check the network, and host and port of the name node"),
        ],
    )
    def test_name_nodes_that_are_not_there(self, hdfs: HdfsFolder, url: str, reason: str) -> None:
        with pytest.raises(StoreError, match=reason):
            read_log(url)

    def test_what_is_not_there(self, hdfs: HdfsFolder) -> None:
        with pytest.raises(LogPathError, match=rf"hdfs://{SERVICE}/.*/nowhere does not exist here"):
            read_log(hdfs.url("nowhere"))
        with pytest.raises(FileNotFoundError, match="gone"), opened(hdfs.url("gone")):
            pass

    def test_without_the_right_to_do_it(self, store: _Hdfs, hdfs: HdfsFolder, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HADOOP_USER_NAME", "nobody")
        stores._store.cache_clear()  # noqa: SLF001 - the name was read with the store
        with pytest.raises(StoreError, match=r"access denied \(user=nobody, access=WRITE\): set HADOOP_USER_NAME"):
            writing.put(hdfs.url("a"), b"")
        stores._store.cache_clear()  # noqa: SLF001 - likewise

    def test_no_active_name_node(self, hdfs: HdfsFolder) -> None:
        with pytest.raises(StoreError, match="no name node of this service is active"):
            read_bytes(f"hdfs://127.0.0.1:{hdfs.cluster.standby}/logs")

    def test_a_file_that_was_replaced_while_it_is_read(self, store: _Hdfs, hdfs: HdfsFolder) -> None:
        class Gone:
            def read_range(self, *_: int) -> bytes:
                raise RuntimeError('DataTransferError("block is gone")')

        hdfs.put("a", b"12")
        about = store.about(f"{hdfs.name}/a")
        reader: Any = Gone()
        with pytest.raises(StoreError, match="block is gone"):
            store.part(f"{hdfs.name}/a", reader, about, 0, 2)
        hdfs.put("a", b"123")
        for _ in range(2):
            with pytest.raises(StoreError, match="a: the file was replaced while it was read: read it again"):
                store.part(f"{hdfs.name}/a", reader, about, 0, 2)
            hdfs.delete("a")

    def test_without_the_library(self, store: _Hdfs, hdfs: HdfsFolder, monkeypatch: pytest.MonkeyPatch) -> None:
        stores._store.cache_clear()  # noqa: SLF001 - the library is loaded with the store
        monkeypatch.setitem(sys.modules, "hdfs_native", None)
        with pytest.raises(StoreError, match=r"needs hdfs-native; install it with: pip install 'messagegen\[hdfs\]'"):
            read_log(hdfs.url("logs"))
