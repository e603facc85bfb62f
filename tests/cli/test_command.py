"""The command line: help, exit codes, formats, terminals, pipes and Ctrl-C."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

import messagegen_kafka
from messagegen import evolve, lint
from messagegen.build import BUILD
from messagegen.cli import command as cli
from messagegen.console.running import EXIT_BROKEN_PIPE, EXIT_INTERRUPTED
from messagegen.spec import PURPOSES

COMMANDS = tuple(cli.messagegen.list_commands(click.Context(cli.messagegen)))
PROGRAM = [sys.executable, "-m", "messagegen.cli"]
PING = """// a message of our own
{ "apiKey": 900, "type": "request", "name": "PingRequest", "validVersions": "0-2", "flexibleVersions": "1+",
  "fields": [{ "name": "Text", "type": "string", "versions": "0+", "about": "What to say." }] }
"""
WARNED = PING.replace('"fields"', '"commonStructs": [{ "name": "Row", "versions": "0+" }], "fields"')


SEVERAL = """\
[tool.messagegen]
specs = ["specs"]
[[tool.messagegen.outputs]]
output = "src/one"
[[tool.messagegen.outputs]]
output = "lib/two"
license = "MIT"
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with one spec and a settings table in ``pyproject.toml``."""
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "PingRequest.json").write_text(PING)
    (tmp_path / "pyproject.toml").write_text('[tool.messagegen]\nspecs = ["specs"]\noutput = "src/ping_messages"\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli.run(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


class TestHelp:
    @pytest.mark.parametrize("arguments", [(), *((command,) for command in COMMANDS)])
    def test_every_help_page_has_examples_and_exit_codes(
        self, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
    ) -> None:
        code, out, _ = outcome(capsys, *arguments, "--help")
        assert code == 0
        examples = out.partition("Examples:\n")[2].strip().splitlines()
        assert " ".join(("messagegen", *arguments)) in examples[0]
        told = " ".join(out.partition("Exit codes: ")[2].partition("Options:")[0].split())
        assert re.match(r"0 .*2 .*wrong usage", told)

    def test_help_lists_every_command_by_its_name(self, capsys: pytest.CaptureFixture[str]) -> None:
        _, out, _ = outcome(capsys, "--help")
        listed = re.findall(r"^  ([a-z-]+)  ", out.partition("Options:\n")[2].partition("\n\n")[2], re.MULTILINE)
        assert listed == list(COMMANDS)
        for name in COMMANDS:
            command = cli.messagegen.get_command(click.Context(cli.messagegen), name)
            assert command is not None
            assert command.name == name

    def test_help_does_not_import_heavy_modules(self) -> None:
        heavy = "('black', 'jinja2', 'jsonschema', 'messagegen.spec', 'messagegen.publish')"
        script = f"""import sys; from messagegen.cli import run
