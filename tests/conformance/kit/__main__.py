"""Builds the conformance kit: ``python -m tests.conformance.kit``, or ``make conformance-kit``."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path

import click

from messagegen.fetch.releases import RELEASES
from tests.conformance.kit.archive import NAME, packed, with_checksums, write_folder
from tests.conformance.kit.build import Kit


@click.command()
@click.option(
    "--release", "releases", multiple=True, type=click.Choice(RELEASES), help="A release; the default is all."
)
@click.option(
    "--message", "patterns", multiple=True, help="A message, or a pattern such as 'Fetch*'; the default is all."
)
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/conformance-kit"), show_default=True)
def main(releases: Sequence[str], patterns: Sequence[str], out: Path) -> None:
    """Build the conformance kit, and check each line with the Java classes of its releases.

    Needs a JDK and Maven, and takes several minutes for all releases.
    """
    kit = Kit()
    for release in (one for one in RELEASES if one in (releases or RELEASES)):
        started = time.monotonic()
        kit.add(release, lambda name: not patterns or any(fnmatchcase(name, one) for one in patterns))
        counts = ", ".join(f"{number:,} {what}" for what, number in kit.counts[release].items())
        click.echo(f"{release}: {counts} ({time.monotonic() - started:.0f} s)")
    files = with_checksums(kit.files())
    shutil.rmtree(out / NAME, ignore_errors=True)
    write_folder(files, out / NAME)
    archive, data = out / f"{NAME}.tar.xz", packed(files)
    archive.write_bytes(data)
    (out / f"{archive.name}.sha256").write_text(f"{sha256(data).hexdigest()}  {archive.name}\n", encoding="utf-8")
    click.echo(f"{archive}: {len(data):,} bytes, {len(files)} files with {sum(map(len, files.values())):,} bytes")


if __name__ == "__main__":
    main()
