"""Real data to work with: the log folder of a broker, and a capture of the traffic that filled it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.broker.capture import Capture
from tests.broker.cluster import Cluster
from tests.broker.traffic import RECORDS, make_traffic

# So small that the traffic makes the controller write snapshots of its metadata (`*.checkpoint`).
_SNAPSHOTS: Final = {"metadata.log.max.record.bytes.between.snapshots": "4000"}


@dataclass(frozen=True, slots=True)
class Sample:
    """What ``make_sample`` made: the log folder, both captures, and how many frames and connections are in them."""

    log: Path
    pcap: Path
    frames: Path
    frame_count: int
    connections: int


def make_sample(folder: Path, *, records: int = RECORDS, on_step: Callable[[str], None] = lambda _: None) -> Sample:
    """Makes ``log/``, ``capture.pcap`` and ``capture.jsonl.gz`` in ``folder``, which must be empty or new.

    A broker is started, gets the traffic of ``tests.broker.traffic`` through a capturing proxy, and is stopped in order.
    ``on_step`` hears what is done, step by step. The folder is complete or empty. Raises ``FileExistsError``,
    ``OracleSetupError``, ``BrokerError`` and ``TrafficError``.
    """
    check_empty(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Beside its target, so that one rename moves it there.
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as scratch:
        made = Path(scratch) / "sample"
        made.mkdir()
        with Cluster(Path(scratch) / "cluster", properties=_SNAPSHOTS) as cluster:
            on_step("broker started")
            with Capture.of(cluster, pcap=made / "capture.pcap", frames=made / "capture.jsonl.gz") as capture:
                for step in make_traffic(cluster, records=records, listener="CAPTURED"):
                    on_step(step)
            cluster.stop(1)
            on_step("broker stopped")
            shutil.move(cluster.log_dir(), made / "log")
        made.rename(folder)
    return Sample(
        log=folder / "log",
        pcap=folder / "capture.pcap",
        frames=folder / "capture.jsonl.gz",
        frame_count=capture.frame_count,
        connections=capture.connections,
    )


def check_empty(folder: Path) -> None:
    """Raises ``FileExistsError`` where something is at ``folder`` that is no empty folder."""
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise FileExistsError(f"{folder} is not empty: name a new folder, or remove this one")
