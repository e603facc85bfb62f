"""A cluster that tests share, and folders in it that behave as buckets do."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.hdfs.cluster import SERVICE, MiniHdfs, running_hdfs
from tests.support.object_store import Bucket

if TYPE_CHECKING:
    from hdfs_native import Client


@dataclass(frozen=True)
class HdfsFolder:
    """A new folder, with what tests ask of a ``Bucket``."""

    cluster: MiniHdfs
    client: Client
    name: str

    def url(self, *names: str) -> str:
        """By the name service, which ``HADOOP_CONF_DIR`` explains."""
        return "/".join((f"hdfs://{SERVICE}/{self.name}", *names))

    def url_with_settings(self, *names: str) -> str:
        """By the name node, for processes whose environment says nothing."""
        return "/".join((f"hdfs://127.0.0.1:{self.cluster.active}/{self.name}", *names))

    def put(self, key: str, data: bytes) -> None:
        from hdfs_native import WriteOptions  # noqa: PLC0415 - not installed everywhere

        with self.client.create(f"/{self.name}/{key}", WriteOptions(overwrite=True)) as file:
            file.write(data)

    def put_folder(self, folder: Path, key: str) -> None:
        """All files of a folder, below a key."""
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                self.put(f"{key}/{file.relative_to(folder).as_posix()}", file.read_bytes())

    def get(self, key: str) -> bytes:
        return self.client.read(f"/{self.name}/{key}").read()

    def delete(self, key: str) -> None:
        self.client.delete(f"/{self.name}/{key}")

    def keys(self, prefix: str = "") -> list[str]:
        """The names of files that begin so, with hidden ones, sorted."""
        listed = self.client.list_status(f"/{self.name}", recursive=True)
        keys = (each.path.removeprefix(f"/{self.name}/") for each in listed if not each.isdir)
        return sorted(key for key in keys if key.startswith(prefix))


Place = Bucket | HdfsFolder


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks who uses HDFS; one worker runs all that need no Spark, so that there is one cluster for them."""
    for item in items:
        callspec = getattr(item, "callspec", None)
        if "hdfs" in getattr(item, "fixturenames", ()) or (callspec and callspec.params.get("place") == "hdfs"):
            item.add_marker(pytest.mark.java)
            if item.get_closest_marker("xdist_group") is None:
                item.add_marker(pytest.mark.xdist_group("hdfs"))


@pytest.fixture(scope="session")
def hdfs_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MiniHdfs]:
    """The cluster; it starts in some seconds."""
    pytest.importorskip("hdfs_native", reason="hdfs-native is not installed: `make test` installs it")
    with running_hdfs(tmp_path_factory.mktemp("hdfs")) as cluster:
        yield cluster


@pytest.fixture
def hdfs(hdfs_cluster: MiniHdfs, monkeypatch: pytest.MonkeyPatch) -> HdfsFolder:
    """An empty folder that only this test uses."""
    from hdfs_native import Client  # noqa: PLC0415 - not installed everywhere

    monkeypatch.setenv("HADOOP_CONF_DIR", str(hdfs_cluster.conf))
    monkeypatch.delenv("HADOOP_USER_NAME", raising=False)
    client = Client(f"hdfs://127.0.0.1:{hdfs_cluster.active}")
    name = f"tests-{uuid.uuid4().hex}"
    client.mkdirs(f"/{name}")
    return HdfsFolder(hdfs_cluster, client, name)


@pytest.fixture(params=["s3", "hdfs"])
def place(request: pytest.FixtureRequest) -> Place:
    """A bucket, and a folder of HDFS."""
    made: Place = request.getfixturevalue("bucket" if request.param == "s3" else "hdfs")
    return made
