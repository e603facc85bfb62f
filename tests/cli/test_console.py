"""The console kit: commands of all distributions print foreign text safely, and use the same exit codes."""

from __future__ import annotations

import ast
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import click
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import messagegen.console
import messagegen_arrow.console
import messagegen_client.console
from messagegen.cli import run
from messagegen.cli.command import _COMMANDS
from messagegen.console.running import EXIT_BROKEN_PIPE, EXIT_INTERRUPTED
from messagegen.console.text import aligned, json_text, printable, printable_document, printable_lines, shown_width
from messagegen_client.cli.quotas.command import EXIT_USAGE
from tests.cli.programs import CASES, FAILED, GROUPS, exit_code, inner_command
from tests.imports.code import CONSOLE, modules_of, room_of, tree_of
from tests.imports.rooms import ARROW, CLIENT, GENERATOR, SPARK, TESTING
from tests.support.commands import SCRIPTS
from tests.support.hostile import (
    BIDIRECTIONAL,
    CONTROLS,
    FORGED,
    SEPARATORS,
    is_safe,
    print_as_to_a_terminal,
    unsafe_lines,
)

COMMANDS_OF_CI = ["::error::x", "  ::set-output name=a::b", "##[error]x", "x ##[add-mask]y", "##vso[task.complete]"]


@pytest.mark.parametrize("character", [*CONTROLS, *SEPARATORS, *BIDIRECTIONAL])
def test_characters_that_control_a_terminal_are_escaped(character: str) -> None:
    assert printable(f"a{character}b") == f"a\\u{ord(character):04x}b"


@pytest.mark.parametrize("text", COMMANDS_OF_CI)
def test_text_that_looks_like_a_ci_command_is_made_safe(text: str) -> None:
    assert not is_safe(text)
    assert is_safe(printable(text))


def test_characters_above_u_ffff_are_escaped_with_eight_digits() -> None:
    assert printable("\U000e0001") == "\\U000e0001"
    assert printable("💥 ü 日") == "💥 ü 日"


TEXTS = st.lists(st.sampled_from([*CONTROLS, *SEPARATORS, *BIDIRECTIONAL, "::", "##", "[", " ", "vso", "é", "😀"])).map(
    "".join
)


@given(TEXTS | st.text())
def test_every_text_becomes_a_safe_line(text: str) -> None:
    assert is_safe(printable(text))
    assert all(map(is_safe, printable_lines(text).split("\n")))
    plain = "".join(each for each in text if each.isprintable() and each not in ":#")
    assert printable(plain) == plain


@given(TEXTS | st.text(st.characters(exclude_categories=["Cs"])))
def test_documents_are_safe_and_keep_their_values(text: str) -> None:
    for ensure_ascii in (False, True):
        document = json_text({text: [text]}, ensure_ascii=ensure_ascii)
        assert all(map(is_safe, document.split("\n")))
        assert json.loads(document) == {text: [text]}
    quoted = printable_document(yaml.safe_dump(text, allow_unicode=True, default_style='"', width=1 << 30), wide=True)
    assert all(map(is_safe, quoted.split("\n")))
    assert yaml.safe_load(quoted) == text


def test_columns_are_aligned_by_their_width_on_a_terminal() -> None:
    lines = aligned([("name", "bytes"), ("日本", "1"), ("e\u0301", "10")], {1})
    assert lines == ["name  bytes", "日本      1", "e\u0301        10"]
    assert {shown_width(line) for line in lines} == {11}


def test_all_distributions_share_the_same_console_kit() -> None:
    folders = {Path(kit.__path__[0]).resolve() for kit in (messagegen.console, messagegen_client.console)}
    assert folders == {Path(messagegen_arrow.console.__path__[0]).resolve()}


PRINTED_ELSEWHERE: Final = {
    "messagegen/cli/encode.py": "the bytes of a message",
    "messagegen/cli/findings.py": "commands to GitHub, with escaped texts",
    "messagegen/cli/fmt.py": "a formatted spec, and paths that were checked",
    "messagegen/cli/rules.py": "texts of our own, with styles inside a line",
    "messagegen/cli/schema.py": "a schema of our own",
    "messagegen_arrow/cli/rows.py": "rows that were made safe",
    "messagegen_arrow/cli/state/command.py": "documents and tables that were made safe",
    "messagegen_client/cli/support.py": "documents and tables that were made safe",
}
"""The modules that print without the kit, and what each prints."""


