"""The command line, ``messagegen``. Only the modules in this folder print."""

from __future__ import annotations

from messagegen.cli.command import main, run

__all__ = ["main", "run"]
