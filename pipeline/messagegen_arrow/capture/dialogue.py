"""Requests and responses of one connection, paired, because a response contains neither its API key nor its version."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from typing import Final, Literal

from messagegen_arrow.capture.framing import CONTROLLED_SHUTDOWN, Frame, Refused, Skipped, is_request
from messagegen_kafka import DecodeError, RequestHeader, ResponseHeader

Direction = Literal["request", "response"]

_SASL_HANDSHAKE: Final = 17
_REQUEST_HEAD_BYTES: Final = 8
"""API key, version and correlation id."""
_CORRELATION_ID_BYTES: Final = 4
_CONTROLLED_SHUTDOWN_0: Final = CONTROLLED_SHUTDOWN.to_bytes(2, "big") + bytes(2)
_NULL_CLIENT_ID: Final = b"\xff\xff"
_MOST_WAITING: Final = 10_000
"""How many requests may wait for a response.

Clients usually have a few; requests without responses (acks=0) stay in the list.
"""


@dataclass(slots=True)
class Request:
    """The part of a request that its response needs. A SASL token has no API key."""

    time: int
    correlation_id: int | None = None
    api_key: int | None = None
    api_version: int | None = None
    client_id: str | None = None

    @property
    def is_token(self) -> bool:
        """Whether it was a SASL token, not a Kafka request."""
        return self.api_key is None


@dataclass(slots=True)
class FrameRow:
    """A frame, or other bytes in its place: one row of the source."""

    direction: Direction | None
    time: int | None
    """Microseconds since 1970."""
    position: int | None = None
    size: int | None = None
    frame: bytes | None = None
    api_key: int | None = None
    api_version: int | None = None
    correlation_id: int | None = None
    client_id: str | None = None
    request_time: int | None = None
    problem: str | None = None
    problem_offset: int | None = None
    raw: bytes | None = None

    @property
    def error(self) -> dict[str, str | int | None] | None:
        """The problem as a value of the column of errors."""
        return None if self.problem is None else {"message": self.problem, "path": "", "offset": self.problem_offset}


class Dialogue:
    """Identifies frames: a request by its header, a response by its request.

    Brokers answer the requests of a connection in order. So once a response is read, earlier requests will get none:
    they were sent with acks=0, or their responses were not captured.
    """

    def __init__(self) -> None:
        self._waiting: deque[Request] = deque()
        self._ids: Counter[int | None] = Counter()
        self._has_tokens = False
        self._client_id: str | None = None
        """The first one of the connection: later requests may leave it out (KIP-1313)."""

    def expects(self, correlation_id: int) -> bool:
        """Whether a request with this id waits for its response."""
        return self._ids[correlation_id] > 0

    @property
    def smallest_request(self) -> int:
        """The minimum size of the next frame from the client."""
        return 0 if self._has_tokens else _REQUEST_HEAD_BYTES

    @property
    def smallest_response(self) -> int:
        """The minimum size of the next frame from the broker."""
        return 0 if self._waiting and self._waiting[0].is_token else _CORRELATION_ID_BYTES

    def row(self, direction: Direction, item: Frame | Skipped | Refused) -> FrameRow:
        """The row for a result of a framer."""
        match item:
            case Frame():
                return self.request(item) if direction == "request" else self.response(item)
            case Skipped(time, position, length, problem):
                problem = f"{problem}; {length} bytes are skipped"
                return FrameRow(direction, time, position, problem=problem)
            case Refused(time, problem):
                return FrameRow(None, time, problem=problem)

    def request(self, frame: Frame) -> FrameRow:
        """Identifies a request."""
        if self._has_tokens and not is_request(frame.data, frame.size):
            self._wait(Request(frame.time))
            return _token("request", frame)
        self._has_tokens = False
        row = _row("request", frame)
        # All later header versions begin with version 1; the capture may lack the rest.
        try:
            header, _ = RequestHeader.decode_from(_with_client_id(frame.data), version=1)
        except DecodeError as error:
            return self._headless(row, frame, error)
        row.api_key = header.request_api_key
        row.api_version = header.request_api_version
        row.correlation_id = header.correlation_id
        row.client_id = self._client_id if header.client_id is None else header.client_id
        self._client_id = row.client_id if self._client_id is None else self._client_id
        self._ask(row, frame.time)
        return row

    def response(self, frame: Frame) -> FrameRow:
        """Identifies a response by its request."""
        if self._waiting and self._waiting[0].is_token and not self._is_expected(frame.data):
            self._take()
            return _token("response", frame)
        row = _row("response", frame)
        try:
            header, _ = ResponseHeader.decode_from(frame.data, version=0)
        except DecodeError as error:
            return _damaged(row, frame, f"BAD_HEADER: {error.reason}", error.offset)
        row.correlation_id = header.correlation_id
        request = self._answered(header.correlation_id)
        if request is not None:
            row.api_key = request.api_key
            row.api_version = request.api_version
            row.client_id = request.client_id
            row.request_time = request.time
        elif row.problem is None:
            row.problem = "UNPAIRED: no request with this correlation id was captured before"
            row.problem_offset = 0
        return row

    def _is_expected(self, data: bytes) -> bool:
        """Whether a response has the id of a waiting request; the last token of a login may get no response."""
        if len(data) < _CORRELATION_ID_BYTES:
            return False
        return self.expects(int.from_bytes(data[:_CORRELATION_ID_BYTES], "big", signed=True))

    def _headless(self, row: FrameRow, frame: Frame, error: DecodeError) -> FrameRow:
        """A request that is too short, or whose client id is not UTF-8."""
        if len(frame.data) >= _REQUEST_HEAD_BYTES:
            row.api_key = int.from_bytes(frame.data[0:2], "big", signed=True)
            row.api_version = int.from_bytes(frame.data[2:4], "big", signed=True)
            row.correlation_id = int.from_bytes(frame.data[4:8], "big", signed=True)
            self._ask(row, frame.time)
        return _damaged(row, frame, f"BAD_HEADER: {error.path}: {error.reason}", error.offset)

    def _ask(self, row: FrameRow, time: int) -> None:
        self._wait(Request(time, row.correlation_id, row.api_key, row.api_version, row.client_id))
        # Before KIP-152, tokens without headers followed the handshake, until the first request.
        self._has_tokens = (row.api_key, row.api_version) == (_SASL_HANDSHAKE, 0)

    def _wait(self, request: Request) -> None:
        self._waiting.append(request)
        self._ids[request.correlation_id] += 1
        if len(self._waiting) > _MOST_WAITING:
            self._take()

    def _answered(self, correlation_id: int) -> Request | None:
        if not self.expects(correlation_id):
            return None
        while (request := self._take()).correlation_id != correlation_id:
            pass
        return request

    def _take(self) -> Request:
        request = self._waiting.popleft()
        self._ids[request.correlation_id] -= 1
        if not self._ids[request.correlation_id]:
            del self._ids[request.correlation_id]
        return request


def _with_client_id(data: bytes) -> bytes:
    """Only version 0 of ControlledShutdown has no client id; it gets null."""
    if not data.startswith(_CONTROLLED_SHUTDOWN_0):
        return data
    return data[:_REQUEST_HEAD_BYTES] + _NULL_CLIENT_ID


def _row(direction: Direction, frame: Frame) -> FrameRow:
    row = FrameRow(direction, frame.time, frame.position, frame.size)
    if frame.problem is None:
        row.frame = frame.data
    else:
        _damaged(row, frame, frame.problem, len(frame.data))
    return row


def _damaged(row: FrameRow, frame: Frame, problem: str, offset: int) -> FrameRow:
    if row.problem is None:
        row.problem = problem
        row.problem_offset = offset
    row.frame = None
    row.raw = frame.data
    return row


def _token(direction: Direction, frame: Frame) -> FrameRow:
    problem = "SASL_TOKEN: a token after SaslHandshake version 0 is not a Kafka frame; its secret content is left out"
    return FrameRow(direction, frame.time, frame.position, frame.size, problem=problem, problem_offset=0)
