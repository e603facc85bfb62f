"""The output of the group commands: table, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Final

from messagegen_client.cli.support import error_json, error_name, plural, printable
from messagegen_client.cli.tables import Column, table_text
from messagegen_client.errors import KafkaError
from messagegen_client.groups.descriptions import ConsumerGroupDescription, MemberDescription
from messagegen_client.groups.files import csv_text
from messagegen_client.groups.lag import PartitionLag
from messagegen_client.groups.resets import ConsumerGroupResetPlan, OffsetChange
from messagegen_client.net.partitions import TopicPartition
from messagegen_client.outcomes import Outcome

if TYPE_CHECKING:
    from rich.console import RenderableType

_COMMITTED_COLUMN: Final = 2


@dataclass(frozen=True, slots=True)
class Reset:
    """A plan, its group, and its results; ``results`` is ``None`` if it was not executed."""

    plan: ConsumerGroupResetPlan
    target: str
    group: ConsumerGroupDescription | None
    results: Mapping[TopicPartition, KafkaError | None] | None = None
    backup: str | None = None


@dataclass(frozen=True, slots=True)
class Lags:
    """The lag of a group, and the time of the measurement in milliseconds since 1970."""

    group: ConsumerGroupDescription
    now: int
    results: Mapping[TopicPartition, PartitionLag]
    errors: Mapping[TopicPartition, KafkaError] = field(default_factory=dict[TopicPartition, KafkaError])

    def readers(self) -> dict[TopicPartition, MemberDescription]:
        """The member that each partition is assigned to."""
        return {partition: member for member in self.group.members for partition in member.assignment}


def group_text(group_id: str, group: ConsumerGroupDescription | None) -> str:
    """The name, type and state of a group."""
    kind = "new group" if group is None else f"{group.type}, {group.state}"
    return f"{printable(group_id)} ({kind})"


def reset_table(reset: Reset) -> str:
    """A row for each partition."""
    from rich.text import Text

    columns = [Column("topic"), Column("partition"), Column("committed"), Column("new"), Column("change")]
    rows: list[list[RenderableType]] = []
    for partition, one in reset.plan.partitions.items():
        change = "" if one.current is None else f"{one.new - one.current:+d}" if one.changes else "none"
        rows.append(
            [
                Text(printable(partition.topic)),
                str(partition.partition),
                "none" if one.current is None else str(one.current),
                str(one.new),
                change,
                _remark(reset, partition, one),
            ]
        )
    done = "reset" if reset.results is not None else "plan for"
    title = f"{done} group {group_text(reset.plan.group_id, reset.group)}: {printable(reset.target)}"
    return table_text(title, [*columns, Column("", left=True)], rows)


def _remark(reset: Reset, partition: TopicPartition, change: OffsetChange) -> RenderableType:
    from rich.text import Text

    error = (reset.results or {}).get(partition)
    if error is None:
        return Text(change.note or "", style="yellow")
    return Text(f"{Outcome.of(error).value.replace('_', ' ')}: {error_name(error)}", style="red")


def reset_json(reset: Reset) -> str:
    """One object; ``outcome`` is ``null`` if the plan was not executed."""
    document = {
        "group": reset.plan.group_id,
        "type": reset.group and reset.group.type.value,
        "state": reset.group and reset.group.state.value,
        "executed": reset.results is not None,
        "backup": reset.backup,
        "partitions": [
            {
                "topic": partition.topic,
                "partition": partition.partition,
                "committed": change.current,
                "new": change.new,
                "note": change.note,
                **_outcome(reset.results or {}, partition),
            }
            for partition, change in reset.plan.partitions.items()
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _outcome(results: Mapping[TopicPartition, KafkaError | None], partition: TopicPartition) -> dict[str, object]:
    error = results.get(partition)
    return {
        "outcome": Outcome.of(error).value if partition in results else None,
        "error": error and error_json(error),
    }


def reset_csv(reset: Reset) -> str:
    """The new offsets, in the format of ``--from-file``."""
    return csv_text({partition: change.new for partition, change in reset.plan.partitions.items()})


@dataclass(frozen=True, slots=True)
class _LagRow:
    """One partition. The fields are the columns of CSV and the keys of JSON."""

    topic: str
    partition: int
    committed: int | None
    end: int | None
    lag: int | None
    seconds: float | None
    client_id: str | None
    host: str | None
    error: KafkaError | None

    def texts(self) -> list[str]:
        """All fields but topic, partition and error; missing values are empty."""
        seconds = None if self.seconds is None else f"{self.seconds:.3f}"
        values = (self.committed, self.end, self.lag, seconds, self.client_id, self.host)
        return ["" if value is None else str(value) for value in values]


def lag_table(lags: Lags) -> str:
    """A row for each partition."""
    from rich.text import Text

    columns = [Column(name) for name in ("topic", "partition", "committed", "end", "lag", "seconds")]
    columns += [Column("client id", left=True), Column("host", left=True), Column("", left=True)]
    rows: list[list[RenderableType]] = []
    for row in _lag_rows(lags):
        cells: list[RenderableType] = [Text(printable(row.topic)), str(row.partition)]
        cells += [Text(printable(text)) for text in row.texts()]
        if row.error is None and row.committed is None:
            cells[_COMMITTED_COLUMN] = Text("none", style="yellow")
        rows.append([*cells, Text("" if row.error is None else error_name(row.error), style="red")])
    records = sum(found.records or 0 for found in lags.results.values())
    seconds = [value for found in lags.results.values() if (value := found.seconds(lags.now)) is not None]
    total = plural(records, "record") + (f", {max(seconds):.3f} s" if seconds else "")
    return table_text(f"lag of group {group_text(lags.group.group_id, lags.group)}: {total}", columns, rows)


def lag_csv(lags: Lags) -> str:
    """A header, and a line for each partition; missing values are empty."""
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow([one.name for one in fields(_LagRow)])
    for row in _lag_rows(lags):
        error = "" if row.error is None else error_name(row.error)
        lines.writerow([row.topic, row.partition, *row.texts(), error])
    return out.getvalue()


def lag_json(lags: Lags) -> str:
    """One object with the partitions, sorted."""
    rows: list[dict[str, object]] = []
    for row in _lag_rows(lags):
        found = lags.results.get(TopicPartition(row.topic, row.partition))
        following = found and found.next_record
        values = {one.name: getattr(row, one.name) for one in fields(_LagRow)}
        values["next_record"] = following and {"offset": following.offset, "timestamp": following.timestamp}
        rows.append({**values, "error": row.error and error_json(row.error)})
    document = {
        "group": lags.group.group_id,
        "type": lags.group.type.value,
        "state": lags.group.state.value,
        "timestamp": lags.now,
        "partitions": rows,
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _lag_rows(lags: Lags) -> Iterator[_LagRow]:
    readers = lags.readers()
    for partition in sorted({*lags.results, *lags.errors}):
        reader, found = readers.get(partition), lags.results.get(partition)
        committed = None if found is None or found.committed is None else found.committed.offset
        yield _LagRow(
            topic=partition.topic,
            partition=partition.partition,
            committed=committed,
            end=None if found is None else found.end_offset,
            lag=None if found is None else found.records,
            seconds=None if found is None else found.seconds(lags.now),
            client_id=None if reader is None else reader.client_id,
            host=None if reader is None else reader.host.removeprefix("/"),
            error=lags.errors[partition] if found is None else found.time_error,
        )
