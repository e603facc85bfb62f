"""The command ``messagegen lint``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from messagegen.cli.findings import CheckCommand, format_option, show_findings
from messagegen.cli.options import (
    config_option,
    errors_as_usage,
    fetch_releases,
    own_sources,
    paths_argument,
    refuse_releases,
    specs_option,
)
from messagegen.cli.selection import read_section, read_selection, use_options

if TYPE_CHECKING:
    from messagegen.lint import LintFinding

EXIT_FINDINGS: Final = 1


@click.command(cls=CheckCommand)
@paths_argument
@specs_option
@use_options
@click.option("--fix", is_flag=True, help="Apply safe fixes, and report the remaining findings.")
@format_option
@click.option("--list-rules", is_flag=True, help="List the rules with their categories, then exit.")
@config_option
@click.pass_context
def lint(
    ctx: click.Context,
    paths: Sequence[Path],
    specs: Sequence[Path],
    use: Sequence[str],
    excluded: Sequence[str],
    fix: bool,
    form: str,
    list_rules: bool,
    config: Path | None,
) -> None:
    """Check the style of message specs.

    PATHS are folders or files; the default is the specs of [tool.messagegen]. Errors that prevent generation are
    reported too. The categories of rules are MINIMAL (probable mistakes) and STANDARD (also consistency), which is
    the default. `messagegen lint --list-rules` lists all rules.

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
      messagegen lint --fix message_specs
      messagegen lint --use MINIMAL --format github
      messagegen lint --use FIELD_ABOUT_WRITTEN kafka_specs

    Exit codes: 0 no findings or only warnings, 1 findings, 2 wrong usage or an error.
    """
    if list_rules:
        _list_rules()
        return
    with errors_as_usage():
        findings, fixed = _run([*specs, *paths], use, excluded, fix, config)
    show_findings([one.finding for one in findings], form, _purposes())
    if form == "text":
        _summarise(findings, fixed, fix=fix)
    ctx.exit(EXIT_FINDINGS if any(one.finding.severity == "error" for one in findings) else 0)


def _run(
    paths: Sequence[Path], use: Sequence[str], excluded: Sequence[str], fix: bool, config: Path | None
) -> tuple[Sequence[LintFinding], int]:
    """The remaining findings, and the number of fixed ones."""
    from messagegen import lint as linter
    from messagegen.generation.files import read_texts, released_specs

    selection = read_selection(*read_section(config, "lint", "severity"), linter.RULE_NAMES, use, excluded)
    sources = own_sources(paths, config)
    if fix:
        refuse_releases(sources)
    texts = read_texts(fetch_releases(sources))
    released = released_specs(texts)
    if not fix:
        return linter.lint(texts, selection, released), 0
    from messagegen.cli.rewrite import rewrite

    result = linter.fix(texts, selection, released)
    for name, data in result.texts.items():
        rewrite(Path(name), data)
    return result.findings, result.count


def _summarise(findings: Sequence[LintFinding], fixed: int, *, fix: bool) -> None:
    parts = [f"{fixed} fixed"] if fix else []
    parts.append(f"{len(findings)} finding{'' if len(findings) == 1 else 's'}{' left' if fix else ''}")
    fixable = sum(bool(one.edits) for one in findings)
    if fixable and not fix:
        parts.append(f"{fixable} fixable with --fix")
    click.echo(", ".join(parts), err=True)


def _purposes() -> dict[str, str]:
    from messagegen.lint import IGNORE_RULES, RULES
    from messagegen.spec import Rule

    return {rule.name: rule.value for rule in Rule} | {rule.id: rule.purpose for rule in RULES} | IGNORE_RULES


def _list_rules() -> None:
    from messagegen.lint import IGNORE_RULES, RULES

    width = max(len(rule.id) for rule in RULES)
    for rule in RULES:
        fixable = "fix" if rule.fixable else ""
        title = click.style(f"{rule.id:{width}}", bold=True)
        click.echo(f"{title}  {rule.categories[0]:8}  {fixable:3}  {rule.purpose}")
    for name, purpose in IGNORE_RULES.items():
        click.echo(f"{click.style(f'{name:{width}}', bold=True)}  {'always':8}  {'':3}  {purpose}")
