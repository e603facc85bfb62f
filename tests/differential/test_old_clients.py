"""Java clients of old releases with a broker of today: every frame decodes with the merged specs, and encodes to the same bytes."""

from __future__ import annotations

import gzip
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

from tests.broker.capture import Capture
from tests.broker.cluster import Cluster
from tests.differential.merged import Everything
from tests.oracle.jars import TOOLS_RELEASE, java_program, kafka_jars, message_jars

pytestmark = [pytest.mark.java, pytest.mark.slow, pytest.mark.exhaustive, pytest.mark.xdist_group("releases")]

SOURCE: Final = Path(__file__).with_name("java") / "OldClient.java"
APIS: Final = {
    "ApiVersions",
    "Metadata",
    "Produce",
    "Fetch",
    "JoinGroup",
    "SyncGroup",
    "OffsetCommit",
    "EndTxn",
    "ListOffsets",
}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Cluster(tmp_path_factory.mktemp("old-clients")) as running:
        yield running


def jars(release: str, folder: Path) -> Path:
    """A folder with the client of a release and the libraries that it needs."""
    found = folder / f"old-client-{release}"
    found.mkdir()
    libraries = [
        jar for jar in kafka_jars(TOOLS_RELEASE).glob("*.jar") if not jar.name.startswith(("kafka", "connect"))
    ]
    for jar in (*libraries, *(jar for jar in message_jars(release) if jar.name.startswith("kafka-clients"))):
        (found / jar.name).symlink_to(jar)
    return found


@pytest.mark.parametrize("release", ["2.8.2", "3.9.2"])
def test_their_traffic_keeps_its_bytes(everything: Everything, cluster: Cluster, release: str, tmp_path: Path) -> None:
    frames = tmp_path / "frames.jsonl.gz"
    command = java_program(SOURCE, jars(release, tmp_path))
    with Capture.of(cluster, pcap=tmp_path / "frames.pcap", frames=frames):
        subprocess.run([*command, cluster.bootstrap("CAPTURED")], check=True, timeout=120)
    with gzip.open(frames, "rt") as lines:
        seen = {again(everything.messages, json.loads(line)) for line in lines}
    assert {f"{api}{kind}" for api in APIS for kind in ("Request", "Response")} <= seen


def again(messages: ModuleType, frame: dict[str, Any]) -> str:
    """Decodes a frame and encodes it, which must give the same bytes; returns the name of its message."""
    kind = frame["dir"]
    (cls,) = (each for each in classes(messages) if (kind, frame["api_key"]) == (each.KIND, each.API_KEY))
    version, data = frame["api_version"], bytes.fromhex(frame["hex"])
    header = messages.RequestHeader if kind == "request" else messages.ResponseHeader
    head, start = header.decode_from(data, version=cls.header_version(version))
    message = cls.decode(data[start:], version=version)
    assert head.encode(version=cls.header_version(version)) + message.encode(version=version) == data, (cls, version)
    return str(cls.__name__)


def classes(messages: ModuleType) -> list[Any]:
    found = (getattr(messages, name) for name in messages.__all__)
    return [each for each in found if getattr(each, "KIND", None) in ("request", "response")]
