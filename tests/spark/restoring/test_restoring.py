"""The page about restoring topics runs unchanged, and leaves the right new topic and groups on a real broker.

The recommendations for topics on the page about Spark are tested with the old topic, which has transactions and gaps.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.broker.cluster import Cluster
from tests.broker.offsets_script import PAGE, SCRIPT, commit, committed, run_script
from tests.broker.records import consume, create_topics, produce
from tests.docs.examples import blocks, merged
from tests.oracle.jars import maven_jars
from tests.spark.restoring.traffic import LONG_AGO, METADATA, PARTITIONS, QUICK_CLEANER, TOPIC, Traffic, next_records
from tests.spark.support.in_jvm import plans_of
from tests.spark.support.page import example

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [
    pytest.mark.spark,
    pytest.mark.java,
    pytest.mark.slow,
    pytest.mark.flaky(reruns=1),
    pytest.mark.xdist_group("spark"),
]

NEW: Final = "orders-restored"
WITH_TIMES: Final = "orders-with-times"
WRITE: Final = "from messagegen_spark import register"
CHECK: Final = "from pyspark.sql import Window"
MAP: Final = "import json"
WRITE_WITH_TIMES: Final = "def write_in_order"
_COMMAND: Final = re.compile(rf"^\$ python {SCRIPT} (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
GROUPS: Final = ("billing", "shipping", "returns", "streaming")


@dataclass(frozen=True)
class Page:
    """The code and the commands on the page, for the test's broker and folder."""

    cluster: Cluster
    names: dict[str, Any]

    def run(self, first: str, *, topic: str = NEW) -> None:
        """Run the block that begins with these words, for a new topic."""
        (code,) = (block.text for block in blocks(self._text()) if block.text.startswith(first))
        code = code.replace(NEW, topic)
        exec(compile(code, f"{PAGE.name}: {first}", "exec"), self.names)

    def commands(self) -> list[tuple[list[str], str]]:
        """Return the arguments of each call of the script, and the output on the page."""
        (text,) = (block.text for block in blocks(self._text()) if block.language == "console")
        return [(command.split(), printed) for command, printed in _COMMAND.findall(text)]

    def _text(self) -> str:
        text = PAGE.read_text(encoding="utf-8")
        return text.replace("localhost:9092", self.cluster.bootstrap()).replace(
            "/backup/kafka-logs", str(self.cluster.log_dir())
        )


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Start a broker with the old topic, and new topics with the page's settings."""
    with Cluster(tmp_path_factory.mktemp("restoring"), properties=QUICK_CLEANER) as started:
        traffic = Traffic(started.bootstrap(), started.log_dir())
        traffic.run()
        topics = dict.fromkeys([NEW, WITH_TIMES], PARTITIONS)
        create_topics(started.bootstrap(), topics, cleanup_policy="delete", retention_ms="-1")
        yield started


@pytest.fixture(scope="module")
def page(cluster: Cluster, spark: SparkSession) -> Page:
    """The page after its first two steps: the new topic is written and checked."""
    for jar in sorted(maven_jars("spark-kafka", Path(__file__).with_name("pom.xml")).glob("*.jar")):
        spark.sql(f"ADD JAR '{jar}'")
    page = Page(cluster, {"spark": spark})
    page.run(WRITE)
    page.run(CHECK)
    return page


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder where the page writes its file."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def committed_records(cluster: Cluster, topic: str) -> dict[int, list[Any]]:
    """Return the records that consumers get from each partition, in order."""
    found: dict[int, list[Any]] = {partition: [] for partition in range(PARTITIONS)}
    for record in consume(cluster.bootstrap(), topic, PARTITIONS, "read_committed"):
        found[record.partition].append(record)
    return found


def contents(records: dict[int, list[Any]]) -> dict[int, list[Any]]:
    return {number: [(each.key, each.value, each.headers) for each in found] for number, found in records.items()}