assert run(['--help']) == 0
sys.exit(' '.join(name for name in {heavy} if name in sys.modules) or 0)"""
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")

    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            (("generat",), "generat"),
            (("generate", "--spec", "x"), "--specs"),
            (("generate", "--format", "xml"), "'xml' is not one of"),
            (("conformance", "specs", "--package", "messagegen_kafka"), "Pass either specs or --package NAME."),
            (("conformance", "--package", "no.such.package"), "cannot be imported"),
            (("conformance", "--specs", "absent"), "absent"),
        ],
    )
    def test_wrong_usage_exits_with_2(
        self, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], expected: str
    ) -> None:
        code, out, err = outcome(capsys, *arguments)
        assert (code, out) == (2, "")
        assert expected in err

    def test_shells_can_complete_values_of_options(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("_MESSAGEGEN_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", "messagegen generate --format g")
        monkeypatch.setenv("COMP_CWORD", "3")
        assert outcome(capsys)[1] == "plain,github\n"


class TestGenerate:
    def test_generate_writes_the_output_named_in_the_table(
        self, repository: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        code, out, err = outcome(capsys, "generate")
        assert (code, err) == (0, "")
        assert out.startswith("src/ping_messages: 1 message, ")
        assert (repository / "src/ping_messages/ping_request.py").is_file()
        written = len(list((repository / "src/ping_messages").rglob("*.*")))
        assert out.endswith(f" {written} files new\n")
        assert outcome(capsys, "generate") == (0, f"src/ping_messages: 1 message, {written} files unchanged\n", "")

    def test_the_reported_file_counts_include_the_manifest(
        self, repository: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Git reports the same numbers of changed files."""
        outcome(capsys, "generate")
        output = repository / "src/ping_messages"
        manifest = output / "MANIFEST.json"
        manifest.write_text(manifest.read_text().replace(f'"generator": "{BUILD}"', '"generator": "0.0.7"'))
        before = {path: path.read_bytes() for path in output.rglob("*.*")}
        spec = repository / "specs/PingRequest.json"
        spec.write_text(PING.replace("What to say", "What is said"))
        _, out, _ = outcome(capsys, "generate")
        changed = [path.name for path, content in before.items() if path.read_bytes() != content]
        assert sorted(changed) == ["MANIFEST.json", "ping_request.py"]
        assert out.endswith(f": 1 message, 2 files changed, {len(before) - len(changed)} files unchanged\n")

    def test_generate_needs_no_configuration_if_flags_are_given(
        self, repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (repository / "pyproject.toml").unlink()
        output = repository / "deep" / "messages"
        assert outcome(capsys, "generate", "--specs", "specs", "--output", str(output))[0] == 0
        assert (output / "ping_request.py").is_file()

    def test_the_flag_config_works_from_any_folder(
        self, repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (repository / "elsewhere").mkdir()
        monkeypatch.chdir(repository / "elsewhere")
        assert outcome(capsys, "generate", "--config", "../pyproject.toml")[0] == 0
        assert (repository / "src/ping_messages/ping_request.py").is_file()

    def test_check_reports_drift_with_a_diff(self, repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
        outcome(capsys, "generate")
        module = repository / "src/ping_messages/ping_request.py"
        module.write_text("# by hand\n" + module.read_text())
        code, out, err = outcome(capsys, "generate", "--check")
        assert (code, err) == (1, "")
        assert out.startswith("src/ping_messages/ping_request.py was edited\n")
        assert "\n--- on disk/ping_request.py\n+++ generated/ping_request.py\n" in out
        assert "\n-# by hand\n" in out
        assert "1 file out of date. Run `messagegen generate`" in out
        assert outcome(capsys, "generate")[1].startswith("ping_request.py was edited by hand, and was regenerated\n")
        assert outcome(capsys, "generate", "--check")[:2] == (0, "src/ping_messages: up to date with 1 message\n")

    def test_several_outputs_are_generated_and_checked(
        self, repository: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (repository / "pyproject.toml").write_text(SEVERAL)
        code, out, _ = outcome(capsys, "generate")
        assert (code, [line.split(":")[0] for line in out.splitlines()]) == (0, ["src/one", "lib/two"])
        assert outcome(capsys, "generate", "--check")[0] == 0
        (repository / "lib/two/ping_request.py").unlink()
        code, out, _ = outcome(capsys, "generate", "--check", "--format", "json")
        found = [finding["message"] for finding in json.loads(out)["findings"]]
        assert (code, found) == (1, ["lib/two/ping_request.py does not exist"])
        assert outcome(capsys, "generate", "--output", "src/one", "--check")[0] == 0
        assert outcome(capsys, "generate", "--output", "lib/two")[1].startswith("lib/two: 1 message, 1 file new")
        code, out, err = outcome(capsys, "generate", "--message", "PingRequest")
        assert (code, out) == (2, "")
        assert "choose one with --output" in err

    def test_several_outputs_are_written_together_or_not_at_all(
        self, repository: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (repository / "pyproject.toml").write_text(SEVERAL)
        (repository / "lib/two").mkdir(parents=True)
        (repository / "lib/two/notes.txt").write_text("mine")
        code, out, err = outcome(capsys, "generate")
        assert (code, out) == (2, "")
        assert "lib/two is not empty and has no MANIFEST.json" in err
        assert not (repository / "src").exists()

    @pytest.mark.parametrize(
        ("file", "text", "expected"),
        [
            ("src/ping_messages/MANIFEST.json", "[" * 100_000, "MANIFEST.json was not written by messagegen"),
            ("pyproject.toml", f"[tool.messagegen]\nspecs = {'[' * 100_000}", "is not TOML"),
        ],
    )
    def test_malformed_files_are_errors_without_a_traceback(
        self, repository: Path, capsys: pytest.CaptureFixture[str], file: str, text: str, expected: str
    ) -> None:
        outcome(capsys, "generate")
        (repository / file).write_text(text)
        for flags in ((), ("--check",)):
            code, out, err = outcome(capsys, "generate", *flags)
            assert (code, out) == (2, "")
            assert expected in err
            assert "Traceback" not in err

    @pytest.mark.parametrize("flags", [("--error-codes", "kafka"), ()])
    def test_the_error_codes_of_kafka_need_no_file(
        self, repository: Path, capsys: pytest.CaptureFixture[str], flags: tuple[str, ...]
    ) -> None:
        if not flags:
            with (repository / "pyproject.toml").open("a") as table:
                table.write('error_codes = "kafka"\n')
        assert outcome(capsys, "generate", *flags)[0] == 0
        generated = (repository / "src/ping_messages/error_codes.py").read_text()
        own = (Path(messagegen_kafka.__file__).with_name("error_codes.py")).read_text()
        assert generated.partition('"""')[2] == own.partition('"""')[2]
        assert outcome(capsys, "generate", "--check", *flags)[0] == 0

    def test_a_missing_file_of_error_codes_is_reported(
        self, repository: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        code, _, err = outcome(capsys, "generate", "--error-codes", str(repository / "kafka"))
        assert (code, "write kafka for the error codes of Kafka itself" in err) == (2, True)

    def test_error_codes_are_generated_and_checked(self, repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
        errors, output = repository / "errors.json", repository / "src/ping_messages"
        errors.write_text('{ "errors": [{ "code": 0, "name": "NONE" }] }')
        with (repository / "pyproject.toml").open("a") as table:
            table.write('error_codes = "errors.json"\n')
        assert outcome(capsys, "generate")[0] == 0
        assert "NONE = 0" in (output / "error_codes.py").read_text()
        assert outcome(capsys, "generate", "--check")[0] == 0
        errors.write_text('{ "errors": [{ "code": 0, "name": "NONE" }, { "code": 1, "name": "NONE" }] }')
        code, _, err = outcome(capsys, "generate", "--check")
        assert (code, err.split()[:2]) == (2, ["errors.json:1:66:", "ERROR_CODE_UNIQUE"])
        errors.write_text('{ "errors": [{ "code": 0, "name": "NONE" }, { "code": 1, "name": "LATE" }] }')
        code, out, _ = outcome(capsys, "generate", "--check")
        assert (code, out.splitlines()[0]) == (1, "src/ping_messages/error_codes.py would change")
        flags = ("--specs", "specs", "--output", "src/ping_messages")
        assert outcome(capsys, "generate", *flags, "--error-codes", "errors.json")[0] == 0
        assert "LATE = 1" in (output / "error_codes.py").read_text()
        assert outcome(capsys, "generate", *flags)[0] == 0
        assert not (output / "error_codes.py").exists()

    def test_check_names_the_version_that_wrote_the_output(
        self, repository: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        outcome(capsys, "generate")
        manifest = repository / "src/ping_messages/MANIFEST.json"
        manifest.write_text(manifest.read_text().replace(f'"generator": "{BUILD}"', '"generator": "0.0.7"'))
        assert outcome(capsys, "generate", "--check")[0] == 0
        (repository / "src/ping_messages/ping_request.py").unlink()
        code, out, _ = outcome(capsys, "generate", "--check")
        assert code == 1
        assert f"It was written by messagegen 0.0.7, and this is messagegen {BUILD}; run `messagegen generate`" in out

    def test_warnings_are_shown_in_each_format(self, repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (repository / "specs/PingRequest.json").write_text(WARNED)
        warning = "warning: STRUCT_USED "
        for arguments in (["generate"], ["generate", "--check"], ["vectors"]):
            code, out, err = outcome(capsys, *arguments)
            assert (code, err.count("\n")) == (0, len(["finding", "line", "caret"]))
            assert warning in err
        code, out, err = outcome(capsys, "generate", "--format", "json")
        (found,) = json.loads(out)["findings"]
        assert (code, err, found["severity"]) == (0, "", "warning")
        code, out, err = outcome(capsys, "generate", "--format", "github")
        assert (code, err) == (0, "")
        assert out.startswith("::warning file=")

    @pytest.mark.parametrize("name", ["a\nB.json:1:1: RULE forged.json", "\x1b[31mred.json", "\udcff.json"])
    def test_a_hostile_file_name_cannot_forge_a_finding(
        self, repository: Path, capsys: pytest.CaptureFixture[str], name: str
    ) -> None:
        (repository / "specs" / name).write_text("{")
        for arguments in (["generate"], ["generate", "--format", "github"], ["vectors"]):
            code, out, err = outcome(capsys, *arguments)
            lines = (out + err).splitlines()
            assert code == 2
            assert sum("SPEC_TEXT_JSON" in line for line in lines) == 1
            assert all(line.isprintable() for line in lines)
            assert not any(line.startswith("B.json") for line in lines)

    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            (("--message", "PongRequest"), "PongRequest"),
            (("--specs", "absent"), "absent"),
            (("--output", "src/ping-messages"), "must be an identifier"),
            (("--output", "specs"), "specs is not empty and has no MANIFEST.json"),
            (("--config", "absent.toml"), "absent.toml cannot be read"),
            (("--error-codes", "absent.json"), "no such file of error codes: absent.json"),
        ],
    )
    def test_invalid_arguments_exit_with_2(
        self, repository: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], expected: str
    ) -> None:
        code, out, err = outcome(capsys, "generate", *arguments)
        assert (code, out) == (2, "")
        assert err.startswith("Error: ")
        assert expected in err

    def test_generate_without_a_table_or_flags_is_an_error(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        code, _, err = outcome(capsys, "generate")
        assert code == 2
        assert (
            "no specs; pass --specs DIR, write specs under [tool.messagegen] in pyproject.toml, "
            "or run `messagegen init`" in err
        )


class TestOtherCommands:

    def test_rules_are_listed_as_text_and_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, _ = outcome(capsys, "rules")
        assert code == 0
        listed = [line.split()[0] for line in out.splitlines()]
        assert len(listed) == len(set(listed))
        ids = {*PURPOSES, *(rule.id for rule in lint.RULES), *(rule.id for rule in evolve.RULES)}
        assert ids < set(listed)
        code, out, _ = outcome(capsys, "rules", "--format", "json")
        assert list(json.loads(out)) == listed


class TestTerminals:
    def test_a_broken_pipe_is_quiet(self) -> None:
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run([*PROGRAM, "rules"], stdout=writing, stderr=subprocess.PIPE, check=False)
        os.close(writing)
        assert (done.returncode, done.stderr) == (EXIT_BROKEN_PIPE, b"")

    def test_control_c_prints_no_traceback(self, repository: Path) -> None:
        process = subprocess.Popen(
            [*PROGRAM, "conformance", "--specs", "specs"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Shells make background processes ignore the signal, so restore the default.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - one thread
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"{}\n")
        process.stdin.flush()
        assert b"error" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
        assert process.returncode == EXIT_INTERRUPTED
        assert b"Traceback" not in err

    @pytest.mark.slow
    def test_colours_are_shown_only_on_terminals(self, repository: Path) -> None:
        assert "\x1b[" not in on_terminal({"NO_COLOR": "1"})
        (repository / "src/ping_messages/ping_request.py").write_text("by hand\n")
        assert "\x1b[31m-by hand\x1b[0m" in on_terminal({}, "--check")
        assert "\x1b[31m" not in on_terminal({"NO_COLOR": "1"}, "--check")


def on_terminal(environment: dict[str, str], *arguments: str) -> str:
    """Run ``messagegen generate`` with standard output and standard error on a terminal, and return what it prints."""
    master, slave = pty.openpty()
    variables = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    variables |= {"TERM": "xterm-256color", "COLUMNS": "100", **environment}
    process = subprocess.Popen([*PROGRAM, "generate", *arguments], stdout=slave, stderr=slave, env=variables)
    os.close(slave)
    printed = b""
    while True:
        try:
            chunk = os.read(master, 65536)
        except OSError:  # Linux raises an error when the other end is closed.
            break
        if not chunk:
            break
        printed += chunk
    os.close(master)
    process.wait()
    return printed.decode()
