"""Converts rows to text: lines in Kafka's JSON format, and tables for terminals."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.arrays import null_unless
from messagegen_arrow.columns.json_text import json_column, json_value
from messagegen_arrow.console.text import printable, printable_document, shown_width, without_commands
from messagegen_arrow.dump.request import OF_ERRORS, Section, errors_of

_COMMANDS: Final = "##"
"""Text that a CI service may take for the beginning of a command, anywhere on a line."""
_NULL: Final = pa.scalar("null")
_NAMES: Final = {"bodyJson": "body"}
"""The names that columns with JSON text have in the output."""
_PRECISE: Final = ("time", "requestTime")
"""The columns with times in microseconds; Kafka's own times are in milliseconds."""
_YEAR_1: Final = -62_135_596_800_000
_YEAR_10000: Final = 253_402_300_800_000
"""When these years begin, in milliseconds since 1970."""
WIDEST: Final = 27
"""The width of a time in microseconds. Only the last column of a table may be wider."""
_NARROWEST: Final = 22
"""The minimum width of a text column that is cut: a topic id has 22 characters."""
_NARROWEST_LAST: Final = 12
"""The minimum width of the last column, which often contains long JSON."""
_BETWEEN: Final = "  "
"""The separator of columns."""
_CUT: Final = "..."
"""The end of a cell that does not fit."""
_ENOUGH_ROWS: Final = 200
_MOST: Final = 512
"""The maximum number of characters or bytes of a value that are shown: more than a line of a terminal has."""


def printable_lines_of(lines: pa.StringArray) -> Iterator[str]:
    """Yield lines of JSON that contain the same values and are safe to print."""
    for line in lines.to_pylist():
        yield line if line.isprintable() and _COMMANDS not in line else printable_document(line)


def json_lines(batch: pa.RecordBatch, section: Section) -> pa.StringArray:
    """Return a JSON object for each row. Error columns are left out of rows without an error."""
    errors = errors_of(batch).is_valid()
    has_errors = pc.any(errors).as_py()
    parts: list[pa.Array | str] = []
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        if name in OF_ERRORS and not has_errors:
            continue
        key = f",{json.dumps(_NAMES.get(name, name))}:"
        text = pc.binary_join_element_wise(key, _json_texts(name, column, section), "")
        if name in OF_ERRORS:
            text = pc.if_else(errors, text, "")
        elif name in section.left_out:
            text = pc.if_else(column.is_valid(), text, "")
        parts.append(text)
    joined = pc.binary_join_element_wise(*parts, "")
    # Each part begins with a comma; the first one is removed.
    return pc.binary_join_element_wise("{", pc.utf8_slice_codeunits(joined, 1), "}", "")


def _json_texts(name: str, column: pa.Array, section: Section) -> pa.StringArray:
    """Return the JSON of each row of a column; null becomes ``null``."""
    if name in section.texts:
        return pc.coalesce(column, _NULL)
    if name in section.structs:
        return pc.coalesce(json_column(column, section.structs[name]), _NULL)
    if pa.types.is_timestamp(column.type):
        times = _times(name, column)
        quoted = pc.binary_join_element_wise('"', times, '"', "")
        return pc.coalesce(pc.if_else(_have_four_digits(column), quoted, times), _NULL)
    return json_value(column, {})


def _times(name: str, column: pa.Array) -> pa.StringArray:
    """Return times in UTC as ISO 8601, or as milliseconds since 1970 if the year does not have four digits."""
    times = column.cast(pa.timestamp("us" if name in _PRECISE else "ms", "UTC"), safe=False)
    is_usual = _have_four_digits(column)
    usual = null_unless(is_usual, times)
    numbers = column.cast(pa.timestamp("ms", "UTC"), safe=False).cast(pa.int64()).cast(pa.string())
    texts = pc.binary_join_element_wise(pc.strftime(usual, format="%Y-%m-%dT%H:%M:%S"), "Z", "")
    return pc.if_else(is_usual, texts, numbers)


