"""Selects the findings that ``lint`` and ``breaking`` report, from their ``[tool.messagegen]`` tables and flags."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import click

from messagegen.config import ConfigError, find_config, load_section
from messagegen.findings import Severity
from messagegen.selection import RuleNames, Selection

SELECTION_KEYS = ("use", "except", "ignore")


def use_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The flags ``--use`` and ``--except``."""
    for option, name, which in (("--except", "excluded", "Not"), ("--use", "use", "Only")):
        help_text = f"{which} this rule or category (repeatable)."
        command = click.option(option, name, multiple=True, metavar="RULE", help=help_text)(command)
    return command


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
    category, *_ = names.default
    example = f'["{category}"]'
    ignored = _table(section, "ignore", f'{{ "message_specs/drafts" = {example} }}')
    severities = _table(section, "severity", '{ FIELD_ABOUT_WRITTEN = "warning" }')
    if not set(severities.values()) <= {"error", "warning"}:
        raise ConfigError(
            'a severity must be "error" or "warning"; write severity = { FIELD_ABOUT_WRITTEN = "warning" }'
        )
    chosen = use or _texts(section, "use", example)
    if not chosen and "use" in section:
        raise ConfigError(f"use is empty; write use = {example}, or remove it")
    try:
        return names.select(
            chosen,
            (*excluded, *_texts(section, "except", example)),
            ignored={(folder / path).as_posix(): _texts(ignored, path, example) for path in ignored},
            severities=cast("Mapping[str, Severity]", severities),
            folder=Path.cwd(),
        )
    except ValueError as error:
        raise ConfigError(str(error)) from None


def _table(section: Mapping[str, object], key: str, example: str) -> Mapping[str, object]:
    value = section.get(key, {})
    if not isinstance(value, dict):
        raise ConfigError(f"{key} must be a table; write {key} = {example}")
    return cast("dict[str, object]", value)


def _texts(table: Mapping[str, object], key: str, example: str) -> tuple[str, ...]:
    value = table.get(key, [])
    items = cast("list[object]", value) if isinstance(value, list) else [None]
    texts = tuple(item for item in items if isinstance(item, str))
    if len(texts) != len(items):
        raise ConfigError(f"{key} must be a list of rules and categories; write {example}")
    return texts
