"""Shows findings and errors of commands that check specs: as text, JSON, GitHub annotations or SARIF."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import click

from messagegen.cli.options import SpecsError
from messagegen.cli.report import annotate, annotate_text, show_finding
from messagegen.cli.sarif import sarif_text

if TYPE_CHECKING:
    from messagegen.evolve import Location
    from messagegen.findings import Finding

EXIT_ERROR: Final = 2
FINDING_FORMATS: Final = ("text", "json", "github", "sarif")

format_option = click.option(
    "--format", "form", type=click.Choice(FINDING_FORMATS), default="text", show_default=True, help="How to report."
)


def show_findings(
    findings: Sequence[Finding],
    form: str,
    purposes: Mapping[str, str],
    *,
    previous: Mapping[Finding, Location] | None = None,
    excerpts: bool = True,
    err: bool = False,
) -> None:
    """Prints findings; for SARIF, ``purposes`` maps rules to their purpose, and ``previous`` findings to previous locations.

    For text, ``excerpts`` shows the source line of each finding, and ``err`` prints to standard error.
    """
    if form == "json":
        status = "findings" if findings else "clean"
        click.echo(json.dumps({"status": status, "findings": [finding.as_json() for finding in findings]}, indent=2))
    elif form == "sarif":
        click.echo(sarif_text(findings, purposes, previous=previous or {}))
    elif form == "github":
        for finding in findings:
            annotate(finding)
    else:
        for finding in findings:
            show_finding(finding, lines=excerpts, err=err)


class CheckCommand(click.Command):
    """A command with ``--format``. Errors have the same format, so that programs can read them."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """The context. Unknown options are errors, too, and ``--format`` may come after them."""
        with _errors_as(_format_in(args)):
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command."""
        with _errors_as(ctx.params["form"]):
            return super().invoke(ctx)


def _format_in(arguments: Sequence[str]) -> str:
    """The value of ``--format``, before the arguments are parsed."""
    form = "text"
    for argument, value in zip(arguments, [*arguments[1:], ""], strict=False):
        name, has_value, inline = argument.partition("=")
        if name == "--format":
            form = inline if has_value else value
    return form


@contextmanager
def _errors_as(form: str) -> Generator[None]:
    """Prints errors in a format for programs, on standard output, and exits with 2. As text, ``main`` prints them."""
    try:
        yield
    except click.ClickException as error:
        if form not in FINDING_FORMATS or form == "text":
            raise
        _show_error(error.format_message(), error.findings if isinstance(error, SpecsError) else (), form)
        raise click.exceptions.Exit(EXIT_ERROR) from None


def _show_error(text: str, findings: Sequence[Finding], form: str) -> None:
    if form == "json":
        value = {"status": "error", "error": text, "findings": [finding.as_json() for finding in findings]}
        click.echo(json.dumps(value, indent=2))
    elif form == "sarif":
        from messagegen.spec import Rule

        purposes = {rule.name: rule.value for rule in Rule}
        click.echo(sarif_text(findings, purposes, error=text))
    else:
        for finding in findings:
            annotate(finding)
        annotate_text("error", text, title="messagegen")
