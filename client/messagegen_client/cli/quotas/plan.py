"""A plan as text and JSON."""

from __future__ import annotations

from typing import Final

import click

from messagegen_client.cli.support import plural
from messagegen_client.quotas.file.writing import json_number
from messagegen_client.quotas.names import sanitize, value_text
from messagegen_client.quotas.plan import Action, QuotaChange, QuotaPlan

_COLOURS: Final = {Action.ADD: "green", Action.CHANGE: "yellow", Action.REMOVE: "red"}


def plan_text(plan: QuotaPlan) -> str:
    """The plan in lines that start with ``+``, ``~`` or ``-``, with colours, and a summary."""
    if not plan:
        return "No changes: the cluster has the quotas of the file."
    lines: list[str] = []
    for entity in plan.entities:
        lines.append(_line(entity.action, str(entity.entity)))
        lines += [_line(change.action, _change_text(change), indent="    ") for change in entity.changes]
    count = plan.count()
    parts = ", ".join(f"{count[action]} to {action.name.lower()}" for action in Action)
    return "\n".join([*lines, "", f"{parts}, in {plural(len(plan.entities), 'entity', 'entities')}"])


def plan_json(plan: QuotaPlan) -> dict[str, object]:
    """The plan for ``json.dumps``: each change with its entity, and their numbers."""
    count = plan.count()
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
    return {"changes": changes, **{action.name.lower(): count[action] for action in Action}}


def _line(action: Action, text: str, indent: str = "") -> str:
    return indent + click.style(f"{action.value} {text}", fg=_COLOURS[action])


def _change_text(change: QuotaChange) -> str:
    key = sanitize(change.key)
    if change.before is None or change.after is None:
        value = change.after if change.before is None else change.before
        return f"{key}={value_text(value)}" if value is not None else key
    return f"{key}={value_text(change.before)} -> {value_text(change.after)}"


def _json(value: float | None) -> float | str | None:
    return None if value is None else json_number(value)
