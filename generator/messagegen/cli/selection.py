"""Selects the findings that ``lint`` and ``breaking`` report, from their ``[tool.messagegen]`` tables and flags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from messagegen.config import ConfigError, find_config, load_section
from messagegen.findings import Severity
from messagegen.selection import RuleNames, Selection

SELECTION_KEYS = ("use", "except", "ignore")


def read_section(config: Path | None, name: str, *keys: str) -> tuple[Mapping[str, object], Path]:
    """The table of a command, which may have ``keys`` in addition to those of a selection, and the folder of its file.

    Raises ``ConfigError``.
    """
    file = config or find_config(Path.cwd())
    if file is None:
        return {}, Path.cwd()
    return load_section(file, name, (*SELECTION_KEYS, *keys)), file.parent.absolute()


def read_selection(
    section: Mapping[str, object], folder: Path, names: RuleNames, use: Sequence[str], excluded: Sequence[str]
) -> Selection:
    """The selection from a table and flags; the paths of the table are relative to ``folder``. Raises ``ConfigError``."""
    severities = _table(section, "severity", "warning")
    if not all(severity in ("error", "warning") for severity in severities.values()):
        raise ConfigError(
            'a severity must be "error" or "warning"; write severity = { FIELD_ABOUT_WRITTEN = "warning" }'
        )
    try:
        return names.select(
            use or _names(section.get("use", [])),
            (*excluded, *_names(section.get("except", []))),
            ignored={
                (folder / path).as_posix(): _names(rules) for path, rules in _table(section, "ignore", "RULE").items()
            },
            severities=cast("Mapping[str, Severity]", severities),
            folder=Path.cwd(),
        )
    except ValueError as error:
        raise ConfigError(str(error)) from None


def _table(section: Mapping[str, object], key: str, example: str) -> Mapping[str, object]:
    value = section.get(key, {})
    if not isinstance(value, dict):
        raise ConfigError(f'{key} must be a table; write {key} = {{ NAME = "{example}" }}')
    return cast("dict[str, object]", value)


def _names(value: object) -> list[str]:
    """The names of a list, or a single one; what is no name is not that of a rule either."""
    return list(map(str, cast("list[object]", value) if isinstance(value, list) else [value]))
