"""Name and version of this software."""

from __future__ import annotations

from typing import Final

NAME: Final = "messagegen"
_DISTRIBUTION: Final = "messagegen-client"
_NOT_INSTALLED: Final = "unknown"
"""The version of a checkout that is not installed; KIP-511 allows this word."""


def software_version() -> str:
    """The installed version, or "unknown"."""
    import importlib.metadata  # noqa: PLC0415 - slow, and rarely needed

    try:
        return importlib.metadata.version(_DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError:
        return _NOT_INSTALLED
