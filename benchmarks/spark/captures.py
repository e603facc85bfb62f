"""Packet captures: requests for metadata and their answers, in several files, because one task reads one file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.arrow.support.capture_traffic import conversation, write_pcap

_FILES: Final = 4
_EXCHANGES: Final = 2_000
_FEW: Final = 100


def capture_folder(folder: Path) -> Path:
    """The folder of the captures."""
    return folder / "captures"


def frame_count(folder: Path) -> int:
    """How many frames all captures have."""
    return int((capture_folder(folder) / "count").read_text(encoding="ascii"))


def write_captures(folder: Path, scale: float) -> None:
    """Writes the captures, each of one connection."""
    count = max(_FEW, int(_EXCHANGES * scale))
    captures = capture_folder(folder)
    captures.mkdir()
    for number in range(_FILES):
        write_pcap(captures / f"{number}.pcap", conversation(count))
    (captures / "count").write_text(str(_FILES * count * 2), encoding="ascii")
