"""Plans and the results of commits, as text and for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import click

from messagegen_client.cli import support
from messagegen_client.errors import KafkaError
from messagegen_client.groups.calls import AlterConsumerGroupOffsetsResult
from messagegen_client.groups.plan import OffsetChange, OffsetPlan
from messagegen_client.outcomes import Outcome
from messagegen_client.text import printable

Results = Mapping[str, AlterConsumerGroupOffsetsResult]
"""The results of each group."""

_SHOWN: Final = 5
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


def plan_json(plan: OffsetPlan) -> dict[str, object]:
    """Each change with its group, their numbers, and why the plan can't be applied."""
    changes = [
        {
            "group": group.group_id,
            "topic": change.partition.topic,
            "partition": change.partition.partition,
            "before": change.before,
            "after": change.after,
        }
        for group in plan.groups
        for change in group.changes
    ]
    return {"changes": changes, **_count(plan), "refused": plan.refusals}


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


def _change_text(change: OffsetChange) -> str:
    partition = printable(str(change.partition))
    if change.before is None:
        return click.style(f"+ {partition}: {change.after}", fg=_ADD)
    return click.style(f"~ {partition}: {change.before} -> {change.after}", fg=_CHANGE)


def _count(plan: OffsetPlan) -> dict[str, int]:
    new = [change.before is None for group in plan.groups for change in group.changes]
    return {"add": sum(new), "change": len(new) - sum(new)}


def _outcomes(results: Results) -> dict[Outcome, int]:
    count = dict.fromkeys(Outcome, 0)
    for result in results.values():
        for outcome, partitions in result.by_outcome().items():
            count[outcome] += len(partitions)
    return count
