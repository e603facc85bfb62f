"""The command ``messagegen merge-specs``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from messagegen.cli.findings import show_findings
from messagegen.cli.options import NamedPath, VersionedCommand, format_option
from messagegen.console.output import show
from messagegen.console.text import count
from messagegen.progress import counted

EXIT_FINDINGS = 1


@click.command("merge-specs", cls=VersionedCommand)
@click.argument("sets", nargs=-1, required=True, metavar="SET...")
@click.option("--output", type=NamedPath(), required=True, metavar="DIR", help="Folder for the merged specs.")
@click.option("--keep-newest", is_flag=True, help="Where sets cannot be merged, use the newest set.")
@click.option("--force", is_flag=True, help="Also replace edited specs, and other files at their paths.")
@format_option
@click.pass_context
def merge_specs(
    ctx: click.Context, sets: Sequence[str], output: Path, keep_newest: bool, force: bool, form: str
) -> None:
    """Merge sets of specs into one that has every version of each message.

    SETs go from the oldest to the newest: a folder, git:REF:FOLDER, kafka:RELEASE, or a range of releases such as
    kafka:2.4..4.4. Each version is as in the newest set that has it. Names and texts are those of the newest set.

    The result is compared with every set. Nothing is written if the result lacks a version of a set, has different
    bytes or a different number for it, or uses the name of one field for another. In these places, --keep-newest uses
    the newest set, and still reports the difference. Comments in the result name the set of an old version or field.

    \b
    Examples:
      messagegen merge-specs kafka:2.4..4.4 --output kafka_specs --keep-newest
      messagegen merge-specs git:v1:message_specs message_specs --output merged_specs

    Exit codes: 0 written, 1 findings and nothing written, 2 wrong usage or an error.
    """
    from messagegen.cli.spec_sets import read_spec_set
    from messagegen.fetch.folder import store_specs
    from messagegen.merge import merge_sets
    from messagegen.merge.folders import as_fetched

    names = [name for text in sets for name in _names(text)]
    merged = merge_sets([read_spec_set(name, ()) for name in counted(names)])
    findings = merged.findings
    stopped = bool(findings) and not keep_newest
    changes = None if stopped else store_specs(as_fetched(merged.texts), output, force=force)[1]
    show_findings(findings, form)
    if form == "text":
        counts = count(len(findings), "finding")
        if changes is None:
            advice = "Pass --keep-newest to use the newest set in these places."
            show(f"{counts}; nothing was written. {advice}", err=True)
        else:
            show(f"{count(len(merged.texts), 'message spec')} in {output}: {changes}; {counts}")
    ctx.exit(EXIT_FINDINGS if stopped else 0)


def _names(text: str) -> list[str]:
    """Return the releases in a range such as ``kafka:2.4..4.4``, or the argument itself. Raise ``UsageError``."""
    from messagegen.fetch.releases import releases_between

    releases = releases_between(text.removeprefix("kafka:")) if text.startswith("kafka:") else None
    return [f"kafka:{release}" for release in releases] if releases else [text]
