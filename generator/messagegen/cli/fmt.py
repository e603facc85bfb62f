"""The command ``messagegen fmt``."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from messagegen.cli.diffs import show_diffs
from messagegen.cli.findings import show_findings
from messagegen.cli.options import (
    VersionedCommand,
    check_option,
    config_option,
    format_option,
    own_sources,
    read_standard_input,
    rewrite,
    specs_options,
)
from messagegen.console.output import show
from messagegen.console.text import count, without_commands
from messagegen.diffs import lines_of, unified_diff
from messagegen.fetch.releases import release_of
from messagegen.findings import Finding, SpecError, UsageError
from messagegen.places import refuse_link

EXIT_FINDINGS: Final = 1
EXIT_ERROR: Final = 2

_STANDARD_INPUT: Final = Path("-")
_NOT_IN_A_LINE: Final = ("Cc", "Cs", "Zl", "Zp")
"""Unicode's categories of control characters, surrogates (bytes that are not UTF-8) and line separators."""


@dataclass(frozen=True, slots=True)
class _SpecText:
    """A spec's text before and after formatting; an unreadable text has ``errors``, and ``after`` is ``None``."""

    name: str
    before: bytes
    after: bytes | None
    errors: tuple[Finding, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether formatting changes the spec."""
        return self.after is not None and self.after != self.before

    def finding(self) -> Finding:
        """Return the finding about an unformatted spec, at the first line that would change."""
        old = self.before.split(b"\n")
        new = (self.after or b"").split(b"\n")
        same = [one == other for one, other in zip(old, new, strict=False)]
        line = same.index(False) + 1 if False in same else min(len(old), len(new))
        return Finding(self.name, line, 1, "SPEC_FORMATTED", "the file is not formatted", "run `messagegen fmt`")

    def diff(self) -> tuple[str, ...]:
        """Return the changes that formatting makes, as lines of a unified diff."""
        names = (f"before/{self.name}", f"formatted/{self.name}")
        lines = unified_diff(_lines(self.before), _lines(self.after or b""), names)
        return lines or (f"{self.name}: only line endings or the byte order mark differ",)


@click.command(cls=VersionedCommand)
@specs_options
@config_option
@check_option
@click.option(
    "-l",
    "--list",
    "listing",
    is_flag=True,
    help="Write nothing; print only the path of each file that is not formatted; exit 1 if there are any.",
)
@click.option("--stdin-filename", metavar="FILE", help="The name of standard input (-) in reports.  [default: -]")
@format_option
@click.pass_context
def fmt(
    ctx: click.Context,
    specs: Sequence[Path],
    config: Path | None,
    check: bool,
    listing: bool,
    stdin_filename: str | None,
    form: str,
) -> None:
    """Format spec files in the style of most of Apache's own specs.

    PATHS, or --specs, are folders or files; the default is the specs of [tool.messagegen]. Each property of
    a message gets its own line. A field gets one line for its properties, in a fixed order, and one for its about.
    Each level is indented by two more spaces. Comments and values are not changed.

    With - in place of PATHS, a spec is read from standard input, and the formatted spec is written to standard
    output, as editors expect. If it is not JSON, nothing is written there.

    --list prints one path per line, for other programs. The path of standard input is - or the value of
    --stdin-filename. Mistakes in files go to standard error.

    \b
    Examples:
      messagegen fmt                          the specs of [tool.messagegen]
      messagegen fmt message_specs/FetchRequest.json
      messagegen fmt --check                  for CI: show what would change
      messagegen fmt --list                   the paths of files that are not formatted
      messagegen fmt - --stdin-filename message_specs/FetchRequest.json < buffer

    Exit codes: 0 done or formatted, 1 not formatted (--check, --list), 2 a file that is not JSON, wrong usage or an
    error.
    """
    if listing and form != "text":
        raise click.UsageError(f"--list prints only paths; leave out --format, or use --check --format {form}.")
    write = not (check or listing)
    if _STANDARD_INPUT in specs:
        if len(specs) > 1:
            raise click.UsageError("- is standard input; leave out the other PATHS.")
        spec = _format_text(stdin_filename or "-", read_standard_input())
        if write and spec.after is not None:
            click.echo(spec.after, nl=False)
            return
        ctx.exit(_list([spec]) if listing else _report([spec], form, check=check))

    if stdin_filename is not None:
        raise click.UsageError("--stdin-filename requires - in place of PATHS.")
    files = _files(specs, config, write=write)
    texts: list[_SpecText] = []
    for file in files:
        spec = _format_text(file.as_posix(), file.read_bytes())
        texts.append(spec)
        if write and spec.differs and spec.after is not None:
            rewrite(file, spec.after)
    ctx.exit(_list(texts) if listing else _report(texts, form, check=check))


def _files(specs: Sequence[Path], config: Path | None, *, write: bool) -> list[Path]:
    """Return the spec files in the arguments. With ``write``, raise ``UsageError`` for releases and links."""
    from messagegen.generation.files import spec_files

    sources = own_sources(specs, config)
    released = [source for source in sources if release_of(source)]
    if released and write:
        raise UsageError(f"the specs of {released[0]} cannot be changed; fetch them with `messagegen fetch-specs`")
    files = spec_files(sources)
    for file in files if write else ():
        refuse_link(file, file.parent)
    return files


def _format_text(name: str, before: bytes) -> _SpecText:
    from messagegen.fmt import format_spec

    try:
        return _SpecText(name, before, format_spec(before, name))
    except SpecError as error:
        return _SpecText(name, before, None, error.findings)


def _list(specs: Sequence[_SpecText]) -> int:
    """Print the paths of unformatted specs, print errors to standard error, and return the exit code.

    Raise ``UsageError`` for a path that one line of text cannot show.
    """
    errors = sorted(error for spec in specs for error in spec.errors)
    show_findings(errors, err=True, texts={spec.name: spec.before for spec in specs})
    differing = [spec for spec in specs if spec.differs]
    for spec in differing:
        # To a program that reads the list, the text after a line break would be another path, which may lead out of the
        # repository, and an escaped path would not exist.
        if without_commands(spec.name) != spec.name or any(map(_breaks_line, spec.name)):
            raise UsageError(
                f"--list cannot print the path {spec.name} on one line as it is; rename it, or use --check"
            )
    for spec in differing:
        click.echo(spec.name)
    return _exit_code(specs, write=False)


def _breaks_line(character: str) -> bool:
    return unicodedata.category(character) in _NOT_IN_A_LINE


def _report(specs: Sequence[_SpecText], form: str, *, check: bool) -> int:
    """Print the changes that were made, or with ``check`` would be made, and return the exit code."""
    differing = [spec for spec in specs if spec.differs]
    findings = [error for spec in specs for error in spec.errors]
    if check:
        findings.extend(spec.finding() for spec in differing)
    show_findings(sorted(findings), form, err=not check, texts={spec.name: spec.before for spec in specs})

    if form == "text":
        if check:
            show_diffs([spec.diff for spec in differing])
        unreadable = sum(spec.after is None for spec in specs)
        show(_summary(len(specs), len(differing), unreadable, check=check), err=True)
    return _exit_code(specs, write=not check)


def _exit_code(specs: Sequence[_SpecText], *, write: bool) -> int:
    if any(spec.after is None for spec in specs):
        return EXIT_ERROR
    return EXIT_FINDINGS if not write and any(spec.differs for spec in specs) else 0


def _summary(files: int, differing: int, unreadable: int, *, check: bool) -> str:
    done = "would be formatted" if check else "formatted"
    parts = [f"{differing} {done}", f"{files - differing - unreadable} unchanged"]
    if unreadable:
        parts.append(f"{unreadable} not readable")
    return f"{count(files, 'file')}: {', '.join(parts)}"


def _lines(text: bytes) -> list[str]:
    return lines_of(text.decode("utf-8-sig", errors="replace"))
