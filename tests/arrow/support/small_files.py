"""Writes a broker's folder with all kinds of small files beside the logs, and damages these files."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

from tests.arrow.support.history_data import write_broker
from tests.arrow.support.log_changes import log_of
from tests.native.random_messages import damaged

_ID: Final = "AAAAAAAAAAAAAAAAAAAAAg"
_SEGMENT_ID: Final = "BBBBBBBBBBBBBBBBBBBBBg"
_SPARSE_BYTES: Final = 64 << 20


def write_small_files(folder: Path) -> Path:
    """Write logs with indexes, snapshots, ids, epochs, checkpoints and a manifest; return the folder."""
    write_broker(folder)
    log_of(folder / "payments-0", 2, 10, producer=7)
    names = sorted(each.name for each in folder.iterdir())
    for number, name in enumerate(names):
        (folder / name / "partition.metadata").write_text(f"version: 0\ntopic_id: {number}{_ID[1:]}\n")
        (folder / name / "leader-epoch-checkpoint").write_text("0\n1\n0 0\n")
    offsets = "".join(f"{topic} {partition} 1\n" for topic, _, partition in (name.rpartition("-") for name in names))
    for name in ("log-start-offset-checkpoint", "replication-offset-checkpoint"):
        (folder / name).write_text(f"0\n{len(names)}\n{offsets}")
    (folder / "meta.properties").write_text("#\ncluster.id=one\nversion=1\n")
    tiered = folder / f"audits-0-{_ID}"
    tiered.mkdir()
    for file in (folder / "orders-0").glob("0*"):
        (tiered / f"0-{_SEGMENT_ID}{file.suffix}").write_bytes(file.read_bytes())
    (tiered / f"0-{_SEGMENT_ID}.rsm-manifest").write_text(json.dumps({"version": "1", "compression": False}))
    return folder


def is_small(path: Path) -> bool:
    """Whether a file is one of the small files beside the logs, and not a segment."""
    return path.is_file() and path.suffix != ".log"


def spoil(random: Random, path: Path) -> None:
    """Damage a small file, or replace it."""
    data = path.read_bytes()
    choices: list[Callable[[], object]] = [
        lambda: path.write_bytes(damaged(random, data)),
        lambda: path.write_bytes(data * random.randrange(200)),
        lambda: path.write_bytes(data + b"\n" * random.randrange(100_000)),
        lambda: path.write_bytes(random.randbytes(60)),
        lambda: path.write_bytes(data[:-1] + bytes([random.randrange(256)]) * 50_000),
        lambda: os.truncate(path, _SPARSE_BYTES),
        path.unlink,
    ]
    random.choice(choices)()
