"""The command line, ``messagegen``: the modules of this folder are the only ones that print."""

from __future__ import annotations

from messagegen.cli.command import main, run

__all__ = ["main", "run"]
