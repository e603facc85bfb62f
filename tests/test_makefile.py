"""The environments that make installs: ``PYTHON=...`` rebuilds them only if they have a different Python."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The makefiles, the requirements, and two environments with stamps of a finished installation."""
    for name in ("Makefile", "benchmarks/bench.mk"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    pins = tmp_path / "release/constraints"
    pins.mkdir(parents=True)
    for name in ("generate.txt", "wheels.txt"):
        (pins / name).touch()
    for folder, stamp in ((".venv", ".generating"), (".cache/wheels-venv", ".installed")):
        venv.create(tmp_path / folder, symlinks=True)
        (tmp_path / folder / stamp).touch()
    return tmp_path


def is_made_again(checkout: Path, stamp: str, python: Path) -> bool:
    command = ["make", "--question", stamp, f"PYTHON={python}"]
    return subprocess.run(command, cwd=checkout, check=False, capture_output=True).returncode == 1


@pytest.mark.parametrize("stamp", [".venv/.generating", ".cache/wheels-venv/.installed"])
def test_an_environment_is_rebuilt_only_for_a_different_python(checkout: Path, stamp: str) -> None:
    this = Path(sys.executable)
    assert not is_made_again(checkout, stamp, this)

    other = checkout / "other-python"
    other.write_text("#!/bin/sh\necho 3.11.0 /elsewhere\n", encoding="ascii")
    other.chmod(0o755)
    assert is_made_again(checkout, stamp, other)


@pytest.mark.parametrize("stamp", [".venv/.generating", ".cache/wheels-venv/.installed"])
def test_a_python_that_does_not_exist_is_an_error(checkout: Path, stamp: str) -> None:
    command = ["make", stamp, "PYTHON=/no/python"]
    done = subprocess.run(command, cwd=checkout, check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "no Python 3.11 or newer with its venv module was found at /no/python" in done.stderr
    assert (checkout / stamp).exists()
