"""The programs of all distributions, with all their commands."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import click
import pytest

from tests.support.commands import SCRIPTS

GROUPS: dict[str, click.Command] = {
    "messagegen": importlib.import_module("messagegen.cli.command").messagegen,
    "messagegen-data": importlib.import_module("messagegen_arrow.cli.command").messagegen_data,
    "kafka-client-quotas": importlib.import_module("messagegen_client.cli.quotas.command").quotas,
    "kafka-offsets": importlib.import_module("messagegen_client.cli.offsets.command").offsets,
}
FAILED = {"messagegen": 2, "messagegen-data": 2, "kafka-client-quotas": 1, "kafka-offsets": 1}
"""The exit code of a command that failed. In ``kafka-client-quotas``, 2 has a different meaning."""


def commands_of(name: str) -> Iterator[tuple[str, ...]]:
    """Yield the words that call the command and each of its subcommands."""
    yield ()
    command = GROUPS[name]
    if isinstance(command, click.Group):
        for inner in command.list_commands(click.Context(command)):
            yield (inner,)


CASES = [(name, words) for name in GROUPS for words in commands_of(name)]


def inner_command(name: str, words: tuple[str, ...]) -> click.Command:
    """Return the command that ``words`` call."""
    command = GROUPS[name]
    for word in words:
        assert isinstance(command, click.Group)
        inner = command.get_command(click.Context(command), word)
        assert inner is not None
        command = inner
    return command


def exit_code(name: str, arguments: list[str]) -> Any:
    module, function = SCRIPTS[name].split(":")
    with pytest.raises(SystemExit) as left:
        getattr(importlib.import_module(module), function)(arguments)
    return left.value.code