def _have_four_digits(column: pa.Array) -> pa.BooleanArray:
    """Whether years are from 1 to 9999. Libraries take other years modulo 65,536, or fail."""
    milliseconds = column.cast(pa.timestamp("ms", "UTC"), safe=False).cast(pa.int64())
    return pc.and_(pc.greater_equal(milliseconds, _YEAR_1), pc.less(milliseconds, _YEAR_10000))


def table_lines(batches: Iterable[pa.RecordBatch], section: Section, width: int, widest: int = WIDEST) -> Iterator[str]:
    """Yield the lines of a table. The last column takes the part of ``width`` that the other columns leave.

    The first rows determine the widths, and no column except the last is wider than ``widest``. If all columns together
    are too wide, text columns are cut further, if that is enough. Cells that do not fit end in dots. A malformed row
    has its error in the last column.
    """
    schema = section.stream.schema
    names: list[str] = [name for name in schema.names if name not in OF_ERRORS]
    rows = (row for batch in batches for row in _table_rows(batch, names, section))
    first = list(islice(rows, _ENOUGH_ROWS))
    if not first:
        return
    titles = [_NAMES.get(name, name) for name in names]
    widths = [min(max(map(shown_width, column)), widest) for column in zip(titles, *first, strict=True)]
    least = [
        _least_width(schema.field(name).type, title, width, _NARROWEST_LAST if name == names[-1] else _NARROWEST)
        for name, title, width in zip(names, titles, widths, strict=True)
    ]
    room = width - len(_BETWEEN) * (len(widths) - 1)
    widths = _narrowed(widths, least, room)
    widths[-1] += max(room - sum(widths), 0)
    for row in chain([titles], first, rows):
        cells = [_fitted(cell, most) for cell, most in zip(row, widths, strict=True)]
        yield without_commands(_BETWEEN.join(cells).rstrip())


def _least_width(type_: pa.DataType, title: str, width: int, narrowest: int) -> int:
    """Return the narrowest width that keeps a column readable; a cut number or time would be misleading."""
    if pa.types.is_primitive(type_):
        return width
    return min(max(narrowest, len(title)), width)


def _narrowed(widths: list[int], least: list[int], room: int) -> list[int]:
    """Return the widths, with the widest columns narrowed until all fit; unchanged if that is not enough."""
    if sum(least) > room:
        return widths
    narrowed = [*widths]
    for _ in range(sum(widths) - room):
        _, widest = max((width, place) for place, width in enumerate(narrowed) if width > least[place])
        narrowed[widest] -= 1
    return narrowed


def _table_rows(batch: pa.RecordBatch, names: list[str], section: Section) -> Iterator[list[str]]:
    columns = [_cells(name, batch.column(name), section) for name in names]
    for error, *cells in zip(errors_of(batch).to_pylist(), *columns, strict=True):
        if error is not None:
            cells[-1] = f"{error['path']}: {error['message']}" if error["path"] else error["message"]
        yield [printable(cell[:_MOST]) for cell in cells]


def _cells(name: str, column: pa.Array, section: Section) -> list[str]:
    """Return a column as text: strings without quotes, bytes as text if they are UTF-8, and null as an empty string."""
    if pa.types.is_binary(column.type):
        return ["" if data is None else _bytes(data) for data in column.to_pylist()]
    if pa.types.is_timestamp(column.type):
        column = _times(name, column)
    elif not pa.types.is_string(column.type):
        column = pc.if_else(column.is_valid(), _json_texts(name, column, section), "")
    return [text or "" for text in column.to_pylist()]


def _bytes(data: bytes) -> str:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = "\0"
    return text if text.isprintable() else f"0x{data[:_MOST].hex()}"


def _fitted(text: str, width: int) -> str:
    taken = shown_width(text)
    if taken <= width:
        return text + " " * (width - taken)
    kept = text[: width - len(_CUT)]
    while shown_width(kept) > width - len(_CUT):
        kept = kept[:-1]
    return f"{kept}{_CUT}".ljust(width - (shown_width(kept) - len(kept)))
