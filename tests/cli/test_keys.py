"""Each configuration key changes the results of the commands that read it. A key that a command ignores fails here."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click
import pytest

from messagegen.cli import run
from messagegen.cli.command import messagegen
from messagegen.cli.selection import KEYS
from messagegen.config import OUTPUT_KEYS, TABLE_KEYS

BASE: Final = {"specs": '["specs"]', "output": '"src/reading_messages"'}
VALUES: Final[Mapping[str, str]] = {
    "specs": '["other"]',
    "output": '"src/other_messages"',
    "messages": '["Rep*"]',
    "exclude": '["Rep*"]',
    "brokers": '"2.4"',
    "versions": '{ Reading = "1" }',
    "error_codes": '"errors.json"',
    "include": '["strategies"]',
    "options": "{ python = { shared = true } }",
    "license": '"MIT"',
    "required_version": '"99"',
    "outputs": '[{ output = "src/one" }, { output = "src/two", specs = ["other"] }]',
}
"""A value for each key, with a different result than the default. ``breaking`` and ``lint`` have their own keys."""

OF_SPECS: Final = {"specs", "required_version", "outputs"}
OF_MESSAGES: Final = OF_SPECS | {"messages", "exclude", "brokers", "versions"}
USED: Final[Mapping[str, tuple[Sequence[str], set[str]]]] = {
    "generate": ((), set(VALUES)),
    "docs": (("--output", "site"), OF_SPECS),
    "lint": ((), OF_SPECS),
    "fmt": (("--check",), OF_SPECS),
    "breaking": (("--against", "old"), OF_SPECS),
    "upgrade-report": (("--from", "old"), OF_SPECS),
    "conformance": ((), OF_MESSAGES),
    "vectors": ((), OF_MESSAGES),
    "verify-vectors": (("--", sys.executable, "-c", "for line in open(0): print('{}')"), OF_MESSAGES),
    "decode": (("--message", "Another", "--version", "0"), OF_SPECS),
    "encode": (("--message", "Another", "--version", "0"), OF_SPECS),
    "explain": (("--message", "Another", "--version", "0"), OF_SPECS),
}
"""Arguments for each command with ``--config``, and the keys that change the command's result."""


INPUT: Final[Mapping[str, str]] = {
    "encode": "{}",
    "conformance": "".join(
        f'{{"op": "decode", "message": "{name}", "version": 0, "hex": "{data}"}}\n'
        for name, data in (("Reading", "00"), ("Report", ""), ("Asked", ""), ("Another", ""))
    ),
}


def spec(name: str, *fields: str, versions: str = "0-1", **others: object) -> str:
    listed = [
        {"name": field, "type": "int8", "versions": "0+", "about": "" if field == "Plain" else "A field."}
        for field in fields
    ]
    properties = {"type": "data", "name": name, "validVersions": versions, "flexibleVersions": "none"}
    return json.dumps(properties | others | {"fields": listed})


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    specs = {
        "specs": [spec("Reading", "Size"), spec("Report"), spec("Asked", type="request", apiKey=3)],
        "other": [spec("Reading", "Size", "Plain"), spec("Another")],
        "old": [spec("Reading", "Size", versions="0"), spec("Report"), spec("Gone")],
    }
    for folder, texts in specs.items():
        (tmp_path / folder).mkdir()
        for text in texts:
            (tmp_path / folder / f"{json.loads(text)['name']}.json").write_text(text, encoding="utf-8")
    codes = [{"name": "NONE", "code": 0, "about": "No error.", "retriable": False}]
    (tmp_path / "errors.json").write_text(json.dumps({"name": "ErrorCode", "codes": codes}), encoding="utf-8")
    return tmp_path


def options_of(name: str) -> set[str]:
    command = messagegen.get_command(click.Context(messagegen), name)
    assert command is not None
    return {parameter.name or "" for parameter in command.params}


def test_every_command_with_a_configuration_is_tested() -> None:
    names = messagegen.list_commands(click.Context(messagegen))
    assert {name for name in names if "config" in options_of(name)} == set(USED)


def test_every_configuration_key_is_tested() -> None:
    assert {key.name for key in TABLE_KEYS} == set(VALUES) | set(KEYS)
    assert {key.name for key in OUTPUT_KEYS} < set(VALUES)


def result_of(
    folder: Path, table: Mapping[str, str], arguments: Sequence[str], capfd: pytest.CaptureFixture[str]
) -> Any:
    """Run a command, and return its exit code, its output and the files that it wrote."""
    lines = [f"{key} = {value}" for key, value in table.items()]
    (folder / "pyproject.toml").write_text("\n".join(["[tool.messagegen]", *lines]), encoding="utf-8")
    before = {path: path.read_bytes() for path in files_of(folder)}
    code = run(list(arguments))
    written = {path: path.read_bytes() for path in files_of(folder)}
    for path in written.keys() - before.keys():
        path.unlink()
    # Packages loaded in one process have different numbers, so replace the numbers.
    printed = re.sub(r"(messagegen_loaded_)\d+", r"\1N", "\n".join(capfd.readouterr()))
    return code, printed, written.items() - before.items()


def files_of(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


class _Input:
    """Standard input that is not a terminal."""

    def __init__(self, text: str) -> None:
        self.buffer = io.BytesIO(text.encode())

    def isatty(self) -> bool:
        return False


@pytest.mark.slow
@pytest.mark.parametrize("command", USED)
def test_only_the_keys_of_a_command_change_its_result(
    command: str, repository: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    words, used = USED[command]
    found: dict[str, Any] = {}
    for key in ("", *VALUES):
        monkeypatch.setattr("sys.stdin", _Input(INPUT.get(command, "")))
        table = BASE | {key: VALUES[key]} if key else BASE
        found[key] = result_of(repository, table, [command, *words], capfd)
    assert {key for key in VALUES if found[key] != found[""]} == used


RULES: Final[Mapping[str, Mapping[str, str]]] = {
    "lint": {
        "use": '["LATEST_VERSION_FLEXIBLE"]',
        "except": '["LATEST_VERSION_FLEXIBLE"]',
        "ignore": '{ "other" = ["LATEST_VERSION_FLEXIBLE"] }',
        "severity": '{ LATEST_VERSION_FLEXIBLE = "warning" }',
    },
    "breaking": {
        "use": '["FIELD_SAME_TYPE"]',
        "except": '["MESSAGE_NOT_REMOVED"]',
        "ignore": '{ "old" = ["MESSAGE_NOT_REMOVED"] }',
        "against": '"other"',
    },
}
"""A value for each key in the configuration tables of commands."""


@pytest.mark.parametrize("command", KEYS)
def test_each_key_in_the_table_of_a_command_changes_its_result(
    command: str, repository: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert {key.name for key in KEYS[command]} == set(RULES[command])
    base = BASE | ({"specs": '["other"]'} if command == "lint" else {})
    default = {"against": '"old"'} if command == "breaking" else {}
    without: Any = None
    for key, value in [("", ""), *RULES[command].items()]:
        own = default | ({key: value} if key else {})
        table = base | {f"{command}.{name}": text for name, text in own.items()}
        result = result_of(repository, table, [command], capfd)
        assert result[0] in (0, 1), result
        without = without or result
        assert not key or result != without, key
