"""Plans and the results of alterations, as text and for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import click

from messagegen_client.cli import support
from messagegen_client.console.text import count, printable
from messagegen_client.outcomes import Outcome
from messagegen_client.quotas.entities import ClientQuotaEntity
from messagegen_client.quotas.file.writing import json_number
from messagegen_client.quotas.names import key_text, value_text
from messagegen_client.quotas.plan import Action, QuotaChange, QuotaPlan
from messagegen_client.quotas.resolution import ResolvedQuota
from messagegen_client.quotas.results import AlterClientQuotasResult

_SHOWN: Final = 5
_COLOURS: Final = {Action.ADD: "green", Action.CHANGE: "yellow", Action.REMOVE: "red"}


def described_text(described: Mapping[ClientQuotaEntity, Mapping[str, float]]) -> str:
    """Return each entity as a line ``{type=name, ...}``, followed by a line ``quota=value`` for each of its quotas."""
    lines: list[str] = []
    for entity, values in described.items():
        lines.append(f"{entity}\n")
        lines += [f"{key_text(key)}={value_text(value)}\n" for key, value in values.items()]
    return "".join(lines)


def resolved_text(resolved: Mapping[str, ResolvedQuota]) -> str:
    """Return a line ``quota=value {source}`` for each quota."""
    return "".join(f"{key_text(key)}={value_text(quota.value)} {quota.source}\n" for key, quota in resolved.items())


def plan_text(plan: QuotaPlan) -> str:
    """Return the plan in lines that start with ``+``, ``~`` or ``-``, with colours, and a summary."""
    if not plan:
        return "No changes: the cluster has the quotas of the file.\n"
    lines: list[str] = []
    for entity in plan.entities:
        lines.append(_line(entity.action, str(entity.entity)))
        lines += ["    " + _line(change.action, _change_text(change)) for change in entity.changes]
    counts = plan.count()
    parts = ", ".join(f"{counts[action]} to {action.name.lower()}" for action in Action)
    return "\n".join([*lines, "", f"{parts}, in {count(len(plan.entities), 'entity', 'entities')}", ""])


def plan_json(plan: QuotaPlan) -> dict[str, object]:
    """Return each change with its entity, and the numbers of changes."""
    counts = plan.count()
    changes = [
        {
            "entity": dict(entity.entity),
            "quota": change.key,
            "before": _json(change.before),
            "after": _json(change.after),
        }
        for entity in plan.entities
        for change in entity.changes
    ]
    return {"changes": changes, **{action.name.lower(): counts[action] for action in Action}}


def result_text(results: AlterClientQuotasResult, *, validate_only: bool) -> str:
    """Return the number of altered entities, and the number for every other outcome that occurred."""
    found = results.by_outcome()
    done = "valid, nothing was changed" if validate_only else "altered"
    first = f"{count(len(found[Outcome.DONE]), 'entity', 'entities')} {done}"
    others = [outcome for outcome in Outcome if found[outcome] and outcome is not Outcome.DONE]
    return ", ".join([first, *(f"{len(found[outcome])} {outcome.replace('_', ' ')}" for outcome in others)]) + "\n"


def result_json(results: AlterClientQuotasResult) -> dict[str, object]:
    """Return the number of entities with each outcome, and the outcome and error of each entity."""
    counts = {outcome.value: len(entities) for outcome, entities in results.by_outcome().items()}
    altered = [
        {"entity": dict(entity), "outcome": Outcome.of(error).value, "error": error and support.error_json(error)}
        for entity, error in results.items()
    ]
    return {"counts": counts, "altered": altered}


def refused_json(results: AlterClientQuotasResult) -> list[dict[str, object]]:
    """Return the entities that the broker refuses, with their errors."""
    return [{"entity": dict(entity), "error": support.error_json(error)} for entity, error in results.errors.items()]


def show_errors(results: AlterClientQuotasResult) -> int:
    """Print errors on standard error, with the first few entities of each outcome. Returns the exit code."""
    found = results.by_outcome()
    for outcome, entities in found.items():
        if outcome is not Outcome.DONE:
            for entity in entities[:_SHOWN]:
                text = str(results[entity])
                support.complain(text if str(entity) in text else f"{entity}: {text}")
            if len(entities) > _SHOWN:
                support.complain(f"{len(entities) - _SHOWN} more {outcome.replace('_', ' ')}")
    if found[Outcome.UNKNOWN]:
        support.note("To see what was changed, describe these quotas, or run plan again.")
    return support.EXIT_FAILED if results.errors else 0


def _line(action: Action, text: str) -> str:
    return click.style(printable(f"{action.value} {text}"), fg=_COLOURS[action])


def _change_text(change: QuotaChange) -> str:
    values = [value_text(value) for value in (change.before, change.after) if value is not None]
    return f"{key_text(change.key)}={' -> '.join(values)}"


def _json(value: float | None) -> float | str | None:
    return None if value is None else json_number(value)
