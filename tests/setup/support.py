"""Writes the files of a set-up, for tests of ``init``."""

from __future__ import annotations

from pathlib import Path

from messagegen.setup import Step


def write(folder: Path, steps: list[Step]) -> None:
    """Write the files of ``steps`` without running ``init``."""
    for step in steps:
        if step.content is not None:
            (folder / step.path).parent.mkdir(parents=True, exist_ok=True)
            (folder / step.path).write_bytes(step.content)
