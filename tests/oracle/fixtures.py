"""The committed fixtures: gzipped JSON lines that Apache's own classes wrote, and the made-up specs for some of them.

A round-trip row is ``{"message", "version", "json", "hex"}`` and, if the bytes contain unknown tagged fields,
``"unknown"`` (as in ``Question.unknown``). A row of ``DAMAGED`` is ``{"op", "how", "message", "version"}``, ``"hex"``
or ``"json"``, and ``"answer"``: Java's answer, which is either ``{"error"}`` or the same parts as in an ``Answer``.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

_FIXTURES: Final = Path(__file__).resolve().parents[1] / "fixtures"

OWN_MESSAGES: Final = _FIXTURES / "java" / "own_messages.jsonl.gz"
OFFICIAL_MESSAGES: Final = _FIXTURES / "java" / "official_messages.jsonl.gz"
MADE_UP_MESSAGES: Final = _FIXTURES / "java" / "made_up_messages.jsonl.gz"
DAMAGED: Final = _FIXTURES / "java" / "damaged.jsonl.gz"
MADE_UP_SPECS: Final = _FIXTURES / "made_up_specs"

Row = dict[str, Any]


def read_rows(file: Path) -> list[Row]:
    """Return the rows of one fixture file."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def write_rows(file: Path, rows: Iterable[Row]) -> None:
    """Write a fixture file. Equal rows make equal bytes, because the gzip header contains no name and no time."""
    lines = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress("".join(lines).encode("utf-8"), compresslevel=9, mtime=0))
