"""Installs a folder of distributions into new environments, and tests generated code there with both engines.

``python -m tests.support.installed dist`` does this on every Python that ``tests.support.pythons`` finds. The tests'
requirements are installed as the lock file pins them; our distributions come only from the folder.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import click

from tests.support import pythons

_WANTED: Final = ("messagegen", "messagegen-client[native]")
_TESTS: Final = ("tests/generated", "tests/runtime", "tests/cli/test_self_check.py")
_PLACES: Final = """\
import messagegen, messagegen_client, messagegen_kafka, messagegen_native, sys
found = [module.__file__ for module in (messagegen, messagegen_client, messagegen_kafka, messagegen_native)]
sys.exit(", ".join(place for place in found if not place.startswith(sys.prefix)) or 0)
"""


def install(python: Path, folder: Path) -> bool:
    """Install our distributions into an environment that has the tests' requirements.

    Return whether they can be imported from there.
    """
    pip = [str(python), "-m", "pip", "install", "--quiet", "--no-index"]
    command = [*pip, "--find-links", str(folder), "--force-reinstall", "--no-deps"]
    wanted = [*_WANTED, "messagegen-kafka", "messagegen-native"]
    if _fails([*command, *wanted]) or _fails([*pip, *_WANTED]):
        return False
    return not _fails([str(python), "-c", _PLACES])


def passes(python: Path) -> bool:
    """Whether the tests pass on both engines."""
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow and not java", *_TESTS]
    check = [str(python), "-m", "messagegen.cli", "self-check"]
    return not (_fails(check) or _fails(command) or _fails(command, MESSAGEGEN_PURE="1"))


def _fails(command: list[str], **variables: str) -> bool:
    return subprocess.run(command, cwd=pythons.ROOT, env=os.environ | variables, check=False).returncode != 0


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path))
@click.option("--python", "names", multiple=True, help="Only this Python, such as 3.12.")
def main(folder: Path, names: tuple[str, ...]) -> None:
    """Test the distributions of FOLDER on every Python that is installed."""
    chosen = [one for one in pythons.found() if one.name in names or not names]
    failed = []
    for interpreter in chosen:
        click.echo(f"Python {interpreter.name}: {interpreter.executable}")
        python = pythons.environment(interpreter, pythons.ROOT / ".cache" / "installed")
        if not (install(python, folder) and passes(python)):
            failed.append(interpreter.name)
    click.echo(f"passed on {', '.join(one.name for one in chosen if one.name not in failed) or 'none'}")
    if failed or not chosen:
        sys.exit(f"failed on {', '.join(failed)}" if failed else "no Python 3.11 or newer was found")


if __name__ == "__main__":
    main()
