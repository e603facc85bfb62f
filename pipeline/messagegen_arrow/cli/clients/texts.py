"""Converts reports on clients to text: JSON lines, a Markdown table, or a table for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from messagegen_arrow.console.text import count, json_line, markdown_text

if TYPE_CHECKING:
    from messagegen_arrow.clients.captures import CapturedClients
    from messagegen_arrow.clients.report import ClientReport, UsedApi

_COLUMNS: Final = ("verdict", "software", "clientId", "principal", "addresses", "apis")
_UNREAD: Final = "unknown: cannot be read"
"""The verdict on clients in what cannot be read."""
_WIDEST_COLUMN: Final = 32
"""The maximum width of a column except the last: no verdict is wider."""


def lines_of(reports: Sequence[ClientReport], captured: CapturedClients, form: str, width: int) -> Iterator[str]:
    """Yield the lines of reports in a form, which is ``json``, ``markdown`` or ``table``.

    The last one is about what could not be read, if anything. Tables have no empty columns.
    """
    if form == "json":
        documents = list(map(_document, reports))
        if captured.unread:
            documents.append(_unread_document(captured))
        return map(json_line, documents)
    rows = list(map(_row, reports))
    if captured.unread:
        rows.append(_unread_row(captured))
    cells = zip(*rows, strict=True)
    columns = {name: texts for name, texts in zip(_COLUMNS, cells, strict=True) if any(texts)}
    return _markdown_lines(columns) if form == "markdown" else _table_lines(columns, width)


def _document(report: ClientReport) -> dict[str, Any]:
    name = report.name
    return {
        "softwareName": name.software_name,
        "softwareVersion": name.software_version,
        "clientId": name.client_id,
        "principal": name.principal,
        "addresses": report.addresses,
        "connections": report.connections,
        "verdict": report.verdict.value,
        "release": report.release,
        "apis": [
            {
                "apiKey": api.api_key,
                "name": api.name,
                "versions": list(api.versions),
                "verdict": api.verdict.value,
                "release": api.release,
                "releaseVersions": _ranges(api.supported) or None,
            }
            for api in report.apis
        ],
    }


def _row(report: ClientReport) -> list[str]:
    name = report.name
    software = " ".join(part for part in (name.software_name, name.software_version) if part)
    apis = ", ".join(map(_api_text, report.apis))
    return [
        report.verdict.value,
        software,
        name.client_id or "",
        name.principal or "",
        str(report.addresses or ""),
        apis,
    ]


def _unread_document(captured: CapturedClients) -> dict[str, Any]:
    return {"verdict": _UNREAD, "rows": captured.damaged, "tlsConnections": captured.encrypted}


def _unread_row(captured: CapturedClients) -> list[str]:
    parts = [
        *([count(captured.damaged, "row")] if captured.damaged else []),
        *([f"{count(captured.encrypted, 'connection')} with TLS"] if captured.encrypted else []),
    ]
    return [_UNREAD, *[""] * (len(_COLUMNS) - 2), ", ".join(parts)]


def _api_text(api: UsedApi) -> str:
    """Return text such as ``Metadata 9``, or ``Produce 2 (4.0.2 has 3-12)`` if the release lacks a used version."""
    text = f"{api.name} {_ranges(api.versions)}"
    if all(version in api.supported for version in api.versions):
        return text
    return f"{text} ({api.release} has {_ranges(api.supported) or 'none'})"


def _ranges(versions: Iterable[int]) -> str:
    """Return ascending versions as text, such as ``0, 3-5``."""
    numbers = list(versions)
    if not numbers:
        return ""
    breaks = [(last, first) for last, first in pairwise(numbers) if first != last + 1]
    firsts = [numbers[0], *(first for _, first in breaks)]
    lasts = [*(last for last, _ in breaks), numbers[-1]]
    return ", ".join(
        str(first) if first == last else f"{first}-{last}" for first, last in zip(firsts, lasts, strict=True)
    )


def _markdown_lines(columns: Mapping[str, Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |"
    yield "|" + "---|" * len(columns)
    for row in zip(*columns.values(), strict=True):
        yield f"| {' | '.join(map(markdown_text, row))} |"


def _table_lines(columns: Mapping[str, Sequence[str]], width: int) -> Iterator[str]:
    import pyarrow as pa

    from messagegen_arrow.dump.request import Section
    from messagegen_arrow.dump.texts import table_lines
    from messagegen_arrow.streams.stream import stream_of

    stream = stream_of(pa.table({name: pa.array(texts, pa.string()) for name, texts in columns.items()}))
    return table_lines(stream, Section(stream), width, _WIDEST_COLUMN)
