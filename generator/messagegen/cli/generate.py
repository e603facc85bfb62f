"""The command ``messagegen generate``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import click

from messagegen.cli.findings import EXIT_ERROR, CheckCommand, format_option, purposes_of_specs, show_findings
from messagegen.cli.options import (
    config_option,
    errors_as_usage,
    fetch_releases,
    message_option,
    read_outputs,
    shown,
    specs_option,
    status_line,
)
from messagegen.cli.report import Outcome, count, report
from messagegen.config import ConfigError, Settings, choose
from messagegen.findings import Finding, printable

if TYPE_CHECKING:
    from messagegen.generation.package import Package

EXIT_DRIFT: Final = 1


@click.command(cls=CheckCommand)
@specs_option
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Output folder; its last part is the name of the package.",
)
@click.option(
    "--release",
    metavar="RELEASE",
    help="The official specs of a Kafka release, or of all from 2.4..4.4; short for --specs kafka:RELEASE.",
)
@message_option
@click.option(
    "--error-codes", type=click.Path(path_type=Path), metavar="FILE", help="File of error codes, to write an enum."
)
@click.option("--include", multiple=True, metavar="NAME", help="Only this output, such as python (repeatable).")
@config_option
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the output is out of date.")
@click.option(
    "--diff/--no-diff", default=None, help="Show how files differ, and write nothing.  [default: diff with --check]"
)
@format_option
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Number of processes; default: one per core.")
@click.option("--quiet", is_flag=True, help="Print errors only.")
@click.pass_context
def generate(
    ctx: click.Context,
    specs: Sequence[Path],
    output: Path | None,
    release: str | None,
    messages: Sequence[str],
    error_codes: Path | None,
    include: Sequence[str],
    config: Path | None,
    check: bool,
    diff: bool | None,
    form: str,
    jobs: int | None,
    quiet: bool,
) -> None:
    """Write a Python package from message specs, or check it.

    Without flags, the settings are read from [tool.messagegen] in the nearest pyproject.toml; flags override them:

    \b
      [tool.messagegen]
      specs = ["message_specs"]                      # folders, files, or kafka:RELEASE
      output = "src/kafka_messages"                  # the last part is the package's name
      messages = ["MetadataRequest"]                 # optional: only these messages
      versions = { MetadataRequest = "9-12" }        # optional: only these of the valid versions
      error_codes = "error_codes/kafka.json"         # optional: also write an enum of error codes
      include = ["python"]                           # optional: only these outputs
      line-length = 120                              # optional: the maximum line length
      license = "Apache-2.0"                         # optional: the licence in generated files
      required-version = ">=0.1,<0.2"                # optional: versions of messagegen that may run

    For several outputs, write a [[tool.messagegen.outputs]] table for each; keys above them are their defaults.

    Only files that differ are written, only files that an earlier run wrote are removed (MANIFEST.json lists
    them), and hand edits of generated files are overwritten. Your own files in the folder are left alone.
    With --specs, the keys messages, versions and error_codes are ignored, because they belong to the specs of the table.

    \b
    Examples:
      messagegen generate
      messagegen generate --check
      messagegen generate --check --format github    annotations in a GitHub workflow
      messagegen generate --specs kafka_specs --output src/kafka_messages --message FetchRequest
      messagegen generate --release 4.4.0 --output src/kafka_messages

    Exit codes: 0 written or up to date, 1 out of date (--check, --diff), 2 findings, wrong usage or an error.
    """
    deliver(
        ctx,
        lambda: choose(
            read_outputs(config),
            specs=(*specs, Path(f"kafka:{release}")) if release else specs,
            output=output,
            messages=messages,
            error_codes=error_codes,
            include=include,
        ),
        How(form=form, check=check or bool(diff), diff=diff is not False, jobs=jobs, quiet=quiet),
    )


@dataclass(frozen=True, slots=True)
class How:
    """How to build, write and report outputs, from the flags of ``command``."""

    command: str = "generate"
    form: str = "text"
    check: bool = False
    diff: bool = True
    jobs: int | None = None
    quiet: bool = False


def deliver(ctx: click.Context, outputs: Callable[[], Sequence[Settings]], how: How) -> NoReturn:
    """Builds outputs, writes or checks them, reports, and exits with the exit code."""
    from messagegen.findings import SpecError, UsageError
    from messagegen.publish import PublishError

    with errors_as_usage():
        try:
            packages = [(build(settings, how), settings.require_output()) for settings in outputs()]
            outcomes = _write_or_check(packages, how)
        except SpecError as error:
            _show_errors(error.findings, how.form)
            ctx.exit(EXIT_ERROR)
        except (ConfigError, PublishError, UsageError) as error:
            raise click.ClickException(printable(str(error))) from error
    report(outcomes, how.form, command=how.command, quiet=how.quiet, diff=how.diff)
    ctx.exit(EXIT_DRIFT if any(outcome.status == "drift" for outcome in outcomes) else 0)


def _show_errors(findings: Sequence[Finding], form: str) -> None:
    """Reports specs that have errors."""
    show_findings(findings, form, purposes_of_specs(), err=True)
    if form == "text":
        errors = sum(finding.severity == "error" for finding in findings)
        warnings = len(findings) - errors
        text = f"{count(errors, 'error')} and {count(warnings, 'warning')}" if warnings else count(errors, "finding")
        click.echo(f"{text}; nothing was written", err=True)


def build(settings: Settings, how: How = How()) -> Package:
    """The files of one output, in memory. Raises ``SpecError``, ``ConfigError``, ``UsageError`` and ``OSError``."""
    from messagegen.generation.package import SPEC_LICENCE, Style, build_package
    from messagegen.publish import LINE_LENGTH

    specs = fetch_releases(settings.require_specs(), quiet=how.quiet)
    if not settings.include:
        settings.require_package()
    with status_line(how.quiet) as show:
        package = build_package(
            specs,
            messages=settings.messages,
            versions=settings.versions,
            error_codes=settings.error_codes,
            include=settings.include,
            options=settings.options,
            style=Style(settings.line_length or LINE_LENGTH, settings.licence or SPEC_LICENCE),
            jobs=how.jobs,
            progress=lambda done, total, file: show(f"Generating {done}/{total} {file}"),
            output=settings.require_output(),
        )
    if any(path.endswith(".py") for path in package.files):
        settings.require_package()
    return package


def _write_or_check(packages: Sequence[tuple[Package, Path]], how: How) -> list[Outcome]:
    """Writes or compares each package."""
    from messagegen import publish

    if len(packages) > 1 and not how.check:
        # Errors stop the run before any output is written.
        for package, output in packages:
            publish.check(package.files, output, made=package.made)
    act = publish.check if how.check else publish.publish
    return [
        Outcome(
            shown(output),
            package.message_count,
            package.warnings,
            act(package.files, output, made=package.made),
            written=not how.check,
        )
        for package, output in packages
    ]
