"""Makes the log folder of the quickstarts: a real broker writes five orders and the commits of two groups.

Run ``python -m tests.docs.sample_log`` to write docs/quickstart/logs; times in it differ in each run. Needs a JDK and Maven.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Final

import messagegen
from tests.broker.cluster import Cluster
from tests.broker.tools import JavaTools
from tests.broker.wire import commit_offset
from tests.docs.examples import blocks

QUICKSTARTS: Final = Path(__file__).resolve().parents[2] / "docs" / "quickstart"
_START: Final = 1_772_366_400_000
"""2026-03-01T12:00Z; an order comes every minute."""
_ORDERS: Final = (
    (1, "ann", ["tea", "cup"], 1300),
    (2, "bob", ["coffee"], 840),
    (3, "ann", ["tea"], 840),
    (4, "eve", ["kettle", "tea"], 4990),
    (5, "bob", ["coffee", "cup"], 1850),
)
"""Numbers whose bytes are text, because that is what the Java tools send."""


def write_sample(folder: Path) -> None:
    """Replaces ``folder`` by the log folder of a broker, with its segments only."""
    with tempfile.TemporaryDirectory() as scratch:
        specs = Path(scratch) / "message_specs"
        specs.mkdir()
        (specs / "OrderPlaced.json").write_text(_spec(), encoding="utf-8")
        order = messagegen.load(specs).OrderPlaced
        values = [
            order(order_id=number, customer=customer, articles=articles, total_cents=cents).encode(version=0).decode()
            for number, customer, articles, cents in _ORDERS
        ]
        with Cluster(Path(scratch) / "cluster", properties={"offsets.topic.num.partitions": "1"}) as cluster:
            _fill(cluster, values)
            cluster.stop()
            shutil.rmtree(folder, ignore_errors=True)
            for name in ("orders-0", "__consumer_offsets-0"):
                segment = next((cluster.log_dir() / name).glob("*.log"))
                (folder / name).mkdir(parents=True)
                shutil.copyfile(segment, folder / name / segment.name)


def _spec() -> str:
    """The spec of an order, as the quickstart about logs prints it."""
    page = (QUICKSTARTS / "log-to-table.md").read_text(encoding="utf-8")
    return next(block.text for block in blocks(page) if block.second == "message_specs/OrderPlaced.json")


def _fill(cluster: Cluster, values: list[str]) -> None:
    records = [
        {"topic": "orders", "partition": 0, "timestamp": _START + 60_000 * number, "key": customer, "value": value}
        for number, ((_, customer, _, _), value) in enumerate(zip(_ORDERS, values, strict=True))
    ]
    host, _, port = cluster.bootstrap().partition(":")
    with JavaTools() as tools:
        tools.call("createTopics", cluster, topics=[{"name": "orders", "partitions": 1}])
        tools.call("produce", cluster, records=records)
        for group, offset in (("billing", 2), ("shipping", 1), ("billing", 3)):
            commit_offset((host, int(port)), group, "orders", offset)


if __name__ == "__main__":
    write_sample(QUICKSTARTS / "logs")
