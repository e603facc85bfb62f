"""Reads the texts that specs are parsed from."""

from __future__ import annotations

from pathlib import Path
from typing import Final

MAX_BYTES: Final = 2**20
"""The maximum size of a spec's text. All of Kafka's are below 20 KB."""


def read_text(file: Path) -> bytes:
    """The bytes of a spec, or one more than ``MAX_BYTES`` of a larger file, which parsers reject; raises ``OSError``."""
    with file.open("rb") as opened:
        return opened.read(MAX_BYTES + 1)
