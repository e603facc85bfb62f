"""The page about restoring topics, run as it stands: its new topic on a real broker, and the groups after it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from messagegen_client.cli.groups.command import EXIT_CHANGES, EXIT_USAGE, NAME, group_offsets
from messagegen_client.cli.support import run
from tests.broker.cluster import Cluster
from tests.broker.records import consume, create_topics, produce
from tests.docs.examples import blocks, merged
from tests.oracle.jars import maven_jars
from tests.spark.restoring.traffic import LONG_AGO, PARTITIONS, QUICK_CLEANER, TOPIC, Traffic, next_records

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.java, pytest.mark.exhaustive, pytest.mark.xdist_group("spark")]

PAGE: Final = Path(__file__).resolve().parents[3] / "docs" / "restoring-topics.md"
NEW: Final = "orders-restored"
WITH_TIMES: Final = "orders-with-times"
_COMMAND: Final = re.compile(rf"^\$ {NAME} (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
GROUPS: Final = ("billing", "shipping", "returns", "streaming")


@dataclass(frozen=True)
class Page:
    """The code and the commands of the page, for the broker and the folder of the test."""

    cluster: Cluster
    names: dict[str, Any]

    def run(self, first: str, *, topic: str = NEW) -> None:
        """Runs the block that begins with these words, for a new topic."""
        (code,) = (block.text for block in blocks(self._text()) if block.text.startswith(first))
        code = code.replace(NEW, topic)
        exec(compile(code, f"{PAGE.name}: {first}", "exec"), self.names)

    def commands(self) -> list[tuple[list[str], str]]:
        """The words of each ``kafka-group-offsets``, and what the page says that it prints."""
        (text,) = (block.text for block in blocks(self._text()) if block.language == "console")
        return [(command.split(), printed) for command, printed in _COMMAND.findall(text)]

    def _text(self) -> str:
        text = PAGE.read_text(encoding="utf-8")
        return text.replace("localhost:9092", self.cluster.bootstrap()).replace(
            "/backup/kafka-logs", str(self.cluster.log_dir())
        )


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A broker with the old topic, and new ones as the page creates them."""
    with Cluster(tmp_path_factory.mktemp("restoring"), properties=QUICK_CLEANER) as started:
        traffic = Traffic(started.bootstrap(), started.log_dir())
        traffic.run()
        topics = dict.fromkeys([NEW, WITH_TIMES], PARTITIONS)
        create_topics(started.bootstrap(), topics, cleanup_policy="delete", retention_ms="-1")
        yield started


@pytest.fixture
def page(cluster: Cluster, spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Page:
    monkeypatch.chdir(tmp_path)
    for jar in sorted(maven_jars("spark-kafka", Path(__file__).with_name("pom.xml")).glob("*.jar")):
        spark.sql(f"ADD JAR '{jar}'")
    return Page(cluster, {"spark": spark})


def committed_records(cluster: Cluster, topic: str) -> dict[int, list[Any]]:
    """Timestamp, key, value and headers of the records of each partition, in order."""
    found: dict[int, list[Any]] = {partition: [] for partition in range(PARTITIONS)}
    for record in consume(cluster.bootstrap(), topic, PARTITIONS, "read_committed"):
        found[record.partition].append((record.timestamp, record.key, record.value, record.headers))
    return found


def without_times(records: dict[int, list[Any]]) -> dict[int, list[Any]]:
    return {partition: [record[1:] for record in found] for partition, found in records.items()}


def test_each_group_continues_with_the_record_that_was_next(
    page: Page, cluster: Cluster, capsys: pytest.CaptureFixture[str]
) -> None:
    bootstrap = cluster.bootstrap()
    before = {group: next_records(bootstrap, group, TOPIC) for group in GROUPS}
    old = committed_records(cluster, TOPIC)
    # A consumer stops at the open transaction; the new topic has what is behind it.
    behind = (None, b"behind", b"an open transaction", ())
    expected = {**old, 2: [*old[2], behind]}

    page.run("from messagegen_spark import register")
    assert without_times(committed_records(cluster, NEW)) == without_times(expected)
    page.run("from pyspark.sql import Window")
    page.run("import csv")
    capsys.readouterr()
    for (words, printed), code in zip(page.commands(), (EXIT_CHANGES, 0), strict=True):
        assert run(group_offsets, NAME, words, exit_usage=EXIT_USAGE) == code
        printed_now = capsys.readouterr().out
        assert merged(printed, printed_now) == printed
    assert {group: next_records(bootstrap, group, NEW) for group in GROUPS} == before
    # Without gaps and edges the mapping would prove nothing.
    assert before["billing"][0] == (b"k2", b"17", [])
    assert before["billing"][1] == (b"0", b"second", [])
    assert before["shipping"][1] is None

    # The check finds a record that is written twice.
    produce(bootstrap, [{"topic": NEW, "partition": 2, "value": behind[2], "key": behind[1]}])
    with pytest.raises(AssertionError, match="orders-restored has other records"):
        page.run("from pyspark.sql import Window")

    # The other way of writing keeps timestamps.
    page.run("def write_in_order", topic=WITH_TIMES)
    found = committed_records(cluster, WITH_TIMES)
    assert found[0] == old[0]
    assert found[1] == old[1]
    assert found[2][:-1] == old[2]
    assert LONG_AGO in [record[0] for record in found[0]]
