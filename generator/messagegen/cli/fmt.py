"""The command ``messagegen fmt``."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from messagegen.cli.findings import EXIT_ERROR, CheckCommand, format_option, purposes_of_specs, show_findings
from messagegen.cli.options import (
    config_option,
    errors_as_usage,
    fetch_releases,
    own_sources,
    paths_argument,
    refuse_releases,
    rewrite,
    specs_option,
)
from messagegen.cli.report import DIFF_COLOURS

if TYPE_CHECKING:
    from messagegen.findings import Finding

EXIT_UNFORMATTED: Final = 1
STDIN: Final = Path("-")
RULE: Final = "SPEC_FORMATTED"
PURPOSE: Final = "Checks that a spec is formatted as messagegen fmt does."


@click.command(cls=CheckCommand)
@paths_argument
@specs_option
@config_option
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if a file is not formatted.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change, and exit 1 if something would.")
@format_option
@click.pass_context
def fmt(
    ctx: click.Context,
    paths: Sequence[Path],
    specs: Sequence[Path],
    config: Path | None,
    check: bool,
    diff: bool,
    form: str,
) -> None:
    """Format spec files in the style of most of Apache's own specs.

    PATHS are folders, files, or - for standard input; the default is the specs of [tool.messagegen]. Each property of
    a message gets its own line. A field gets one line for its properties, in a fixed order, and one for its about;
    nested fields are indented by two spaces. Comments and values are not changed.

    \b
    Examples:
      messagegen fmt                          the specs of [tool.messagegen]
      messagegen fmt message_specs/FetchRequest.json
      messagegen fmt --check --diff           for CI: show what is not formatted
      messagegen fmt - < Draft.json

    Exit codes: 0 done or formatted, 1 not formatted (--check, --diff), 2 a file that is not JSON, wrong usage or an
    error.
    """
    from messagegen.findings import SpecError
    from messagegen.fmt import format_spec

    if form != "text" and not check:
        raise click.UsageError(f"--format {form} requires --check.")
    paths = [*specs, *paths]
    unformatted: list[Finding] = []
    unreadable: list[Finding] = []
    with errors_as_usage():
        files = [STDIN] if list(paths) == [STDIN] else _files(paths, config, change=not check and not diff)
        for file in files:
            before = sys.stdin.buffer.read() if file == STDIN else file.read_bytes()
            try:
                after = format_spec(before, "<stdin>" if file == STDIN else file.as_posix())
            except SpecError as error:
                unreadable.extend(error.findings)
                continue
            if before != after:
                unformatted.append(_finding(file, before, after))
            if diff:
                _print_diff(file.as_posix(), before, after)
            elif not check:
                _write(file, before, after)
    found = [*unreadable, *(unformatted if check else [])]
    if check or found:
        show_findings(
            sorted(found), form, purposes_of_specs() | {RULE: PURPOSE}, excerpts=not unformatted, err=not check
        )
    if form == "text" and files != [STDIN]:
        _summary(len(files), len(unformatted), len(unreadable), would=check or diff)
    if unreadable:
        ctx.exit(EXIT_ERROR)
    ctx.exit(EXIT_UNFORMATTED if unformatted and (check or diff) else 0)


def _files(paths: Sequence[Path], config: Path | None, *, change: bool) -> list[Path]:
    from messagegen.generation.files import spec_files

    sources = own_sources(paths, config)
    if change:
        refuse_releases(sources)
    return spec_files(fetch_releases(sources))


def _finding(file: Path, before: bytes, after: bytes) -> Finding:
    """The finding for an unformatted file, at the first line that would change."""
    from messagegen.findings import Finding

    old, new = before.split(b"\n"), after.split(b"\n")
    same = (one == other for one, other in zip(old, new, strict=False))
    line = next((number for number, equal in enumerate(same, 1) if not equal), min(len(old), len(new)))
    name = "<stdin>" if file == STDIN else file.as_posix()
    return Finding(name, line, 1, RULE, "the file is not formatted", "run `messagegen fmt`")


def _write(file: Path, before: bytes, after: bytes) -> None:
    if file == STDIN:
        sys.stdout.buffer.write(after)
    elif before != after:
        rewrite(file, after)


def _print_diff(name: str, before: bytes, after: bytes) -> None:
    old, new = (text.decode("utf-8").splitlines() for text in (before, after))
    for line in difflib.unified_diff(old, new, name, f"{name} (formatted)", lineterm="", n=2):
        click.secho(line, fg=DIFF_COLOURS.get(line[:1]))


def _summary(files: int, unformatted: int, unreadable: int, *, would: bool) -> None:
    changed = f"{unformatted} would be formatted" if would else f"{unformatted} formatted"
    parts = [changed, f"{files - unformatted - unreadable} unchanged"]
    if unreadable:
        parts.append(f"{unreadable} not readable")
    click.echo(f"{'1 file' if files == 1 else f'{files} files'}: {', '.join(parts)}", err=True)
