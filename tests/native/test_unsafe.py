"""The page about threads documents the assumptions of each unsafe block in the engine."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
SOURCES: Final = ROOT / "native"
PAGE: Final = ROOT / "docs" / "design" / "025-threads.md"

_UNSAFE: Final = re.compile(r"\bunsafe\s+(?:\{|fn\b|impl\b)")
_ROW: Final = re.compile(r"^\| `([a-z_/]+\.rs)`: ", re.MULTILINE)
_COMMENT: Final = re.compile(r"//.*")


def test_the_table_has_every_unsafe_block() -> None:
    blocks = {
        str(path.relative_to(SOURCES)): len(_UNSAFE.findall(_COMMENT.sub("", path.read_text())))
        for path in SOURCES.glob("*/src/**/*.rs")
    }
    assert Counter(_ROW.findall(PAGE.read_text())) == Counter(blocks)
