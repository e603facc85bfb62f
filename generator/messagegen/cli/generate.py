"""The command ``messagegen generate``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import click

from messagegen.cli.findings import EXIT_ERROR, CheckCommand, format_option
from messagegen.cli.options import (
    config_option,
    describe,
    fetch_releases,
    message_option,
    progress_line,
    read_outputs,
    specs_option,
)
from messagegen.cli.report import Report, report_as
from messagegen.cli.types import Place
from messagegen.config import ConfigError, Settings, choose

if TYPE_CHECKING:
    from messagegen.generation.package import Package

EXIT_DRIFT: Final = 1


@click.command(cls=CheckCommand)
@specs_option
@click.option(
    "--output",
    type=Place(path_type=Path),
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
    "--error-codes", type=Place(path_type=Path), metavar="FILE", help="File of error codes, to write an enum."
)
@click.option("--include", multiple=True, metavar="NAME", help="Only this output, such as python (repeatable).")
@config_option
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the output is out of date.")
@click.option(
    "--diff/--no-diff", default=None, help="Show how files differ, and write nothing.  [default: diff with --check]"
)
@format_option
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Number of processes; default: one per core.")
@click.option("--downgrade", is_flag=True, help="Overwrite what a newer messagegen wrote.")
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
    downgrade: bool,
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
        report_as(form, quiet=quiet, diff=diff is not False),
        How(check=check or bool(diff), jobs=jobs, downgrade=downgrade, quiet=quiet),
    )


@dataclass(frozen=True, slots=True)
class How:
    """How to build and write outputs, from the flags."""

    check: bool = False
    jobs: int | None = None
    downgrade: bool = False
    quiet: bool = False


def deliver(ctx: click.Context, outputs: Callable[[], Sequence[Settings]], report: Report, how: How) -> NoReturn:
    """Builds outputs, writes or checks them, reports, and exits with the exit code."""
    from messagegen.findings import SpecError, UsageError
    from messagegen.publish import PublishError

    try:
        packages = [(build(settings, how), settings.require_output()) for settings in outputs()]
        up_to_date = _write_or_check(packages, how, report)
        report.done()
    except SpecError as error:
        report.findings(error.findings)
        ctx.exit(EXIT_ERROR)
    except (ConfigError, PublishError, UsageError) as error:
        report.error(str(error))
        ctx.exit(EXIT_ERROR)
    except BrokenPipeError:
        raise
    except OSError as error:
        report.error(describe(error))
        ctx.exit(EXIT_ERROR)
    ctx.exit(0 if up_to_date else EXIT_DRIFT)


def build(settings: Settings, how: How = How()) -> Package:
    """The files of one output, in memory. Raises ``SpecError``, ``ConfigError``, ``UsageError`` and ``OSError``."""
    from messagegen.generation.package import SPEC_LICENCE, Style, build_package
    from messagegen.publish import LINE_LENGTH

    specs = fetch_releases(settings.require_specs(), quiet=how.quiet)
    if not settings.include:
        settings.require_package()
    with progress_line("Generating", how.quiet) as progress:
        package = build_package(
            specs,
            messages=settings.messages,
            versions=settings.versions,
            error_codes=settings.error_codes,
            include=settings.include,
            options=settings.options,
            style=Style(settings.line_length or LINE_LENGTH, settings.licence or SPEC_LICENCE),
            jobs=how.jobs,
            progress=progress,
            output=settings.require_output(),
        )
    if any(path.endswith(".py") for path in package.files):
        settings.require_package()
    return package


def _write_or_check(packages: Sequence[tuple[Package, Path]], how: How, report: Report) -> bool:
    """Writes or compares, and reports; returns false if an output is out of date and was not written."""
    from messagegen import publish

    if len(packages) > 1 and not how.check:
        # Errors stop the run before any output is written.
        for package, output in packages:
            publish.check(package.files, output, made=package.made, downgrade=how.downgrade)
    up_to_date = True
    for package, output in packages:
        report.warnings(package.warnings)
        if how.check:
            drift = publish.check(package.files, output, made=package.made, downgrade=how.downgrade)
            report.checked(drift, output, package.message_count)
            up_to_date = up_to_date and drift.up_to_date
        else:
            changes = publish.publish(package.files, output, made=package.made, downgrade=how.downgrade)
            report.written(changes, output, package.message_count)
    return up_to_date
