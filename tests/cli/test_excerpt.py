from __future__ import annotations

from pathlib import Path

import pytest

from messagegen.cli.excerpt import excerpt
from messagegen.findings import Finding


def shown(folder: Path, text: str | bytes, line: int, column: int, width: int = 80) -> list[str]:
    file = folder / f"{abs(hash((text, line, column, width)))}.json"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(excerpt(Finding(str(file), line, column, "RULE", "wrong"), width))


def test_a_caret_stands_below_the_place(tmp_path: Path) -> None:
    text = '{\r\n  "name": 5,\r\n}'
    assert shown(tmp_path, text, 2, 11) == [' 2 |   "name": 5,', "   |           ^"]


def test_wide_characters_take_two_columns(tmp_path: Path) -> None:
    assert shown(tmp_path, "日本x", 1, 3) == [" 1 | 日本x", "   |     ^"]


def test_what_a_terminal_would_obey_is_not_printed(tmp_path: Path) -> None:
    lines = shown(tmp_path, b"\x1b[31m\tx\xff", 1, 7)
    assert lines == [" 1 | ?[31m x\ufffd", "   |       ^"]


@pytest.mark.parametrize("column", [1, 500, 1000])
@pytest.mark.parametrize("letter", ["x", "日"])
def test_long_lines_are_cut_around_the_place(tmp_path: Path, column: int, letter: str) -> None:
    text, caret = shown(tmp_path, letter * (column - 1) + "!" + letter * (1000 - column), 1, column, width=60)
    assert len(text) <= 60
    columns = "".join(c * 2 if c == "日" else c for c in text)
    assert len(columns) <= 60
    assert columns[caret.index("^")] == "!"


@pytest.mark.parametrize(("text", "line", "column"), [("", 1, 1), ("a", 2, 1), ("a", 1, 9), ("a\n  \n", 2, 1)])
def test_where_there_is_no_text_nothing_is_shown(tmp_path: Path, text: str, line: int, column: int) -> None:
    assert shown(tmp_path, text, line, column) == []


def test_a_file_that_is_gone_is_not_shown(tmp_path: Path) -> None:
    assert list(excerpt(Finding(str(tmp_path / "gone.json"), 1, 1, "RULE", "wrong"), 80)) == []


def test_a_name_is_read_again_in_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    finding = Finding("Same.json", 1, 1, "RULE", "wrong")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "Same.json").write_text(name)
        monkeypatch.chdir(tmp_path / name)
        assert list(excerpt(finding, 80)) == [f" 1 | {name}", "   | ^"]
