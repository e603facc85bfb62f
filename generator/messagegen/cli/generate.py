"""The commands that write outputs: ``messagegen generate`` and ``docs``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from messagegen.build import BUILD
from messagegen.cli.diffs import shown_diffs
from messagegen.cli.findings import show_findings
from messagegen.cli.options import (
    check_option,
    config_option,
    format_option,
    message_option,
    read_outputs,
    shown,
    specs_options,
)
from messagegen.config import Settings, choose
from messagegen.findings import Finding, count

if TYPE_CHECKING:
    from messagegen.publish.changes import Changes, Kind

EXIT_DRIFT: Final = 1
_STATES: Final[dict[Kind, str]] = {
    "new": "does not exist",
    "changed": "would change",
    "edited": "was edited",
    "stale": "is no longer generated",
}


@click.command()
@specs_options
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Output folder; its last part is the name of the package.",
)
@message_option
@click.option(
    "--error-codes", type=click.Path(path_type=Path), metavar="FILE", help="File of error codes, to write an enum."
)
@click.option("--include", multiple=True, metavar="NAME", help="Only this output, such as python (repeatable).")
@config_option
@check_option
@format_option
def generate(config: Path | None, check: bool, form: str, **flags: Any) -> None:
    """Write a Python package from message specs, or check it.

    Without PATHS, or --specs, and other flags, the settings are read from [tool.messagegen] in the nearest pyproject.toml;
    flags override them:

    \b
      [tool.messagegen]
      specs = ["message_specs"]                      # folders, files, or kafka:RELEASE
      output = "src/kafka_messages"                  # the last part is the package's name
      messages = ["MetadataRequest"]                 # optional: only these messages
      versions = { MetadataRequest = "9-12" }        # optional: only these of the valid versions
      error_codes = "error_codes/kafka.json"         # optional: also write an enum of error codes
      include = ["python"]                           # optional: only these outputs
      license = "Apache-2.0"                         # optional: the licence in generated files
      required-version = ">=0.1,<0.2"                # optional: versions of messagegen that may run

    For several outputs, write a [[tool.messagegen.outputs]] table for each; keys above them are their defaults.

    Only files that differ are written, only files that an earlier run wrote are removed (MANIFEST.json lists
    them), and hand edits of generated files are overwritten. Your own files in the folder are left alone.
    With PATHS, the keys messages, versions and error_codes are ignored, because they belong to the specs of the table.

    \b
    Examples:
      messagegen generate
      messagegen generate --check                    also shows how files differ
      messagegen generate --check --format github    annotations in a GitHub workflow
      messagegen generate --specs kafka_specs --output src/kafka_messages --message FetchRequest
      messagegen generate --specs kafka:4.4.0 --output src/kafka_messages

    Exit codes: 0 written or up to date, 1 out of date (--check), 2 specs with errors, wrong usage or another error.
    """
    _deliver(choose(read_outputs(config), Settings(**flags)), "generate", form, check=check)


@click.command()
@specs_options
@click.option("--output", type=click.Path(path_type=Path), metavar="DIR", required=True, help="Folder of the site.")
@click.option("--title", metavar="TEXT", help="Title of the site.")
@message_option
@config_option
@check_option
@format_option
def docs(
    specs: Sequence[Path],
    output: Path,
    title: str | None,
    messages: Sequence[str],
    config: Path | None,
    check: bool,
    form: str,
) -> None:
    """Write a documentation site for messages.

    PATHS, or --specs, are folders of message specs, single specs, or kafka:RELEASE for the official specs of a Kafka release. The
    default is the specs of [tool.messagegen]. The site has a searchable index, and a page for each message: its
    fields, and its bytes in each version. It works without a server or network access: open DIR/index.html.

    Only files that differ are written, and only files that an earlier run wrote are removed. To write the site with
    `messagegen generate`, set include = ["site"] in [tool.messagegen].

    \b
    Examples:
      messagegen docs --output site
      messagegen docs kafka:4.4.0 --output kafka-site
      messagegen docs message_specs --output site --title "Our messages"
      messagegen docs --output site --check

    Exit codes: 0 written or up to date, 1 out of date (--check), 2 specs with errors, wrong usage or another error.
    """
    sources = specs or [path for settings in read_outputs(config) for path in settings.specs]
    options = {} if title is None else {"site": {"title": title}}
    settings = Settings(tuple(sources), output, tuple(messages), include=("site",), options=options)
    _deliver([settings], "docs", form, check=check)


def _deliver(outputs: Sequence[Settings], command: str, form: str, *, check: bool) -> NoReturn:
    """Builds outputs, writes or checks them, reports, and exits with the exit code."""
    from messagegen.generation.package import build_package
    from messagegen.publish import output as writer

    packages = [(build_package(settings), settings.require_output()) for settings in outputs]
    if len(packages) > 1 and not check:
        # Errors stop the run before any output is written.
        for package, output in packages:
            writer.check(package.files, output, made=package.made)
    act = writer.check if check else writer.publish
    outcomes = [(package, shown(output), act(package.files, output, made=package.made)) for package, output in packages]
    warnings = list(dict.fromkeys(warning for package, *_ in outcomes for warning in package.warnings))
    remedy = f"run `messagegen {command}` and commit what it writes; to change a generated file, change its spec"
    drift = [
        Finding(path, 1, 1, "OUTPUT_UP_TO_DATE", f"{path} {state}", remedy)
        for _, folder, changes in outcomes
        for path, state in (_states(folder, changes) if check else ())
    ]
    if form != "text":
        show_findings([*warnings, *drift], form)
    else:
        show_findings(warnings, err=True)
        for package, folder, changes in outcomes:
            messages = count(package.message_count, "message")
            for line in _checked(folder, changes, messages, remedy) if check else _written(folder, changes, messages):
                click.echo(line)
    raise click.exceptions.Exit(EXIT_DRIFT if drift else 0)


def _states(output: str, changes: Changes) -> Iterator[tuple[str, str]]:
    yield from ((f"{output}/{file.path}", _STATES[file.kind]) for file in changes.files)


def _written(output: str, changes: Changes, messages: str) -> Iterator[str]:
    """What a run did to an output."""
    yield from (f"{path} was edited and was regenerated" for path in changes.paths("edited"))
    counts = (
        (len(changes.paths("new")), "new"),
        (len(changes.paths("changed", "edited")), "changed"),
        (len(changes.paths("stale")), "removed"),
        (changes.unchanged, "unchanged"),
    )
    parts = (f"{count(number, 'file')} {what}" for number, what in counts if number)
    yield f"{output}: {', '.join([messages, *parts])}"


def _checked(output: str, changes: Changes, messages: str, remedy: str) -> Iterator[str]:
    """How an output differs from what a run would write."""
    if not changes.files:
        yield f"{output}: up to date with {messages}"
        return
    yield from (" ".join(each) for each in _states(output, changes))
    # A file that is on one side only would be in the diff as a whole.
    differing = [file for file in changes.files if file.before is not None and file.after is not None]
    yield from shown_diffs([file.diff for file in differing])
    if changes.written_by not in ("", BUILD):
        yield f"It was written by messagegen {changes.written_by}; this is messagegen {BUILD}."
    files = count(len(changes.files), "file")
    yield f"{output}: {files} out of date. {remedy[:1].upper()}{remedy[1:]}."
