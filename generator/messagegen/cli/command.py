"""The command ``messagegen``: its list of commands, and its exit codes.

Exit codes of every command: 0 done or up to date, 1 a check found something, 2 wrong usage or an error, 130
interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pkgutil import resolve_name
from typing import Any, Final

import click

from messagegen.build import BUILD
from messagegen.cli.progress import shown_progress
from messagegen.config import ConfigError
from messagegen.console import running
from messagegen.console.text import printable
from messagegen.findings import SpecError, UsageError, nearest


@dataclass(frozen=True, slots=True)
class _Command:
    """A command: its name, its place as ``MODULE:FUNCTION``, and its line in ``--help``."""

    name: str
    place: str
    summary: str

    def load(self) -> click.Command:
        """Import the command and return it."""
        found: click.Command = resolve_name(self.place)
        return found


_GROUPS: Final = {
    "Start": (
        _Command("init", "messagegen.cli.init:init", "Set up a repository for message specs."),
        _Command(
            "self-check",
            "messagegen.cli.self_check:self_check",
            "Check this installation: versions, native engine, Python.",
        ),
    ),
    "Specs": (
        _Command("lint", "messagegen.cli.lint:lint", "Check the style of message specs."),
        _Command("fmt", "messagegen.cli.fmt:fmt", "Format spec files, or check their format."),
        _Command("rules", "messagegen.cli.rules:rules", "List the rules of all findings, or show one with examples."),
        _Command("schema", "messagegen.cli.schema:schema", "Print the JSON Schema of message specs, for editors."),
        _Command(
            "fetch-specs", "messagegen.cli.fetch_specs:fetch_specs", "Fetch the official specs of a Kafka release."
        ),
    ),
    "Generate": (
        _Command(
            "generate", "messagegen.cli.generate:generate", "Write a Python package from message specs, or check it."
        ),
        _Command("docs", "messagegen.cli.docs:docs", "Write a documentation site for messages."),
    ),
    "Compatibility": (
        _Command("breaking", "messagegen.cli.breaking:breaking", "Find breaking changes in specs."),
        _Command(
            "upgrade-report", "messagegen.cli.upgrade_report:upgrade_report", "Report what an upgrade of specs changes."
        ),
        _Command(
            "merge-specs", "messagegen.cli.merge_specs:merge_specs", "Merge sets of specs into one with all versions."
        ),
    ),
    "Bytes": (
        _Command("explain", "messagegen.cli.explain:explain", "Show what each byte of a message means."),
        _Command("decode", "messagegen.cli.decode:decode", "Decode messages from bytes to JSON."),
        _Command("encode", "messagegen.cli.encode:encode", "Encode messages from JSON to bytes."),
    ),
    "Other implementations": (
        _Command(
            "vectors", "messagegen.cli.vectors:vectors", "Write test vectors of messages, for other implementations."
        ),
        _Command(
            "verify-vectors",
            "messagegen.cli.verify_vectors:verify_vectors",
            "Test another implementation with vectors.",
        ),
        _Command("conformance", "messagegen.cli.conformance:conformance", "Encode and decode messages line by line."),
    ),
}
"""The commands, by the titles of their lists in ``--help``."""
_COMMANDS: Final = {command.name: command for commands in _GROUPS.values() for command in commands}


class _LazyGroup(click.Group):
    """A group that imports a command's module only if the command runs, so that --help and usage errors are fast."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, for click. An empty argument is a usage error, because a shell variable may be unset."""
        # The arguments after -- belong to another command.
        own = args[: args.index("--")] if "--" in args else args
        if any(not argument or (argument.startswith("--") and argument.endswith("=")) for argument in own):
            raise click.UsageError("an argument is empty; is a shell variable not set? Use . for the current folder.")
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, for click, and show its progress."""
        with shown_progress():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click calls it so
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        command = _COMMANDS.get(cmd_name)
        return command.load() if command else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments begin with. The error about an unknown name suggests a similar one."""
        name = args[0]
        if name not in _COMMANDS and not name.startswith("-"):
            near = nearest(name, _COMMANDS)
            advice = f"did you mean {near}?" if near else "`messagegen --help` lists all."
            raise click.UsageError(f"No such command {printable(name)}; {advice}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        width = max(map(len, _COMMANDS))
        for title, commands in _GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{command.name:{width}}", command.summary) for command in commands])


@click.group(cls=_LazyGroup, context_settings=running.CONTEXT_SETTINGS)
@click.version_option(BUILD, prog_name="messagegen")
def messagegen() -> None:
    """Generate typed Python from Kafka-style message specs. Messages encode to the same bytes as in Apache Kafka.

    \b
    Examples:
      messagegen generate                     write the outputs of [tool.messagegen] in pyproject.toml
      messagegen generate --check             write nothing; exit 1 if the output is out of date
      messagegen fetch-specs --output kafka_specs
      messagegen generate --specs kafka_specs --output src/kafka_messages

    Exit codes: 0 done or nothing found, 1 a check found something, 2 wrong usage or an error.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line with ``arguments`` (default: ``sys.argv``) and exit with its code."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code, without a traceback for a broken pipe and Ctrl-C."""
    return running.run(messagegen, "messagegen", arguments, _report)


def _report(error: Exception, arguments: Sequence[str]) -> int:
    """Print an error in the format of ``--format``. Unexpected errors are reported as bugs of messagegen."""
    from messagegen.cli.findings import FORMATS, show_findings

    # Click has not parsed the arguments if they are invalid, so find --format in them.
    words = [word for argument in arguments for word in argument.split("=", 1)]
    form = next((value for name, value in pairwise(words) if name == "--format"), "text")
    form = form if form in FORMATS else "text"
    findings = error.findings if isinstance(error, SpecError) else ()
    if isinstance(error, click.ClickException) and form == "text":
        running.show_usage_error(error)
    else:
        show_findings(findings, form, error=_sentence_of(error), err=True)
    return running.EXIT_ERROR


def _sentence_of(error: Exception) -> str:
    from messagegen.publish.manifest import PublishError

    match error:
        case click.ClickException():
            return error.format_message()
        case SpecError():
            return "the specs have errors"
        case RecursionError() | MemoryError():
            return f"messagegen stopped ({type(error).__name__}): a spec or its configuration is too large"
        case _:
            return running.reason_of(error, (ConfigError, UsageError, PublishError))