def prints(node: ast.AST) -> bool:
    """Whether a syntax node prints without the kit."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id == "print"
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return (node.value.id, node.attr) in {("click", "echo"), ("click", "secho")}
    return isinstance(node, ast.Attribute) and node.attr == "write" and ast.unparse(node.value).startswith("sys.std")


def test_only_listed_modules_print_without_the_console_kit() -> None:
    found = {
        path.relative_to(root.parent).as_posix()
        for root in (GENERATOR, CLIENT, ARROW)
        for path in modules_of(root)
        if room_of(path, root) != CONSOLE and any(map(prints, ast.walk(tree_of(path))))
    }
    assert found == set(PRINTED_ELSEWHERE)


def defined_in(path: Path) -> set[str]:
    """Return the names of a module's functions and classes."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {node.name for node in tree_of(path).body if isinstance(node, kinds)}


def test_no_other_module_defines_functions_of_the_kit() -> None:
    of_kit = [path for path in modules_of(GENERATOR) if room_of(path, GENERATOR) == CONSOLE]
    names = {name for path in of_kit for name in defined_in(path) if not name.startswith("_")} - {"run"}
    assert {"WholeNumber", "Seconds", "printable", "doubt_about", "iso", "aligned", "reason_of"} <= names
    for root in (GENERATOR, CLIENT, TESTING, ARROW, SPARK):
        for path in modules_of(root):
            if room_of(path, root) != CONSOLE:
                assert not names & {name.lstrip("_") for name in defined_in(path)}, path


