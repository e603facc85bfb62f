"""The examples on the page about Spark."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from tests.docs.examples import blocks

_PAGE: Final = Path(__file__).resolve().parents[3] / "docs" / "spark.md"
_HEADING: Final = re.compile(r"^#+ (.+)$", re.MULTILINE)


def examples() -> dict[str, str]:
    """Return the Python code on the page by heading."""
    page = _PAGE.read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for block in blocks(page):
        if block.language == "py":
            heading = _HEADING.findall(page[: block.start])[-1]
            assert heading not in found, f"two examples under {heading!r}"
            found[heading] = block.text
    return found


def example(heading: str, folder: Path) -> str:
    """Return the code under a heading. Its folders are replaced by subfolders of ``folder``."""
    code = examples()[heading]
    for place in ("/var/lib/kafka/data", "/data", "/lake", "/backup"):
        code = code.replace(f'"{place}', f'"{folder / place[1:]}')
    return code