def test_each_group_continues_with_its_next_record(page: Page, cluster: Cluster, folder: Path) -> None:
    bootstrap = cluster.bootstrap()
    before = {group: next_records(bootstrap, group, TOPIC) for group in GROUPS}
    old = contents(committed_records(cluster, TOPIC))
    # Consumers of the old topic stop at the open transaction; the new topic has the records after it.
    old[2].append((b"behind", b"an open transaction", ()))
    assert contents(committed_records(cluster, NEW)) == old

    page.run(MAP)
    shown, committing = page.commands()
    for words, printed in (shown, committing):
        done = run_script(folder, *words)
        assert (done.returncode, done.stderr) == (0, "")
        assert merged(printed, done.stdout) == printed
        assert bool(committed(bootstrap, "returns").keys() & {(NEW, 0)}) == (words == committing[0])
    assert {group: next_records(bootstrap, group, NEW) for group in GROUPS} == before
    metadata = {place: text for place, (_, text) in committed(bootstrap, "billing").items()}
    assert metadata == {(topic, number): METADATA for topic in (TOPIC, NEW) for number in range(PARTITIONS)}
    # This offset shows that the old topic has gaps; without gaps, the test would prove nothing.
    assert before["billing"][0] == (b"k2", b"17", [])
    assert before["billing"][1] == (b"0", b"second", [])
    assert before["shipping"][1] is None


def test_every_offset_is_mapped_to_the_next_record(page: Page, cluster: Cluster, folder: Path) -> None:
    kept = {number: [each.offset for each in found] for number, found in committed_records(cluster, TOPIC).items()}
    # Partition 2 is left out, because it has a record that consumers cannot read yet.
    partitions = (0, 1)
    beyond = max(kept[0] + kept[1]) + 3
    for offset in range(beyond):
        commit(cluster.bootstrap(), f"at-{offset}", {(TOPIC, partition): (offset, "") for partition in partitions})
    page.run(MAP)
    groups = json.loads((folder / "offsets.json").read_text(encoding="utf-8"))["groups"]
    mapped = {group["group"]: group["commits"] for group in groups}
    for offset in range(beyond):
        found = {commit["partition"]: commit["offset"] for commit in mapped[f"at-{offset}"]}
        assert found == {partition: sum(one < offset for one in kept[partition]) for partition in partitions}


def test_timestamps_can_be_kept(page: Page, cluster: Cluster) -> None:
    page.run(WRITE_WITH_TIMES, topic=WITH_TIMES)
    old = committed_records(cluster, TOPIC)
    new = committed_records(cluster, WITH_TIMES)
    for partition, records in old.items():
        times = [record.timestamp for record in records]
        assert LONG_AGO in times
        assert [record.timestamp for record in new[partition]][: len(times)] == times
        assert contents(new)[partition][: len(times)] == contents(old)[partition]


def test_the_recommended_settings_return_the_same_records_as_the_defaults(
    page: Page, cluster: Cluster, spark: SparkSession, folder: Path
) -> None:
    bootstrap = cluster.bootstrap()
    read = spark.read.format("kafka").option("kafka.bootstrap.servers", bootstrap).option("subscribe", TOPIC).load()
    code = example("Topics of a broker", folder).replace("localhost:9092", bootstrap)
    try:
        exec(code, page.names)
    finally:
        spark.conf.unset("spark.sql.sources.useV1SourceList")
    recommended: DataFrame = page.names["topic"]
    assert ["BatchScan" in plans_of(frame) for frame in (read, recommended)] == [False, True]
    order = ["partition", "offset"]
    records = recommended.orderBy(order).collect()
    assert records == read.orderBy(order).collect()
    assert {record.partition for record in records} == set(range(PARTITIONS))


def test_the_check_finds_duplicate_records(page: Page, cluster: Cluster) -> None:
    last = committed_records(cluster, NEW)[2][-1]
    produce(cluster.bootstrap(), [{"topic": NEW, "partition": 2, "key": last.key, "value": last.value}])
    with pytest.raises(AssertionError, match="orders-restored has other records"):
        page.run(CHECK)