@pytest.mark.parametrize(("name", "words"), CASES)
@pytest.mark.parametrize(
    "error",
    [
        OSError(2, "No such file", FORGED),
        click.ClickException(FORGED),
        click.UsageError(FORGED),
        RuntimeError(FORGED),
    ],
    ids=lambda error: type(error).__name__,
)
def test_foreign_text_in_errors_is_escaped(
    name: str,
    words: tuple[str, ...],
    error: Exception,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    print_as_to_a_terminal(monkeypatch)
    assert exit_of(name, words, error, monkeypatch) == expected(name, error)
    out, err = capfd.readouterr()
    assert out == ""
    assert unsafe_lines(err) == []
    assert "Error: " in err
    assert "\\u202e" in err


@pytest.mark.parametrize(("name", "words"), CASES)
@pytest.mark.parametrize("error", [KeyboardInterrupt(), click.Abort()], ids=["Ctrl-C", "abort"])
def test_an_interrupted_command_prints_nothing(
    name: str,
    words: tuple[str, ...],
    error: BaseException,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert exit_of(name, words, error, monkeypatch) == EXIT_INTERRUPTED
    assert capfd.readouterr() == ("", "")


def expected(name: str, error: Exception) -> int:
    if not isinstance(error, click.UsageError):
        return FAILED[name]
    return EXIT_USAGE if name == "kafka-client-quotas" else 2


def exit_of(name: str, words: tuple[str, ...], error: BaseException, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return the exit code of a command that raises ``error`` before it reads its arguments."""

    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(inner_command(name, words), "parse_args", fails)
    code = exit_code(name, [*words, "--some-option"])
    assert isinstance(code, int)
    return code


PIPE_BREAKS = """
import importlib, os, sys, click
from messagegen_client.cli.quotas.command import EXIT_USAGE
from tests.cli.programs import CASES, inner_command
def prints(*_):
    click.echo("x" * 4096)
name, place = sys.argv[1:]
module, function = place.split(":")
main = getattr(importlib.import_module(module), function)
for words in [words for other, words in CASES if other == name]:
    if not os.fork():
        inner_command(name, words).parse_args = prints
        main([*words, "--some-option"])
    print(os.waitstatus_to_exitcode(os.wait()[1]), file=sys.stderr)
"""
"""A program that prints the exit code of each command of a script whose standard output is a closed pipe."""


@pytest.mark.slow
@pytest.mark.parametrize("name", GROUPS)
def test_a_broken_pipe_is_quiet(name: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    program = [sys.executable, "-c", PIPE_BREAKS, name, SCRIPTS[name]]
    done = subprocess.run(program, stdout=writing, stderr=subprocess.PIPE, check=False, text=True)
    os.close(writing)
    commands = [words for other, words in CASES if other == name]
    assert done.stderr.split() == [str(EXIT_BROKEN_PIPE)] * len(commands)


@pytest.mark.parametrize("name", GROUPS)
def test_shells_can_load_completions(
    name: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(f"_{name}_COMPLETE".replace("-", "_").upper(), "bash_source")
    assert exit_code(name, []) == 0
    assert f"complete -o nosort -F _{name.replace('-', '_')}_completion {name}" in capfd.readouterr().out


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif"])
def test_foreign_names_in_findings_are_escaped(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["::error::a.json", "##[error]b.json", "c\u202e\x85\u2028.json", "d\n::error::e.json"]
    specs = [Path("::warning::specs", name) for name in names]
    specs[0].parent.mkdir()
    for spec in specs:
        spec.write_text("{", encoding="utf-8")
    print_as_to_a_terminal(monkeypatch)
    run(["lint", "::warning::specs", "--format", form])
    out, err = capfd.readouterr()
    ours = ("::error file=", "::error title=messagegen")
    lines = [line.removeprefix("::") if line.startswith(ours) else line for line in (out + err).split("\n")]
    assert unsafe_lines("\n".join(lines)) == []


HOSTILE: Final = "x\u2028::stop-commands::y\x9b2J\u202e ##[error]z"
"""Text without ASCII control characters, so that a line of a spec can contain it."""
READING: Final = (
    '{ "type": "data", "name": "Reading", "validVersions": "%s", "flexibleVersions": "0+", // %s\n'
    '"about": "%s",\n"fields": [{ "name": "name", "type": "%s", "versions": "0+", "default": "%s", "wrong": 1 }] }\n'
)
COMMANDS: Final[dict[str, tuple[str, ...]]] = {
    "lint": ("lint", "specs"),
    "lint ##": ("lint", "##[error]specs"),
    "fmt": ("fmt", "--check", "specs"),
    "fmt list": ("fmt", "--list", "specs"),
    "generate": ("generate",),
    "generate --check": ("generate", "--check"),
    "docs": ("docs", "valid", "--output", "site"),
    "breaking": ("breaking", "--specs", "valid", "--against", "old"),
    "breaking of a commit": ("breaking", "--specs", "valid", "--against", f"git:{HOSTILE}"),
    "upgrade-report": ("upgrade-report", "--from", "old", "--to", "valid"),
    "upgrade-report --format markdown": ("upgrade-report", "--from", "old", "--to", "valid", "--format", "markdown"),
    "fetch-specs": ("fetch-specs", "--check", "--output", "fetched"),
    "merge-specs": ("merge-specs", "old", "valid", "--output", f"merged {HOSTILE}"),
    "explain": ("explain", "--message", "Reading", "--version", "1", "message.hex", "valid"),
    "decode": ("decode", "--message", "Reading", "--version", "1", "message.hex", "valid"),
    "encode": ("encode", "--message", "Reading", "--version", "1", "wrong.json", "valid"),
    "vectors": ("vectors", "valid"),
    "verify-vectors": ("verify-vectors", "--specs", "valid", "--", sys.executable, "-c", f"print({HOSTILE!r})"),
    "conformance": ("conformance", "valid"),
    "unknown message": ("vectors", "valid", "--message", HOSTILE),
    "unknown rule": ("rules", HOSTILE),
    "init": ("init", f"new {HOSTILE}"),
}
"""Commands that each print foreign text, from specs, file names, bytes or arguments."""


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    string = HOSTILE.encode()
    for folder, version, kind, default in (("specs", "0", "string", HOSTILE), ("##[error]specs", "0", "string", "a")):
        Path(folder).mkdir()
        text = READING % (version, HOSTILE, HOSTILE, kind, default)
        Path(folder, "Reading.json").write_text(text, encoding="utf-8")
    for folder, version, kind, default in (("old", "0-1", "int32", "1"), ("valid", "0-2", "string", HOSTILE)):
        Path(folder).mkdir()
        text = READING.replace(', "wrong": 1', "") % (version, HOSTILE, HOSTILE, kind, default)
        Path(folder, "Reading.json").write_text(text, encoding="utf-8")
    Path("fetched/kafka-clients").mkdir(parents=True)
    Path("fetched/messagegen-specs.lock").write_text('{"lockVersion": 1, "release": "1.0", "artifacts": {}}')
    Path("fetched/kafka-clients", f"a\n{HOSTILE}.json").write_text("{}")
    Path("message.hex").write_text((bytes([len(string) + 1]) + string + b"\0").hex())
    Path("wrong.json").write_text(json.dumps({"name": "a", HOSTILE: 1}))
    Path("pyproject.toml").write_text('[tool.messagegen]\nspecs = ["valid"]\noutput = "readings"\n')
    run(["generate"])
    generated = Path("readings/reading.py")
    generated.write_text(f"{generated.read_text(encoding='utf-8')}\n::error::x\n# {HOSTILE}\n", encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps({"op": HOSTILE}).encode() + b"\n")))
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
def test_foreign_text_is_escaped_in_every_output(
    hostile: Path, name: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    print_as_to_a_terminal(monkeypatch)
    capfd.readouterr()
    run(COMMANDS[name])
    out, err = capfd.readouterr()
    assert out + err
    assert unsafe_lines(out + err) == []


def test_every_command_is_tested_with_foreign_text() -> None:
    assert {words[0] for words in COMMANDS.values()} == set(_COMMANDS) - {"self-check", "schema"}
