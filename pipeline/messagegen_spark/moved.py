"""Where the commands that this package had went; for one release."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final, NoReturn

_MOVED: Final = {
    "messagegen-advise": "messagegen-data advise reads the same data on one machine",
    "messagegen-pipeline": "spark.readStream.format('kafka-log') with Spark's sinks writes logs as tables, and goes on "
    "after a restart; "
    "messagegen-data has dump, lag-history and metadata-history",
}


def main() -> NoReturn:
    """Says it, and ends with 2."""
    name = Path(sys.argv[0]).stem
    sys.stderr.write(f"{name} was removed: {_MOVED.get(name, 'see docs/spark.md')}\n")
    raise SystemExit(2)
