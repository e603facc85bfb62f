"""The command ``messagegen lint``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from messagegen.cli.findings import show_findings
from messagegen.cli.options import (
    VersionedCommand,
    config_option,
    format_option,
    own_sources,
    specs_options,
    use_options,
)
from messagegen.cli.selection import read_selection
from messagegen.console.output import show
from messagegen.console.text import count

EXIT_FINDINGS: Final = 1


@click.command(cls=VersionedCommand)
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

    PATHS, or --specs, are folders or files; the default is the specs of [tool.messagegen]. Errors that prevent
    generation are reported too. The categories of rules are MINIMAL (probable mistakes) and STANDARD (also
    consistency), which is the default. `messagegen rules` lists all rules.

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
    from messagegen.lint import RULE_NAMES, RULES
    from messagegen.lint import lint as findings_of

    selection, _ = read_selection(config, "lint", RULE_NAMES, use, excluded)
    texts = read_texts(own_sources(specs, config))
    findings = findings_of(texts, selection, released_specs(texts))
    show_findings(findings, form)
    if form == "text":
        show(count(len(findings), "finding"), err=True)
        if ignorable := sorted({one.rule for one in findings} & {rule.id for rule in RULES}):
            show(f"To ignore one, write above it: // messagegen:ignore {ignorable[0]} because REASON", err=True)
    ctx.exit(EXIT_FINDINGS if any(one.severity == "error" for one in findings) else 0)
