"""The command ``messagegen fetch-specs``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from messagegen.cli.options import NamedPath, VersionedCommand
from messagegen.console.output import show
from messagegen.fetch.releases import NEWEST_RELEASE, with_patch

_DIFFERENCES: Final = {
    "changed": "was changed",
    "missing": "is missing",
    "unlisted": "is not in the lock file",
    "release": "is for another release",
}


@click.command("fetch-specs", cls=VersionedCommand)
@click.argument("release", required=False)
@click.option("--output", type=NamedPath(), required=True, metavar="DIR", help="Folder for the specs.")
@click.option("--jar", "jars", type=NamedPath(), multiple=True, metavar="FILE", help="Read this jar (repeatable).")
@click.option(
    "--sha256",
    "digests",
    multiple=True,
    metavar="DIGEST",
    help="The SHA-256 of a jar; without Maven, required for a RELEASE that messagegen does not know (repeatable).",
)
@click.option("--check", is_flag=True, help="Only compare DIR with its lock file, offline; exit 1 if they differ.")
@click.option("--force", is_flag=True, help="Also replace edited specs, and other files at their paths.")
@click.pass_context
def fetch_specs(
    ctx: click.Context,
    release: str | None,
    output: Path,
    jars: Sequence[Path],
    digests: Sequence[str],
    check: bool,
    force: bool,
) -> None:
    """Fetch the official message specs of a Kafka RELEASE from its published jars.

    RELEASE defaults to the newest that this version of messagegen knows; releases since 2.4 have specs. 2.7 stands for
    2.7.2, the newest patch of this minor release. The specs are written unchanged to DIR/ARTIFACT/NAME.json, with the
    lock file DIR/messagegen-specs.lock. Specs that a release no longer has are removed; your own files are never
    touched.

    \b
    Examples:
      messagegen fetch-specs --output kafka_specs
      messagegen fetch-specs 3.9.2 --output kafka_specs
      messagegen fetch-specs --jar kafka-clients-4.4.0.jar --output kafka_specs
      messagegen fetch-specs --check --output kafka_specs

    Exit codes: 0 done or up to date, 1 a difference (--check), 2 wrong usage or an error.
    """
    from messagegen.fetch.specs import check_specs, from_jars, from_release, store_specs

    if check and (jars or digests or force):
        raise click.UsageError("--check only compares DIR with its lock file; leave out all but RELEASE and --output.")
    if jars and release:
        raise click.UsageError(f"Give a RELEASE such as {NEWEST_RELEASE}, or --jar FILE.")
    if digests and not release:
        raise click.UsageError("--sha256 needs a RELEASE: it checks the jars that are fetched.")
    release = with_patch(release) if release else None
    if check:
        lock, differences = check_specs(output, release)
        for path, kind in differences:
            show(f"{output / path} {_DIFFERENCES[kind]}")
        matching = f"Message specs in {output} match the lock file: {len(lock.files)}"
        show(f"Differences from the lock file: {len(differences)}" if differences else matching)
        ctx.exit(1 if differences else 0)
    if not (jars or release):
        newest = f"{NEWEST_RELEASE}, the newest that this version of messagegen knows"
        show(f"No RELEASE given: fetching {newest}", err=True)
    specs = from_jars(jars) if jars else from_release(release or NEWEST_RELEASE, digests)
    lock, changes = store_specs(specs, output, force=force)
    artifacts = Counter(path.partition("/")[0] for path in lock.files)
    for name, specs_of_it in sorted(artifacts.items()):
        show(f"{specs_of_it:5} {name}")
    of_kafka = f" of Kafka {lock.release}" if lock.release else ""
    show(f"{artifacts.total():5} total", f"Message specs{of_kafka} in {output}: {changes}")
