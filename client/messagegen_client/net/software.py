"""What this software is called and which version of it runs, for brokers and for people."""

from __future__ import annotations

from typing import Final

NAME: Final = "messagegen"
_NOT_INSTALLED: Final = "unknown"
"""A checkout that is on the path has no version; KIP-511 allows this word as one."""


def software_version() -> str:
    """The version that is installed, or "unknown"."""
    # Most commands end without asking, and this import is a slow one.
    import importlib.metadata  # noqa: PLC0415 - only needed here

    try:
        return importlib.metadata.version(NAME)
    except importlib.metadata.PackageNotFoundError:
        return _NOT_INSTALLED
