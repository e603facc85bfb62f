"""The files of the checkout. Tests must not change them, because the version of a build depends on them."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def state(root: Path = ROOT) -> set[str]:
    """Return the changes since the last commit, including ignored files except caches; empty outside a repository."""
    command = ["git", "status", "--porcelain", "--untracked-files=all", "--ignored=matching"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    hidden = ("__pycache__", "!! .", "!! build/", "!! dist/", "!! native/target/")
    return {line for line in done.stdout.splitlines() if not any(each in line for each in hidden)}
