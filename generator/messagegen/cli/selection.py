"""The selection of findings for ``lint`` and ``breaking``, from their ``[tool.messagegen]`` tables and flags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from messagegen.config import ConfigError, find_config, load_section
from messagegen.selection import RuleNames, Selection

_KEYS: Final = {
    "use": 'use = ["FIELD_NAME_CASE"]',
    "except": 'except = ["FIELD_NAME_CASE"]',
    "ignore": 'ignore = { "message_specs/drafts" = ["FIELD_NAME_CASE"] }',
    "severity": 'severity = { FIELD_NAME_CASE = "warning" }',
    "against": 'against = "git:main"',
}
"""The keys of the tables, each with a value of its type."""


def read_selection(
    config: Path | None, command: str, names: RuleNames, use: Sequence[str], excluded: Sequence[str]
) -> tuple[Selection, Mapping[str, Any]]:
    """Return the selection by the flags and the table of a command, and the table. Raise ``ConfigError``.

    Paths in the table are relative to its file.
    """
    file = config or find_config(Path.cwd())
    only = "severity" if command == "lint" else "against"
    keys = {key: example for key, example in _KEYS.items() if key in ("use", "except", "ignore", only)}
    table = load_section(file, command, keys) if file else {}
    folder = file.parent.absolute() if file else Path.cwd()
    severities = table.get("severity", {})
    if not {*severities.values()} <= {"error", "warning"}:
        raise ConfigError(f'a severity must be "error" or "warning"; write {_KEYS["severity"]}')
    try:
        selection = names.select(
            use or table.get("use", ()),
            (*excluded, *table.get("except", ())),
            ignored={(folder / path).as_posix(): rules for path, rules in table.get("ignore", {}).items()},
            severities=severities,
            folder=Path.cwd(),
        )
    except ValueError as error:
        raise ConfigError(str(error)) from None
    return selection, table
