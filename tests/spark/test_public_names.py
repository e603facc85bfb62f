"""The design page has a reason for each public name of the package."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import messagegen_spark

_ROOT: Final = Path(__file__).resolve().parents[2]
_PAGE: Final = _ROOT / "docs" / "design" / "008-pipeline.md"
_SINKS: Final = re.compile(r"\bSink<'a, 'data> for (\w+)<")


def _first_cells(after: str) -> list[str]:
    """Return the names in the first column of the table that follows the text ``after`` on the page."""
    table = _PAGE.read_text(encoding="utf-8").partition(after)[2].split("\n\n")[1]
    cells = [row.split("|")[1] for row in table.splitlines()[2:]]
    return [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]


def test_the_design_page_has_a_reason_for_each_public_name() -> None:
    listed = _first_cells("**Each public name of `messagegen_spark`")
    assert sorted(listed) == messagegen_spark.__getattr__("__all__")


def test_the_jvm_and_arrow_each_decode_messages_with_one_sink() -> None:
    """All other sinks of the walk store nothing, or find positions for the column sink."""
    found = {
        crate: sorted(
            name
            for path in (_ROOT / "native" / crate / "src").rglob("*.rs")
            for name in _SINKS.findall(path.read_text(encoding="utf-8"))
        )
        for crate in ("core", "jni")
    }
    assert found["jni"] == ["RowSink"]
    assert "ColumnSink" in found["core"]
    page = _PAGE.read_text(encoding="utf-8").partition("### Two ways to decode")[2].partition("\n**")[0]
    assert re.findall(r"\| `(\w+Sink)` ", page) == ["RowSink", "ColumnSink"]
