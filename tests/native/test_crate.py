"""The unit tests of the engine's crate."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

MANIFEST = Path(__file__).resolve().parents[2] / "native" / "Cargo.toml"


@pytest.mark.exhaustive
@pytest.mark.skipif(not shutil.which("cargo"), reason="cargo is not installed")
def test_its_own_tests_pass() -> None:
    command = ["cargo", "test", "--quiet", "--locked", "--package", "messagegen-core", "--manifest-path", str(MANIFEST)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
