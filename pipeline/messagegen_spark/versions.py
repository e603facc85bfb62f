"""The versions of Spark that this package works with."""

from __future__ import annotations

import re
from typing import Final

_FIRST: Final = (4, 1)
_SUPPORTED: Final = "4.1 to 4.3"


class UnsupportedSparkError(RuntimeError):
    """Raised if PySpark or a session's Spark is too old."""


def check_pyspark() -> None:
    """Raise ``UnsupportedSparkError`` if the installed PySpark is too old.

    An older version lacks APIs that the functions and the source need.
    """
    import pyspark  # noqa: PLC0415 - importing this package does not start PySpark

    check_version("PySpark", pyspark.__version__)


def check_version(what: str, version: str) -> None:
    """Raise ``UnsupportedSparkError`` for a version that is too old; versions newer than the tested range may work."""
    found = re.match(r"(\d+)\.(\d+)", version)
    if found and tuple(map(int, found.groups())) < _FIRST:
        raise UnsupportedSparkError(f"messagegen_spark needs {what} {_SUPPORTED}; this is {version}")
