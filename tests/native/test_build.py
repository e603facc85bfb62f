"""Make builds the native engine again if its sources have changed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# A substitute for the build tool that edits a source file while the engine is built.
MATURIN_WITH_EDIT = """\
#!/bin/sh
sleep 0.05
touch native/lib.rs
"""


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
def test_a_file_that_was_edited_during_a_build_is_built_next_time(tmp_path: Path) -> None:
    for name in ("Makefile", "benchmarks/bench.mk", "native/Cargo.lock", "native/pyproject.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "native" / "lib.rs").touch()
    maturin = tmp_path / ".venv" / "bin" / "maturin"
    maturin.parent.mkdir(parents=True)
    maturin.write_text(MATURIN_WITH_EDIT)
    maturin.chmod(0o755)

    stamp = ".venv/.native"
    build = ["make", "--old-file", ".venv/.installed", stamp]
    subprocess.run(build, cwd=tmp_path, check=True, capture_output=True)

    assert (tmp_path / stamp).exists()
    needs_building = subprocess.run([*build, "--question"], cwd=tmp_path, check=False, capture_output=True)
    assert needs_building.returncode == 1
