"""The command ``messagegen generate``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from platformdirs import user_cache_path

from messagegen.cli_options import (
    config_option,
    describe,
    message_option,
    progress_line,
    read_settings,
    specs_option,
)
from messagegen.cli_report import FORMATS, Report, report_as
from messagegen.config import ConfigError, Settings

if TYPE_CHECKING:
    from messagegen.pipeline import Package

EXIT_DRIFT: Final = 1
EXIT_ERROR: Final = 2


@click.command()
@specs_option
@click.option(
    "--output", type=click.Path(path_type=Path), metavar="DIR", help="Folder to write; its name is the package's."
)
@message_option
@click.option(
    "--error-codes", type=click.Path(path_type=Path), metavar="FILE", help="File of error codes to offer too."
)
@config_option
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the output is not what would be written.")
@click.option("--diff/--no-diff", default=True, help="With --check, show how files differ.  [default: diff]")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How to report.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes to work with; else one for each core.")
@click.option("--cache/--no-cache", default=True, help="Remember formatted texts for later runs.  [default: cache]")
@click.option("--quiet", is_flag=True, help="Say nothing but what went wrong.")
@click.pass_context
def generate(
    ctx: click.Context,
    specs: Sequence[Path],
    output: Path | None,
    messages: Sequence[str],
    error_codes: Path | None,
    config: Path | None,
    check: bool,
    diff: bool,
    form: str,
    jobs: int | None,
    cache: bool,
    quiet: bool,
) -> None:
    """Write a Python package from message specs, or check one.

    Without flags, [tool.messagegen] of the nearest pyproject.toml says what to do; flags override it:

    \b
      [tool.messagegen]
      specs = ["message_specs"]                      # folders or files
      output = "src/kafka_messages"                  # the last part is the package's name
      messages = ["MetadataRequest"]                 # optional: these messages only
      versions = { MetadataRequest = "9-12" }        # optional: these of their valid versions only
      error_codes = "error_codes/kafka.json"         # optional: an enum of error codes as well

    Only files that differ are written, only files that an earlier run wrote are removed (MANIFEST.json lists
    them), and hand edits of generated files are overwritten. Files of yours in the folder are left alone.
    With --specs, messages, versions and error_codes of the table do not count, since they go with its own specs.

    \b
    Examples:
      messagegen generate
      messagegen generate --check
      messagegen generate --check --format github    annotations in a GitHub workflow
      messagegen generate --specs kafka_specs --output src/kafka_messages --message FetchRequest

    Exit codes: 0 written or in step, 1 out of step (--check), 2 findings, wrong usage or an error.
    """
    from messagegen.findings import SpecError
    from messagegen.pipeline import UsageError
    from messagegen.publish import PublishError

    report = report_as(form, quiet=quiet, diff=diff)
    try:
        settings = read_settings(config).override(specs, output, messages, error_codes)
        package = _build(settings, jobs, cache, quiet)
        report.warnings(package.warnings)
        in_step = _deliver(package, settings.require_output(), check, report)
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
    ctx.exit(0 if in_step else EXIT_DRIFT)


def _build(settings: Settings, jobs: int | None, cache: bool, quiet: bool) -> Package:
    from messagegen.format_cache import FormatCache
    from messagegen.pipeline import build_package

    specs = settings.require_specs()
    settings.require_package()
    with progress_line("Generating", quiet) as progress:
        return build_package(
            specs,
            messages=settings.messages,
            versions=settings.versions,
            error_codes=settings.error_codes,
            jobs=jobs,
            progress=progress,
            cache=FormatCache(user_cache_path("messagegen") / "formatted.sqlite") if cache else None,
        )


def _deliver(package: Package, output: Path, check: bool, report: Report) -> bool:
    """Writes or compares, and reports; false where the output is out of step and stays so."""
    from messagegen import publish

    if check:
        drift = publish.check(package.files, output)
        report.checked(drift, output, package.message_count)
        return drift.in_step
    report.written(publish.publish(package.files, output), output, package.message_count)
    return True
