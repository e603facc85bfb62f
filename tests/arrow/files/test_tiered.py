"""Remote log segments of tiered storage are read in the layouts of plugins (KIP-405)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from messagegen_arrow import read_log
from messagegen_arrow.log.errors import TieredSegmentError
from messagegen_arrow.log.planning import find_logs
from tests.arrow.support.log_data import many_batches, write_segment
from tests.arrow.support.log_model import BrokerLog

TOPIC_ID = "MWJ6FHTfRYy67jzwZdeqSQ"
SEGMENT_IDS = ("tqimKeZwStOEOwRzT3L5oQ", "oAtiIQ95REujbuzNd_lkLQ", "AAAAAAAAAAAAAAAAAAAAAA")


def broker(folder: Path) -> Path:
    """Return three segments with transactions, and their indexes."""
    log = BrokerLog(folder / "orders-2")
    for number in range(120):
        if number % 40 == 0:
            log.roll()
        log.data(3, size=200)
    log.write()
    return log.folder


def local_tiered(own: Path, root: Path) -> Path:
    """Lay segments out like Kafka's ``LocalTieredStorage``: offsets have no leading zeros."""
    return _laid_out(own, root / f"orders-2-{TOPIC_ID}", "d")


def of_plugin(own: Path, root: Path) -> Path:
    """Lay segments out like Aiven's plugin: topic folders contain partition folders."""
    return _laid_out(own, root / f"orders-{TOPIC_ID}" / "2", "020")


def _laid_out(own: Path, folder: Path, form: str) -> Path:
    folder.mkdir(parents=True)
    for segment, segment_id in zip(sorted(own.glob("*.log")), SEGMENT_IDS, strict=True):
        for file in own.glob(f"{segment.stem}.*"):
            (folder / f"{int(segment.stem):{form}}-{segment_id}{file.suffix}").write_bytes(file.read_bytes())
    return folder


def rows(path: Path, **options: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pa.table(read_log(path, **options)).drop_columns("path").to_pylist()
    return found


@pytest.mark.parametrize("layout", [local_tiered, of_plugin])
def test_remote_segments_equal_segments_of_a_broker(tmp_path: Path, layout: Any) -> None:
    own = broker(tmp_path)
    expected = rows(own)
    folder = layout(own, tmp_path / "remote")
    for path in (tmp_path / "remote", folder):
        assert rows(path) == expected
        assert rows(path, topics=["orders"], partitions="2", starting_offset=130) == rows(own, starting_offset=130)
    assert {row["topic"] for row in expected} == {"orders"}
    (log,) = find_logs([str(tmp_path / "remote")])
    assert [(each.base_offset, each.next_base_offset) for each in log.segments] == [(0, 120), (120, 240), (240, None)]
    assert all(each.is_complete for each in log.segments)


def test_records_in_copied_and_overlapping_segments_are_read_once(tmp_path: Path) -> None:
    folder = tmp_path / f"orders-0-{TOPIC_ID}"
    whole, part, other = (
        write_segment(tmp_path / name, base, many_batches(base, count))
        for name, base, count in (("a", 0, 10), ("b", 0, 4), ("c", 21, 10))
    )
    folder.mkdir()
    for file, base, segment_id in zip((whole, part, other), (0, 0, 21), SEGMENT_IDS, strict=True):
        (folder / f"{base}-{segment_id}.log").write_bytes(file.read_bytes())
    assert [row["offset"] for row in rows(tmp_path / folder.name)] == list(range(51))


@pytest.mark.parametrize(
    ("manifest", "what"),
    [
        ({"compression": True}, "was compressed by"),
        ({"compression": False, "encryption": {"dataKey": "x"}}, "was encrypted by"),
    ],
)
def test_segments_changed_by_a_plugin_are_an_error(tmp_path: Path, manifest: Any, what: str) -> None:
    folder = of_plugin(broker(tmp_path), tmp_path / "remote")
    segment = min(folder.glob("*.log"))
    plain = {"version": "1", "chunkIndex": {"type": "fixed"}, "compression": False}
    segment.with_suffix(".rsm-manifest").write_text(json.dumps(plain))
    assert len(rows(folder)) == 360
    segment.with_suffix(".rsm-manifest").write_text(json.dumps({**plain, **manifest}))
    with pytest.raises(TieredSegmentError, match=f"{what}.*only plain segments can be read: consume the topic"):
        list(read_log(folder))
