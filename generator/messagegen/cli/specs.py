"""The commands that check and format specs: ``messagegen lint``, ``fmt`` and ``schema``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from messagegen.cli.findings import show_findings
from messagegen.cli.options import (
    check_option,
    config_option,
    format_option,
    own_sources,
    rewrite,
    specs_options,
    use_options,
)
from messagegen.cli.selection import read_selection
from messagegen.fetch.releases import release_of
from messagegen.findings import Finding, SpecError, UsageError, count

EXIT_FINDINGS: Final = 1
EXIT_ERROR: Final = 2


@click.command()
@specs_options
@use_options
@format_option
@config_option
@click.pass_context
def lint(
    ctx: click.Context,
    specs: Sequence[Path],
    use: Sequence[str],
    excluded: Sequence[str],
    form: str,
    config: Path | None,
) -> None:
    """Check the style of message specs.

    PATHS, or --specs, are folders or files; the default is the specs of [tool.messagegen]. Errors that prevent generation are
    reported too. The categories of rules are MINIMAL (probable mistakes) and STANDARD (also consistency), which is
    the default. `messagegen rules` lists all rules.

    \b
      [tool.messagegen.lint]
      use = ["STANDARD"]                             # rules and categories
      except = ["MESSAGE_FILE_NAME"]                 # rules and categories to exclude
      ignore = { "specs/old" = ["FIELD_NAME_CASE"] } # by spec, folder or pattern, relative to this file
      severity = { FIELD_ABOUT_WRITTEN = "warning" } # error or warning; warnings alone exit with 0

    A comment in a spec ignores a rule for the property, field or message that it precedes or follows:

    \b
      // messagegen:ignore RULE because REASON

    \b
    Examples:
      messagegen lint
      messagegen lint message_specs
      messagegen lint --use MINIMAL --format github
      messagegen lint --use FIELD_ABOUT_WRITTEN kafka_specs

    Exit codes: 0 no findings or only warnings, 1 findings, 2 wrong usage or an error.
    """
    from messagegen.generation.files import read_texts, released_specs
    from messagegen.lint import RULE_NAMES
    from messagegen.lint import lint as findings_of

    selection, _ = read_selection(config, "lint", RULE_NAMES, use, excluded)
    texts = read_texts(own_sources(specs, config))
    findings = findings_of(texts, selection, released_specs(texts))
    show_findings(findings, form)
    if form == "text":
        click.echo(count(len(findings), "finding"), err=True)
    ctx.exit(EXIT_FINDINGS if any(one.severity == "error" for one in findings) else 0)


@click.command()
@specs_options
@config_option
@check_option
@format_option
@click.pass_context
def fmt(ctx: click.Context, specs: Sequence[Path], config: Path | None, check: bool, form: str) -> None:
    """Format spec files in the style of most of Apache's own specs.

    PATHS, or --specs, are folders or files; the default is the specs of [tool.messagegen]. Each property of
    a message gets its own line. A field gets one line for its properties, in a fixed order, and one for its about;
    nested fields are indented by two spaces. Comments and values are not changed.

    \b
    Examples:
      messagegen fmt                          the specs of [tool.messagegen]
      messagegen fmt message_specs/FetchRequest.json
      messagegen fmt --check                  for CI: name the files that are not formatted

    Exit codes: 0 done or formatted, 1 not formatted (--check), 2 a file that is not JSON, wrong usage or an error.
    """
    from messagegen.fmt import format_spec
    from messagegen.generation.files import spec_files

    sources = own_sources(specs, config)
    released = [source for source in sources if release_of(source)]
    if released and not check:
        raise UsageError(f"the specs of {released[0]} cannot be changed; fetch them with `messagegen fetch-specs`")
    files = spec_files(sources)
    unformatted: list[Finding] = []
    unreadable: list[Finding] = []
    for file in files:
        before = file.read_bytes()
        try:
            after = format_spec(before, file.as_posix())
        except SpecError as error:
            unreadable.extend(error.findings)
            continue
        if before != after:
            unformatted.append(_unformatted(file.as_posix(), before, after))
            if not check:
                rewrite(file, after)
    show_findings(sorted([*unreadable, *(unformatted if check else [])]), form, err=not check)
    if form == "text":
        unchanged = len(files) - len(unformatted) - len(unreadable)
        failed = f", {len(unreadable)} not readable" if unreadable else ""
        changed = f"{len(unformatted)} {'would be formatted' if check else 'formatted'}"
        click.echo(f"{count(len(files), 'file')}: {changed}, {unchanged} unchanged{failed}", err=True)
    ctx.exit(EXIT_ERROR if unreadable else EXIT_FINDINGS if unformatted and check else 0)


def _unformatted(name: str, before: bytes, after: bytes) -> Finding:
    """The finding for an unformatted file, at the first line that would change."""
    old, new = before.split(b"\n"), after.split(b"\n")
    same = (one == other for one, other in zip(old, new, strict=False))
    line = next((number for number, equal in enumerate(same, 1) if not equal), min(len(old), len(new)))
    return Finding(name, line, 1, "SPEC_FORMATTED", "the file is not formatted", "run `messagegen fmt`")


@click.command()
@click.option("--error-codes", is_flag=True, help="Print the schema of error code files instead.")
def schema(error_codes: bool) -> None:
    """Print the JSON Schema of message specs, which editors use to complete and check them.

    With a copy in the repository, editors find it through "$schema" in a spec or through their settings.

    \b
    Examples:
      messagegen schema
      messagegen schema > message_spec.schema.json
      messagegen schema | diff message_spec.schema.json -

    Exit codes: 0 done, 2 wrong usage.
    """
    from messagegen.spec import ERROR_CODES, MESSAGE_SPEC, schema_text

    click.echo(schema_text(ERROR_CODES if error_codes else MESSAGE_SPEC), nl=False)
