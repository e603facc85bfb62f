"""Typed, byte-exact Python from Kafka-style message specs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

__version__ = "0.1.0"

__all__ = ["__version__", "load"]


def load(*sources: str | Path, messages: Sequence[str] = (), error_codes: str | Path | None = None) -> ModuleType:
    """Generate in memory the classes of the specs in the given folders or files, for notebooks, tests and tools.

    ``messages`` selects messages by name (default: all); a file of ``error_codes`` adds ``ErrorCode``. The classes
    equal the output of ``messagegen generate``. Raise ``messagegen.findings.SpecError`` with findings, or
    ``messagegen.findings.UsageError`` for missing folders and unknown names.
    """
    from messagegen.generation.loading import load_package  # noqa: PLC0415 - importing messagegen stays cheap

    return load_package(*sources, messages=messages, error_codes=error_codes)
