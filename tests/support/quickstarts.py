"""Follows each quickstart in a new environment: installs its requirements from a folder, and runs its examples.

``python -m tests.support.quickstarts dist`` needs git, make, and a package index for the dependencies of our
distributions. Examples with a broker or Spark are skipped if a JDK or Maven is missing.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import unified_diff
from pathlib import Path
from typing import Final

import click

from tests.broker.cluster import Cluster
from tests.docs.examples import blocks, needs
from tests.support import pythons

PAGES: Final = sorted((pythons.ROOT / "docs" / "quickstart").glob("*.md"))
_RUN: Final = """\
import json, sys
from pathlib import Path
root, page, folder, having, stands_for = json.loads(sys.argv[1])
sys.path[:0] = [folder, f"{folder}/src", root]
from tests.docs.examples import Setting, run_page
text = Path(page).read_text(encoding="utf-8")
setting = Setting(Path(folder), frozenset(having), every_command=True, installs=True, stands_for=stands_for)
Path(f"{folder}/page.md").write_text(run_page(text, Path(page).name, setting), encoding="utf-8")
"""


def follow(page: Path, folder: Path, python: Path, dist: Path, broker: Cluster | None) -> list[str]:
    """Follow a page in a folder, and return the problems as lines."""
    stands_for = {"PATH/dist/": f"{dist}/", "PATH/": f"{pythons.ROOT}/"}
    having = ["network"]
    if broker:
        stands_for |= {"localhost:9092": broker.bootstrap(), "/var/lib/kafka/data": str(broker.log_dir())}
        having += ["broker", "spark"]
    text = page.read_text(encoding="utf-8")
    install = next(block.text for block in blocks(text) if block.language == "sh")
    for written, real in stands_for.items():
        install = install.replace(written, real)
    environment = _environment(python, folder)
    commands = install.replace("pip install", "pip --disable-pip-version-check install --quiet")
    done = subprocess.run(["bash", "-ec", commands], cwd=folder, env=environment, check=False)
    if done.returncode:
        return [f"installing ended with exit code {done.returncode}"]
    asked = json.dumps([str(pythons.ROOT), str(page), str(folder), having, stands_for])
    done = subprocess.run([folder / ".venv/bin/python", "-c", _RUN, asked], cwd=folder, env=environment, check=False)
    if done.returncode:
        return [f"the examples ended with exit code {done.returncode}"]
    wanted, lines = (path.read_text(encoding="utf-8").splitlines() for path in (page, folder / "page.md"))
    return list(unified_diff(wanted, lines, page.name, "what the examples print", lineterm="", n=1))


def _environment(python: Path, folder: Path) -> dict[str, str]:
    """Return the environment variables of a user: ``python`` on the PATH is this Python, and git has an author."""
    links = folder / ".bin"
    links.mkdir()
    (links / "python").symlink_to(python)
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV", "MAKE"))}
    names = {f"GIT_{role}_{what}": "reader" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    # Otherwise, the speed of the machine would decide whether a command prints its progress.
    shown = {"COLUMNS": "100", "MESSAGEGEN_PROGRESS": "0"}
    return ours | names | shown | {"PATH": f"{links}{os.pathsep}{os.environ['PATH']}"}


@contextmanager
def _broker(folder: Path) -> Iterator[Cluster | None]:
    """Yield a new broker; ``None`` if a JDK or Maven is missing."""
    if not (shutil.which("mvn") and shutil.which("javac")):
        yield None
        return
    with Cluster(folder) as cluster:
        yield cluster


@click.command()
@click.argument("dist", type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path))
@click.option("--page", "pages", multiple=True, help="Only this page, such as proxy.md.")
def main(dist: Path, pages: tuple[str, ...]) -> None:
    """Follow the quickstarts with the distributions of the folder DIST, each in a new environment."""
    python = pythons.found()[0]
    failed = []
    with tempfile.TemporaryDirectory() as scratch, _broker(Path(scratch, "broker")) as broker:
        for page in [page for page in PAGES if page.name in pages or not pages]:
            folder = Path(scratch, page.stem)
            folder.mkdir()
            start = time.monotonic()
            wrong = follow(page, folder, python.executable, dist, broker)
            seconds = time.monotonic() - start
            skipped = needs(page.read_text(encoding="utf-8")) - {"network"} if broker is None else frozenset[str]()
            without = f", without {' and '.join(sorted(skipped))}" if skipped else ""
            click.echo(
                f"{page.name}: {'failed' if wrong else 'passed'} in {seconds:.0f} s with Python {python.name}{without}"
            )
            for line in wrong:
                click.echo(f"  {line}")
            if wrong:
                failed.append(page.name)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
