"""The command ``messagegen fetch-specs``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from messagegen.cli.options import status_line
from messagegen.fetch.releases import NEWEST_RELEASE

if TYPE_CHECKING:
    from messagegen.fetch.specs import Difference, Fetched, Progress, SpecSet

_DIFFERENCES = {
    "changed": "was changed",
    "missing": "is missing",
    "unlisted": "is not in the lock file",
    "interrupted": "was left by an interrupted fetch; fetch again",
    "release": "is for another release",
}


_HELP = f"""Fetch the official message specs of a Kafka RELEASE from its published jars.

RELEASE defaults to {NEWEST_RELEASE}, the newest that this version of messagegen knows; releases since 2.4 have specs. They are
written unchanged to DIR/ARTIFACT/NAME.json, with the lock file DIR/messagegen-specs.lock. Specs that a release
no longer has are removed; your own files are never touched.

\b
Examples:
  messagegen fetch-specs --out kafka_specs
  messagegen fetch-specs 3.9.2 --out kafka_specs
  messagegen fetch-specs --jar kafka-clients-{NEWEST_RELEASE}.jar --out kafka_specs
  messagegen fetch-specs --source ../kafka --out kafka_specs
  messagegen fetch-specs --check --out kafka_specs

Exit codes: 0 done or up to date, 1 a difference (--check), 2 wrong usage or an error.
"""


@click.command("fetch-specs", help=_HELP)
@click.argument("release", required=False)
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Folder for the specs.")
@click.option(
    "--jar", "jars", type=click.Path(path_type=Path), multiple=True, metavar="FILE", help="Read this jar (repeatable)."
)
@click.option("--source", type=click.Path(path_type=Path), metavar="DIR", help="Read this Kafka source checkout.")
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
def fetch_specs(ctx: click.Context, /, form: str, check: bool, out: Path, release: str | None, **options: Any) -> None:
    """The command ``fetch-specs``. Its help is in ``_HELP``, because it names the newest release."""
    from messagegen.fetch.specs import FetchError

    _refuse_bad_usage(release, check, options)
    try:
        code = _check(out, release, form) if check else _fetch(out, release, form, options)
    except FetchError as error:
        _fail(ctx, form, str(error))
    ctx.exit(code)


def _refuse_bad_usage(release: str | None, check: bool, options: Mapping[str, Any]) -> None:
    given = [name for name in ("jars", "source") if options[name]]
    if check and (given or options["extra"] or options["mvn"] or options["force"]):
        raise click.UsageError("--check compares DIR with its lock file; it takes RELEASE, --out and --format only.")
    if len(given) + (release is not None) > 1:
        raise click.UsageError(
            f"Give one source of specs: a RELEASE such as {NEWEST_RELEASE}, or --jar FILE, or --source DIR."
        )
    if given and (options["extra"] or options["mvn"]):
        raise click.UsageError("--artifact and --mvn need a RELEASE; they cannot be used with --jar or --source.")


def _fail(ctx: click.Context, form: str, text: str) -> NoReturn:
    if form == "json":
        _print_json({"ok": False, "error": text})
    click.echo(f"error: {text}", err=True)
    ctx.exit(2)


def _print_json(value: Mapping[str, object]) -> None:
    click.echo(json.dumps(value, indent=2, sort_keys=True))


def _fetch(out: Path, release: str | None, form: str, options: Mapping[str, Any]) -> int:
    from messagegen.fetch.specs import store_specs

    with status_line() as progress:
        specs = _read(release, options, progress)
        progress(f"Writing {out}")
        fetched = store_specs(specs, out, force=options["force"])
    if form == "json":
        _print_json(_summary(fetched))
    else:
        _print_summary(fetched, out)
    return 0


def _read(release: str | None, options: Mapping[str, Any], progress: Progress) -> SpecSet:
    from messagegen.fetch.specs import from_checkout, from_jars, from_release

    if options["jars"]:
        return from_jars(options["jars"])
    if options["source"]:
        return from_checkout(options["source"])
    if release is None:
        release = NEWEST_RELEASE
        click.echo(f"No RELEASE given: fetching {release}, the newest that this version of messagegen knows", err=True)
    progress(f"Maven: looking for Kafka {release}")
    return from_release(release, extra=options["extra"], mvn=options["mvn"], progress=progress)


def _summary(fetched: Fetched) -> dict[str, object]:
    lock, changes = fetched.lock, fetched.changes
    return {
        "ok": True,
        "release": lock.release,
        "artifacts": {name: len(artifact.specs) for name, artifact in lock.artifacts.items()},
        "missing": list(lock.missing),
        "specs": len(lock.files()),
        "written": len(changes.written),
        "unchanged": len(changes.unchanged),
        "removed": len(changes.removed),
    }


def _print_summary(fetched: Fetched, out: Path) -> None:
    lock, changes = fetched.lock, fetched.changes
    for name, artifact in sorted(lock.artifacts.items()):
        click.echo(f"{len(artifact.specs):5} {name}")
    of_kafka = f" of Kafka {lock.release}" if lock.release else ""
    counts = f"{len(changes.written)} written, {len(changes.unchanged)} unchanged, {len(changes.removed)} removed"
    click.echo(f"{len(lock.files()):5} total")
    click.echo(f"Message specs{of_kafka} in {out}: {counts}")
    if lock.missing:
        click.echo(f"Skipped, because Kafka {lock.release} does not publish them: {', '.join(lock.missing)}", err=True)


def _check(out: Path, release: str | None, form: str) -> int:
    from messagegen.fetch.specs import check_specs

    lock, differences = check_specs(out, release)
    if form == "json":
        found = [{"path": difference.path, "kind": difference.kind} for difference in differences]
        _print_json({"ok": not found, "release": lock.release, "specs": len(lock.files()), "differences": found})
    else:
        _print_differences(out, differences, len(lock.files()))
    return 1 if differences else 0


def _print_differences(out: Path, differences: Sequence[Difference], specs: int) -> None:
    for difference in differences:
        click.echo(f"{out / difference.path} {_DIFFERENCES[difference.kind]}")
    if differences:
        click.echo(f"Differences from the lock file: {len(differences)}", err=True)
    else:
        click.echo(f"Message specs in {out} match the lock file: {specs}")
