"""The command ``messagegen fetch-specs``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import click

from messagegen.cli.findings import CheckCommand
from messagegen.cli.options import errors_as_usage, status_line
from messagegen.cli.types import Place
from messagegen.fetch.releases import NEWEST_RELEASE

_DIFFERENCES: Final = {
    "changed": "was changed",
    "missing": "is missing",
    "unlisted": "is not in the lock file",
    "release": "is for another release",
}


_HELP: Final = f"""Fetch the official message specs of a Kafka RELEASE from its published jars.

RELEASE defaults to {NEWEST_RELEASE}, the newest that this version of messagegen knows; releases since 2.4 have specs. They are
written unchanged to DIR/ARTIFACT/NAME.json, with the lock file DIR/messagegen-specs.lock. Specs that a release
no longer has are removed; your own files are never touched.

\b
Examples:
  messagegen fetch-specs --out kafka_specs
  messagegen fetch-specs 3.9.2 --out kafka_specs
  messagegen fetch-specs --jar kafka-clients-{NEWEST_RELEASE}.jar --out kafka_specs
  messagegen fetch-specs --check --out kafka_specs

Exit codes: 0 done or up to date, 1 a difference (--check), 2 wrong usage or an error.
"""


@click.command("fetch-specs", cls=CheckCommand, help=_HELP)
@click.argument("release", required=False)
@click.option("--out", type=Place(path_type=Path), required=True, metavar="DIR", help="Folder for the specs.")
@click.option(
    "--jar", "jars", type=Place(path_type=Path), multiple=True, metavar="FILE", help="Read this jar (repeatable)."
)
@click.option(
    "--artifact",
    "extra",
    multiple=True,
    metavar="NAME",
    help="Also fetch this artifact, such as kafka-streams (repeatable).",
)
@click.option("--mvn", metavar="PATH", help="The Maven client; default: mvn on PATH.")
@click.option("--check", is_flag=True, help="Only compare DIR with its lock file, offline; exit 1 if they differ.")
@click.option("--force", is_flag=True, help="Replace edited specs, files in the way, and the known hash of a jar.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def fetch_specs(  # noqa: D103 - its help is in ``_HELP``, because it names the newest release
    ctx: click.Context,
    release: str | None,
    out: Path,
    jars: Sequence[Path],
    extra: Sequence[str],
    mvn: str | None,
    check: bool,
    force: bool,
    form: str,
) -> None:
    from messagegen.fetch.specs import check_specs, from_jars, from_release, store_specs

    if check and (jars or extra or mvn or force):
        raise click.UsageError("--check compares DIR with its lock file; it takes RELEASE, --out and --format only.")
    if jars and (release or extra or mvn):
        raise click.UsageError(
            f"Give a RELEASE such as {NEWEST_RELEASE}, or --jar FILE; --artifact and --mvn need a RELEASE."
        )
    with errors_as_usage(), status_line() as progress:
        if check:
            changes = None
            lock, differences = check_specs(out, release)
        else:
            differences = ()
            if not (jars or release):
                click.echo(
                    f"No RELEASE given: fetching {NEWEST_RELEASE}, the newest that this version of messagegen knows", err=True
                )
            specs = (
                from_jars(jars)
                if jars
                else from_release(release or NEWEST_RELEASE, extra=extra, mvn=mvn, progress=progress)
            )
            lock, changes = store_specs(specs, out, force=force)
    result: dict[str, object] = {"ok": True, "release": lock.release, "specs": len(lock.files())}
    if changes is None:
        found = [{"path": one.path, "kind": one.kind} for one in differences]
        _print(
            result | {"ok": not found, "differences": found},
            form,
            [
                *(f"{out / one.path} {_DIFFERENCES[one.kind]}" for one in differences),
                (
                    f"Differences from the lock file: {len(found)}"
                    if found
                    else f"Message specs in {out} match the lock file: {len(lock.files())}"
                ),
            ],
        )
        ctx.exit(1 if found else 0)
    counts = {name: len(getattr(changes, name)) for name in ("written", "unchanged", "removed")}
    artifacts = {name: len(artifact.specs) for name, artifact in sorted(lock.artifacts.items())}
    of_kafka = f" of Kafka {lock.release}" if lock.release else ""
    _print(
        result | counts | {"artifacts": artifacts, "missing": list(lock.missing)},
        form,
        [
            *(f"{number:5} {name}" for name, number in artifacts.items()),
            f"{len(lock.files()):5} total",
            f"Message specs{of_kafka} in {out}: {', '.join(f'{number} {name}' for name, number in counts.items())}",
            *([f"Not published by Kafka {lock.release}: {', '.join(lock.missing)}"] if lock.missing else []),
        ],
    )


def _print(value: Mapping[str, object], form: str, lines: Sequence[str]) -> None:
    click.echo(json.dumps(value, indent=2, sort_keys=True) if form == "json" else "\n".join(lines))
