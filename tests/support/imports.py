"""Helpers for tests of imports."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping


def without_cycles(table: Mapping[str, set[str]]) -> bool:
    """Return whether the names in a table can be ordered so that each imports only earlier names."""
    done: set[str] = set()
    while ready := {name for name, others in table.items() if name not in done and others <= done}:
        done |= ready
    return done == table.keys()


def loaded_by(code: str) -> set[str]:
    """Return the modules that a fresh interpreter has loaded after running ``code``."""
    command = f"{code}\nimport sys\nprint(*sys.modules)"
    return set(
        subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True).stdout.split()
    )
