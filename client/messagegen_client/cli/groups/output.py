"""Plans and the results of commits, as text and for JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import click

from messagegen_client.cli import support
from messagegen_client.errors import KafkaError
from messagegen_client.groups.calls import AlterConsumerGroupOffsetsResult, OffsetAndMetadata
from messagegen_client.groups.plan import OffsetChange, OffsetPlan
from messagegen_client.outcomes import Outcome
from messagegen_client.text import printable

Results = Mapping[str, AlterConsumerGroupOffsetsResult]
"""The results of each group."""

_SHOWN: Final = 5
_LONGEST_METADATA: Final = 40
_NOTHING: Final = OffsetAndMetadata(0)
"""A commit without metadata and leader epoch."""
_ADD: Final = "green"
_CHANGE: Final = "yellow"


def plan_text(plan: OffsetPlan) -> str:
    """The groups, each with a line for each partition that starts with ``+`` or ``~``, with colours; and a summary."""
    if not plan:
        return "No changes: the groups have the offsets of the file.\n"
    lines: list[str] = []
    for group in plan.groups:
        lines.append(printable(group.group_id))
        lines += [f"    {_change_text(change)}" for change in group.changes]
    count = _count(plan)
    groups = support.plural(len(plan.groups), "group")
    return "\n".join([*lines, "", f"{count['add']} to add, {count['change']} to change, in {groups}", ""])


def plan_json(plan: OffsetPlan, left_out: Sequence[str]) -> dict[str, object]:
    """Each change with its group, their numbers, why the plan can't be applied, and what of the file is left out."""
    changes = [_change_json(group.group_id, change) for group in plan.groups for change in group.changes]
    return {"changes": changes, **_count(plan), "refused": plan.refusals, "leftOut": left_out}


def result_text(results: Results) -> str:
    """The number of offsets that were committed, and with each other outcome."""
    count = _outcomes(results)
    committed = f"{support.plural(count.pop(Outcome.DONE), 'offset')} committed"
    others = [f"{number} {outcome.replace('_', ' ')}" for outcome, number in count.items() if number]
    return ", ".join([committed, *others]) + "\n"


def result_json(results: Results) -> dict[str, object]:
    """The number of offsets with each outcome, and the outcome and error of each."""
    counts = {outcome.value: count for outcome, count in _outcomes(results).items()}
    altered = [
        {
            "group": group_id,
            "topic": partition.topic,
            "partition": partition.partition,
            "outcome": Outcome.of(error).value,
            "error": error and support.error_json(error),
        }
        for group_id, result in results.items()
        for partition, error in result.items()
    ]
    return {"counts": counts, "altered": altered}


def show_errors(results: Results) -> int:
    """Prints the first errors on standard error, each text once. Returns the exit code."""
    errors: list[KafkaError] = [error for result in results.values() for error in result.errors.values()]
    texts = list(dict.fromkeys(map(str, errors)))
    for text in texts[:_SHOWN]:
        support.complain(text)
    if len(texts) > _SHOWN:
        support.complain(f"{len(texts) - _SHOWN} more errors")
    if any(error.outcome_unknown for error in errors):
        click.echo("Run plan again to see what was done.", err=True)
    return support.EXIT_FAILED if errors else 0


def _change_json(group_id: str, change: OffsetChange) -> dict[str, object]:
    before = change.before or _NOTHING
    after = change.after
    return {
        "group": group_id,
        "topic": change.partition.topic,
        "partition": change.partition.partition,
        "before": None if change.before is None else before.offset,
        "after": after.offset,
        "metadata": {"before": before.metadata, "after": after.metadata},
        "leaderEpoch": {"before": before.leader_epoch, "after": after.leader_epoch},
    }


def _change_text(change: OffsetChange) -> str:
    partition = printable(str(change.partition))
    after = change.after
    if change.before is None:
        details = "".join(_added_details(after))
        return click.style(f"+ {partition}: {after.offset}{details}", fg=_ADD)
    details = "".join(_changed_details(change.before, after))
    return click.style(f"~ {partition}: {change.before.offset} -> {after.offset}{details}", fg=_CHANGE)


def _added_details(after: OffsetAndMetadata) -> Iterator[str]:
    if after.metadata:
        yield f", metadata {_quoted(after.metadata)}"
    if after.leader_epoch is not None:
        yield f", leader epoch {after.leader_epoch}"


def _changed_details(before: OffsetAndMetadata, after: OffsetAndMetadata) -> Iterator[str]:
    """What changes besides the offset. That there is no leader epoch any more is said if nothing else changes."""
    is_same = before.offset == after.offset and before.metadata == after.metadata
    if before.metadata != after.metadata:
        yield f", metadata {_quoted(before.metadata)} -> {_quoted(after.metadata)}"
    if before.leader_epoch != after.leader_epoch and (is_same or after.leader_epoch is not None):
        yield f", leader epoch {_epoch(before)} -> {_epoch(after)}"


def _quoted(metadata: str) -> str:
    """Metadata in quotes, as in JSON. It may be long: Kafka Streams keeps more than times in it."""
    shown = metadata if len(metadata) <= _LONGEST_METADATA else f"{metadata[:_LONGEST_METADATA]}..."
    return printable(json.dumps(shown, ensure_ascii=False))


def _epoch(place: OffsetAndMetadata) -> str:
    return "none" if place.leader_epoch is None else str(place.leader_epoch)


def _count(plan: OffsetPlan) -> dict[str, int]:
    new = [change.before is None for group in plan.groups for change in group.changes]
    return {"add": sum(new), "change": len(new) - sum(new)}


def _outcomes(results: Results) -> dict[Outcome, int]:
    count = dict.fromkeys(Outcome, 0)
    for result in results.values():
        for outcome, partitions in result.by_outcome().items():
            count[outcome] += len(partitions)
    return count
