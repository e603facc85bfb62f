"""Formats rows as a table that fits a terminal, without keeping all rows in memory."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final
from unicodedata import east_asian_width

import pyarrow as pa

from messagegen_arrow.dump.json_lines import cell_texts
from messagegen_arrow.dump.request import Section, errors_of

_GAP: Final = "  "
_LEAST: Final = 6
"""The minimum width of a column if the table is too wide."""
_NARROW: Final = 24
"""Columns up to this width, such as names of topics, are cut last."""
_ENOUGH_ROWS: Final = 200
_MOST_BYTES: Final = 512
"""More bytes of a value than fit in a line of a terminal."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the table: the titles, or a row."""

    text: str
    is_title: bool = False
    is_error: bool = False


def table_lines(batches: Iterable[pa.RecordBatch], section: Section, width: int) -> Iterator[Line]:
    """The lines of a table. The first rows determine the widths of columns, which share ``width``.

    Cells that do not fit end in dots. A malformed row has its error in the last column.
    """
    parts = iter(batches)
    first = list(_first_rows(parts))
    if not first:
        return
    titles = ["body" if name == "bodyJson" else name for name in _shown_names(first[0], section)]
    cells = [_cells(batch, section) for batch in first]
    widths = _widths([titles, *(row for rows in cells for row, _ in rows)], width, _are_fixed(first[0], section))
    yield Line(_line(titles, widths), is_title=True)
    for rows in chain(cells, (_cells(batch, section) for batch in parts)):
        yield from (Line(_line(row, widths), is_error=is_error) for row, is_error in rows)


def _first_rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The batches that decide how wide columns are."""
    count = 0
    for batch in batches:
        yield batch
        count += batch.num_rows
        if count >= _ENOUGH_ROWS:
            return


def _shown_names(batch: pa.RecordBatch, section: Section) -> list[str]:
    return [name for name in batch.schema.names if name not in section.of_errors]


def _cells(batch: pa.RecordBatch, section: Section) -> list[tuple[list[str], bool]]:
    """The cells of each row, and whether it is malformed."""
    columns = [_texts(name, batch.column(name), section) for name in _shown_names(batch, section)]
    rows = []
    for number, error in enumerate(errors_of(batch).to_pylist()):
        cells = [column[number] for column in columns]
        if error is not None:
            place = f"{error['path']}: " if error["path"] else ""
            cells[-1] = _printable(f"{place}{error['message']}")
        rows.append((cells, error is not None))
    return rows


def _texts(name: str, column: pa.Array, section: Section) -> list[str]:
    """A column as text: strings without quotes, bytes as text if they are UTF-8, null as empty text."""
    if pa.types.is_binary(column.type):
        return ["" if data is None else _bytes(data) for data in column.to_pylist()]
    return [_plain(text) for text in cell_texts(name, column, section).to_pylist()]


def _bytes(data: bytes) -> str:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return f"0x{data[:_MOST_BYTES].hex()}"
    return text if text.isprintable() else f"0x{data[:_MOST_BYTES].hex()}"


def _plain(text: str) -> str:
    if text == "null":
        return ""
    return _printable(json.loads(text) if text.startswith('"') else text)


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in text)


def _are_fixed(batch: pa.RecordBatch, section: Section) -> list[bool]:
    """Whether a column has numbers or times, which must not be cut."""
    types = [batch.schema.field(name).type for name in _shown_names(batch, section)]
    return [pa.types.is_integer(type_) or pa.types.is_timestamp(type_) for type_ in types]


def _widths(cells: list[list[str]], width: int, are_fixed: list[bool]) -> list[int]:
    """The width of each column. If they do not fit, the widest columns that may be cut are cut first."""
    widths = [min(max(map(_columns, column)), width) for column in zip(*cells, strict=True)]
    room = width - len(_GAP) * (len(widths) - 1)
    for most, least in ((_NARROW, _NARROW // 2), (0, _LEAST)):
        flexible = [n for n, is_fixed in enumerate(are_fixed) if not is_fixed and widths[n] > most]
        while flexible and sum(widths) > room:
            widest = max(flexible, key=widths.__getitem__)
            if widths[widest] <= least:
                break
            widths[widest] -= 1
    return widths


def _line(cells: list[str], widths: list[int]) -> str:
    return _GAP.join(_fitted(cell, width) for cell, width in zip(cells, widths, strict=True)).rstrip()


def _fitted(text: str, width: int) -> str:
    columns = _columns(text)
    if columns <= width:
        return text + " " * (width - columns)
    shown, taken = "", 0
    for character in text:
        taken += _columns(character)
        if taken > width - 3:
            break
        shown += character
    return f"{shown}...".ljust(width)


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)
