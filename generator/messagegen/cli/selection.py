"""The selection of findings for ``lint`` and ``breaking``, from their ``[tool.messagegen]`` tables and flags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from messagegen.config import ConfigError, find_config, load_section
from messagegen.keys import Key
from messagegen.selection import RuleNames, Selection

_SHARED: Final = (
    Key("use", list[str], ["FIELD_NAME_CASE"]),
    Key("except", list[str], ["FIELD_NAME_CASE"]),
    Key("ignore", dict[str, list[str]], {"message_specs/drafts": ["FIELD_NAME_CASE"]}),
)
_SEVERITY: Final = Key("severity", dict[str, str], {"FIELD_NAME_CASE": "warning"})
KEYS: Final[Mapping[str, Sequence[Key]]] = {
    "lint": (*_SHARED, _SEVERITY),
    "breaking": (*_SHARED, Key("against", str, "git:main")),
}
"""The keys of the table of each command."""


def read_selection(
    config: Path | None, command: str, names: RuleNames, use: Sequence[str], excluded: Sequence[str]
) -> tuple[Selection, Mapping[str, Any]]:
    """Return the selection from the flags and the table of a command, and the table itself. Raise ``ConfigError``.

    Paths in the table are relative to its file.
    """
    file = config or find_config(Path.cwd())
    table = load_section(file, command, KEYS[command]) if file else {}
    folder = file.parent.absolute() if file else Path.cwd()
    severities = table.get("severity", {})
    if not {*severities.values()} <= {"error", "warning"}:
        raise ConfigError(f'a severity must be "error" or "warning"; write {_SEVERITY.line}')
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
