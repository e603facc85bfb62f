"""The PySpark versions that connectors support."""

from __future__ import annotations

from typing import Final

OLDEST: Final = "4.1.4"
"""The oldest minor release of PySpark that we support, and the newest that Iceberg supports."""
DELTA: Final = "4.2.0"
"""The newest PySpark that Delta supports."""
