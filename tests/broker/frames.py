"""Kafka frames that pass on connections, as JSON lines: each request and response with its API key and version."""

from __future__ import annotations

import gzip
import json
import struct
import time
from collections import defaultdict, deque
from pathlib import Path
from typing import Final

_LARGEST_FRAME: Final = 1 << 30


class FrameFile:
    """Writes frames into a gzipped file of JSON lines.

    A line has ``conn`` (number of the connection), ``dir`` (``request`` or ``response``), ``t`` (seconds since the file was
    begun), ``api_key``, ``api_version`` and ``correlation_id`` (a response has those of its request; null where there was
    none), and ``hex``: the frame without the four bytes of its size.
    """

    def __init__(self, path: Path) -> None:
        self._file = gzip.open(path, "wt", encoding="ascii", compresslevel=6)  # noqa: SIM115 - close() does
        self._began = time.monotonic()
        self.count = 0

    def open(self, connection: int) -> FrameConnection:
        """Begins a connection."""
        return FrameConnection(self, connection)

    def write(self, connection: int, direction: str, asked: tuple[int, int] | None, frame: bytes, *, at: int) -> None:
        """Writes one frame, whose correlation id stands ``at`` that offset."""
        (correlation_id,) = struct.unpack_from(">i", frame, at)
        line = {
            "conn": connection,
            "dir": direction,
            "t": round(time.monotonic() - self._began, 4),
            "api_key": asked[0] if asked else None,
            "api_version": asked[1] if asked else None,
            "correlation_id": correlation_id,
            "hex": frame.hex(),
        }
        self._file.write(json.dumps(line) + "\n")
        self.count += 1

    def close(self) -> None:
        """Completes the file."""
        self._file.close()


class FrameConnection:
    """Cuts the bytes of both directions into frames, and pairs responses with requests by correlation id.

    Bytes that can be no frames (TLS, a size that makes no sense) end the cutting of their direction.
    """

    def __init__(self, file: FrameFile, number: int) -> None:
        self._file = file
        self._number = number
        self._buffers = {True: bytearray(), False: bytearray()}
        self._broken: set[bool] = set()
        self._asked: defaultdict[int, deque[tuple[int, int]]] = defaultdict(deque)

    def data(self, data: bytes, *, from_client: bool) -> None:
        """Adds bytes that passed in one direction."""
        if from_client in self._broken:
            return
        buffer = self._buffers[from_client]
        buffer += data
        smallest = 8 if from_client else 4
        start = 0
        while len(buffer) - start >= 4:
            (size,) = struct.unpack_from(">i", buffer, start)
            if not smallest <= size <= _LARGEST_FRAME:
                self._broken.add(from_client)
                buffer.clear()
                return
            if len(buffer) - start - 4 < size:
                break
            self._frame(bytes(buffer[start + 4 : start + 4 + size]), from_client=from_client)
            start += 4 + size
        del buffer[:start]

    def _frame(self, frame: bytes, *, from_client: bool) -> None:
        if from_client:
            api_key, api_version, correlation_id = struct.unpack_from(">hhi", frame)
            self._asked[correlation_id].append((api_key, api_version))
            self._file.write(self._number, "request", (api_key, api_version), frame, at=4)
            return
        (correlation_id,) = struct.unpack_from(">i", frame)
        waiting = self._asked.get(correlation_id)
        self._file.write(self._number, "response", waiting.popleft() if waiting else None, frame, at=0)
