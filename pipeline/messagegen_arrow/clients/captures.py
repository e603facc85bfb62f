"""The clients in captures."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from os import PathLike
from typing import Final

from messagegen_arrow.capture.dialogue import FrameRow
from messagegen_arrow.capture.files import CaptureFile, find_captures, name_of
from messagegen_arrow.capture.framing import TLS
from messagegen_arrow.capture.reading import read_captures
from messagegen_arrow.capture.settings import CaptureSettings
from messagegen_arrow.clients.traffic import ClientConnection, ClientTraffic
from messagegen_arrow.console.text import count

_EXPECTED: Final = ("MID_STREAM", "UNPAIRED", "SASL_TOKEN")
"""Problems that hide no request: captures begin in the middle of connections, and tokens are no frames."""


Place = CaptureFile | PathLike[str]


class NoClientsError(ValueError):
    """Raised for captures without a readable request."""


@dataclass(slots=True)
class CapturedClients:
    """The clients in captures, and what hides other clients."""

    traffic: ClientTraffic = field(default_factory=ClientTraffic)
    encrypted: int = 0
    """The number of connections with TLS."""
    damaged: int = 0
    """The number of damaged parts whose requests are unknown."""
    first_damage: str = ""
    """The location and the error of the first damaged part."""

    @property
    def unread(self) -> str:
        """A text about what could not be read; empty if everything was read."""
        parts: list[str] = []
        if self.encrypted:
            parts.append(
                f"{count(self.encrypted, 'connection')} with TLS cannot be read, "
                "so capture a listener without TLS, or behind a proxy that ends TLS"
            )
        if self.damaged:
            parts.append(f"{count(self.damaged, 'row')} cannot be read, the first: {self.first_damage}")
        return "; ".join(parts)


def captured_clients(*places: Place, progress: Callable[[int], None] = lambda _: None) -> CapturedClients:
    """Return the clients in the files of one capture; connections continue from file to file.

    ``places`` are files, folders and globs, or open files. ``progress`` is called with the number of rows that were
    read. Raises ``CapturePathError`` and ``NoClientsError``.
    """
    paths = find_captures(str(place) for place in places if isinstance(place, str | PathLike))
    files: list[CaptureFile] = [*paths, *(place for place in places if not isinstance(place, str | PathLike))]
    settings = CaptureSettings()
    found = CapturedClients()
    connections: OrderedDict[str, ClientConnection] = OrderedDict()
    reads_a_request = False
    for captured in read_captures(files, settings):
        progress(1)
        row = captured.row
        if row.problem == TLS:
            found.encrypted += 1
        elif _hides_requests(row):
            found.damaged += 1
            found.first_damage = found.first_damage or f"{captured.path}: {row.problem}"
        if row.event is None:
            continue
        reads_a_request |= row.direction == "request" and row.api_key is not None
        name = captured.connection
        if name.connection not in connections:
            connections[name.connection] = found.traffic.connect(_host(name.client))
            if len(connections) > settings.max_connections:
                _, oldest = connections.popitem(last=False)
                oldest.close()
        connections.move_to_end(name.connection)
        connections[name.connection].add(row.event)
    if not reads_a_request:
        names = ", ".join(map(name_of, files))
        reason = found.unread or "is it empty, or does it lack the port of a broker?"
        where = "" if found.unread else f" in {names}"
        raise NoClientsError(f"expected requests of Kafka clients, found none{where}; {reason}")
    return found


def _hides_requests(row: FrameRow) -> bool:
    """Whether a row is in place of frames, or of a frame whose API key is unknown."""
    if row.problem is None or row.problem.startswith(_EXPECTED):
        return False
    return row.event is None or row.api_key is None


def _host(end: str | None) -> str | None:
    """Return the host of an endpoint such as ``10.0.0.1:40000``."""
    return None if end is None else end.rpartition(":")[0]
