"""The command ``messagegen fmt``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from messagegen.cli.command import EXIT_ERROR
from messagegen.cli.findings import format_option, purposes_of_specs, show_findings
from messagegen.cli.options import (
    check_option,
    config_option,
    count,
    fetch_releases,
    own_sources,
    paths_argument,
    rewrite,
    specs_option,
)
from messagegen.fetch.releases import release_of
from messagegen.findings import Finding, SpecError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

EXIT_UNFORMATTED: Final = 1
STDIN: Final = Path("-")
RULE: Final = "SPEC_FORMATTED"
PURPOSE: Final = "Checks that a spec is formatted as messagegen fmt does."


@click.command()
@paths_argument
@specs_option
@config_option
@check_option
@format_option
@click.pass_context
def fmt(
    ctx: click.Context, paths: Sequence[Path], specs: Sequence[Path], config: Path | None, check: bool, form: str
) -> None:
    """Format spec files in the style of most of Apache's own specs.

    PATHS are folders, files, or - for standard input; the default is the specs of [tool.messagegen]. Each property of
    a message gets its own line. A field gets one line for its properties, in a fixed order, and one for its about;
    nested fields are indented by two spaces. Comments and values are not changed.

    \b
    Examples:
      messagegen fmt                          the specs of [tool.messagegen]
      messagegen fmt message_specs/FetchRequest.json
      messagegen fmt --check                  for CI: name the files that are not formatted
      messagegen fmt - < Draft.json

    Exit codes: 0 done or formatted, 1 not formatted (--check), 2 a file that is not JSON, wrong usage or an error.
    """
    from messagegen.fmt import format_spec

    if form != "text" and not check:
        raise click.UsageError(f"--format {form} requires --check.")
    files = 0
    unformatted: list[Finding] = []
    unreadable: list[Finding] = []
    for file in _files([*specs, *paths], config, change=not check):
        name = "<stdin>" if file == STDIN else file.as_posix()
        files += file != STDIN
        before = sys.stdin.buffer.read() if file == STDIN else file.read_bytes()
        try:
            after = format_spec(before, name)
        except SpecError as error:
            unreadable.extend(error.findings)
            continue
        if before != after:
            unformatted.append(_finding(name, before, after))
        if file == STDIN and not check:
            sys.stdout.buffer.write(after)
        elif before != after and not check:
            rewrite(file, after)
    found: list[Finding] = sorted([*unreadable, *(unformatted if check else [])])
    show_findings(found, form, purposes_of_specs() | {RULE: PURPOSE}, excerpts=not unformatted, err=not check)
    if form == "text" and files:
        unchanged = files - len(unformatted) - len(unreadable)
        failed = f", {len(unreadable)} not readable" if unreadable else ""
        changed = f"{len(unformatted)} {'would be formatted' if check else 'formatted'}"
        click.echo(f"{count(files, 'file')}: {changed}, {unchanged} unchanged{failed}", err=True)
    ctx.exit(EXIT_ERROR if unreadable else EXIT_UNFORMATTED if unformatted and check else 0)


def _files(paths: Sequence[Path], config: Path | None, *, change: bool) -> Iterator[Path]:
    from messagegen.generation.files import spec_files

    if list(paths) == [STDIN]:
        yield STDIN
        return
    sources = own_sources(paths, config)
    for source in sources if change else ():
        if release_of(source):
            raise UsageError(f"the specs of {source} cannot be changed; fetch them with `messagegen fetch-specs`")
    yield from spec_files(fetch_releases(sources))


def _finding(name: str, before: bytes, after: bytes) -> Finding:
    """The finding for an unformatted file, at the first line that would change."""
    old, new = before.split(b"\n"), after.split(b"\n")
    same = (one == other for one, other in zip(old, new, strict=False))
    line = next((number for number, equal in enumerate(same, 1) if not equal), min(len(old), len(new)))
    return Finding(name, line, 1, RULE, "the file is not formatted", "run `messagegen fmt`")
