"""Frame dumps: JSON lines, each with a frame, its connection and its direction."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator
from typing import IO, Any, Final

from messagegen_arrow.capture.connections import ConnectionName, ConnectionRow
from messagegen_arrow.capture.dialogue import Dialogue, FrameRow
from messagegen_arrow.capture.files import EXPECTED_LINE
from messagegen_arrow.capture.framing import Frame, has_size
from messagegen_arrow.capture.settings import CaptureSettings

_MICROSECONDS: Final = 1_000_000
_FIRST_SECOND: Final = -1e11
_LAST_SECOND: Final = 1e12
"""The limit for times in seconds. Larger numbers are not times, and do not fit into a column."""
_INT16: Final = range(-(1 << 15), 1 << 15)
_BESIDE_HEX: Final = 1 << 20
"""The maximum number of bytes in a line, not counting the frame."""


class _BadLineError(ValueError):
    """Raised for an invalid line; the text is the reason."""


def read_dump(file: IO[bytes], settings: CaptureSettings) -> Iterator[ConnectionRow]:
    """Yield the frames of a dump.

    Its lines have ``conn`` (number or name of the connection), ``dir`` (``request`` or ``response``), ``hex`` (the
    frame without its size), and optionally ``t`` (seconds since 1970 or since the start of the dump), ``api_key``,
    ``api_version`` and ``correlation_id``. Other keys are ignored. A response without an API key is paired with its
    request, as in a packet capture.
    """
    dialogues: OrderedDict[str, Dialogue] = OrderedDict()
    longest = 2 * settings.max_frame_bytes + _BESIDE_HEX
    number = 0
    while line := file.readline(longest):
        number += 1
        is_whole = line.endswith(b"\n") or len(line) < longest
        if not line.strip():
            continue
        try:
            if not is_whole:
                raise _BadLineError(f"it is longer than {longest} bytes")
            connection, row = _row(json.loads(line), dialogues, settings)
        except (ValueError, RecursionError) as problem:
            # JSON and Unicode errors are not shown, because they may quote the frame.
            is_known = isinstance(problem, _BadLineError)
            reason = str(problem) if is_known else f"it is not valid JSON; expected {EXPECTED_LINE}"
            connection, row = "", FrameRow(None, None, problem=f"BAD_LINE: line {number} is not a frame: {reason}")
        yield ConnectionRow(ConnectionName(connection, None, None), row)
        while not is_whole:
            line = file.readline(longest)
            is_whole = line.endswith(b"\n") or len(line) < longest


def _row(line: Any, dialogues: OrderedDict[str, Dialogue], settings: CaptureSettings) -> tuple[str, FrameRow]:
    if not isinstance(line, dict):
        raise _BadLineError(f"it is not a JSON object; expected {EXPECTED_LINE}")
    connection = _field(line, "conn", (int, str))
    direction = _field(line, "dir", (str,))
    if connection is None or direction is None or line.get("hex") is None:
        raise _BadLineError(f"it lacks conn, dir or hex; expected {EXPECTED_LINE}")
    if direction not in ("request", "response"):
        raise _BadLineError('dir must be "request" or "response"')
    seconds = _field(line, "t", (int, float))
    data = _bytes(line)
    if len(data) > settings.max_frame_bytes:
        raise _BadLineError(f"its frame has {len(data)} bytes (max_frame_bytes is {settings.max_frame_bytes})")
    if direction == "request" and has_size(data):
        raise _BadLineError("its hex begins with the 4-byte size of the frame; write hex without it")
    name = str(connection)
    if name not in dialogues and len(dialogues) >= settings.max_connections:
        dialogues.popitem(last=False)
    dialogue = dialogues.setdefault(name, Dialogue())
    dialogues.move_to_end(name)
    # Requests and responses are paired even if they have no times.
    frame = Frame(0 if seconds is None else _microseconds(seconds), 0, data, len(data))
    row = dialogue.row(direction, frame)
    row.position = None
    if seconds is None:
        row.time = None
        row.request_time = None
    if direction == "response" and not (row.problem or "").startswith("SASL_TOKEN"):
        _name(row, _field(line, "api_key", (int,)), _field(line, "api_version", (int,)))
    return name, row


def _name(row: FrameRow, api_key: int | None, api_version: int | None) -> None:
    """Set the API key and version from the dump: the program that wrote it may have seen more of the connection."""
    if api_key is None or api_version is None:
        return
    if api_key not in _INT16 or api_version not in _INT16:
        raise _BadLineError("api_key and api_version are numbers of 16 bits")
    if (row.api_key, row.api_version) != (api_key, api_version):
        row.api_key = api_key
        row.api_version = api_version
        row.client_id = None
        row.request_time = None
    if row.problem is not None and row.problem.startswith("UNPAIRED"):
        row.problem = None
        row.problem_offset = None


def _field(line: dict[str, Any], key: str, types: tuple[type, ...]) -> Any:
    value = line.get(key)
    if value is None or (isinstance(value, types) and not isinstance(value, bool)):
        return value
    raise _BadLineError(f"{key} must be {' or '.join(type_.__name__ for type_ in types)}")


def _bytes(line: dict[str, Any]) -> bytes:
    text = _field(line, "hex", (str,))
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise _BadLineError("hex must have hexadecimal digits only") from None


def _microseconds(seconds: float) -> int:
    if not _FIRST_SECOND < seconds < _LAST_SECOND:
        raise _BadLineError("t must be a time in seconds")
    return round(seconds * _MICROSECONDS)
