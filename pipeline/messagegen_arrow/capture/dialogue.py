"""Pairs the requests and responses of a connection, because a response contains neither its API key nor its version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import messagegen_kafka
from messagegen_arrow.capture.framing import CORRELATION_ID_BYTES, REQUEST_HEAD_BYTES, Frame, Refused, Skipped
from messagegen_kafka import (
    DecodeError,
    InFlightRequest,
    Observer,
    ReceivedRequest,
    ReceivedResponse,
    SaslToken,
    UnreadableFrame,
)

Direction = Literal["request", "response"]
Event = ReceivedRequest | ReceivedResponse | SaslToken | UnreadableFrame

MOST_WAITING = 1000
"""The maximum number of requests that are kept for late responses."""
_LONGEST_CLIENT_ID = 1000
"""The maximum number of characters of a client id that is kept for a late response."""


@dataclass(slots=True)
class FrameRow:
    """A row of the source: a frame, or other bytes in place of a frame."""

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
    event: Event | None = None
    """The frame as an observer's event; ``None`` for other bytes."""

    @property
    def error(self) -> dict[str, str | int | None] | None:
        """The problem, as a value of the error column."""
        return None if self.problem is None else {"message": self.problem, "path": "", "offset": self.problem_offset}


class _Waiting:
    """The latest requests that have no response yet, by correlation id, for responses that come late."""

    def __init__(self) -> None:
        self._requests: dict[int, InFlightRequest] = {}

    def add(self, request: InFlightRequest) -> None:
        """Add a request, and forget the oldest one if there are too many."""
        self._requests.pop(request.correlation_id, None)
        if len(request.client_id or "") <= _LONGEST_CLIENT_ID:
            self._requests[request.correlation_id] = request
        if len(self._requests) > MOST_WAITING:
            del self._requests[next(iter(self._requests))]

    def take(self, correlation_id: int) -> InFlightRequest | None:
        """Remove and return the latest request with this id; return ``None`` for an unknown id."""
        return self._requests.pop(correlation_id, None)


class Dialogue:
    """Identifies frames: a request by its header, and a response by its request.

    The ``context`` of each request is the time of its frame.
    """

    def __init__(self) -> None:
        self._observer = Observer(messagegen_kafka, gaps=True)
        self._waiting = _Waiting()

    def expects(self, correlation_id: int) -> bool:
        """Whether a request with this id waits for its response."""
        return self._observer.expects(correlation_id)

    @property
    def smallest_request(self) -> int:
        """The minimum size of the next frame from the client."""
        return 0 if self._observer.may_send_token else REQUEST_HEAD_BYTES

    @property
    def smallest_response(self) -> int:
        """The minimum size of the next frame from the broker."""
        return 0 if self._observer.expects_token else CORRELATION_ID_BYTES

    def row(self, direction: Direction, item: Frame | Skipped | Refused) -> FrameRow:
        """Return the row for an item that a framer yielded."""
        match item:
            case Frame():
                return self.request(item) if direction == "request" else self.response(item)
            case Skipped(time, position, length, problem):
                problem = f"{problem}; {length} bytes are skipped"
                return FrameRow(direction, time, position, problem=problem)
            case Refused(time, problem):
                return FrameRow(None, time, problem=problem)

    def request(self, frame: Frame) -> FrameRow:
        """Return the row of a request.

        All later header versions begin with the fields of version 1, and the capture may lack the rest.
        """
        event = self._observer.request(frame.data, size=frame.size)
        if isinstance(event, SaslToken):
            return _token("request", frame, event)
        row = _row("request", frame, event)
        if event.in_flight is not None:
            event.in_flight.context = frame.time
            _identify(row, event.in_flight)
            self._waiting.add(event.in_flight)
        if isinstance(event, UnreadableFrame):
            error = _why(event)
            _damage(row, frame, f"BAD_HEADER: {error.path}: {error.reason}", error.offset)
        return row

    def response(self, frame: Frame) -> FrameRow:
        """Return the row of a response, identified by its request."""
        event = self._observer.response(frame.data)
        if isinstance(event, SaslToken):
            return _token("response", frame, event)
        row = _row("response", frame, event)
        if isinstance(event, UnreadableFrame):
            error = _why(event)
            _damage(row, frame, f"BAD_HEADER: {error.reason}", error.offset)
            return row
        # The observer forgets a request when a later one is answered, but ``_waiting`` still contains it.
        asked = self._waiting.take(event.correlation_id)
        if (asked := event.request or asked) is not None:
            _identify(row, asked)
            row.request_time = asked.context
            return row
        row.correlation_id = event.correlation_id
        if row.problem is None:
            row.problem = "UNPAIRED: no request with this correlation id was captured before"
            row.problem_offset = 0
        return row


def _identify(row: FrameRow, request: InFlightRequest) -> None:
    row.api_key = request.api_key
    row.api_version = request.version
    row.correlation_id = request.correlation_id
    row.client_id = request.client_id


def _row(direction: Direction, frame: Frame, event: Event) -> FrameRow:
    row = FrameRow(direction, frame.time, frame.position, frame.size, event=event)
    if frame.problem is None:
        row.frame = frame.data
    else:
        _damage(row, frame, frame.problem, len(frame.data))
    return row


def _damage(row: FrameRow, frame: Frame, problem: str, offset: int) -> None:
    """Turn a row into the row of a damaged frame. A row that already has a problem keeps it."""
    if row.problem is None:
        row.problem = problem
        row.problem_offset = offset
    row.frame = None
    row.raw = frame.data


def _why(event: UnreadableFrame) -> DecodeError:
    """Return the error that made a header unreadable."""
    error = event.error.__cause__
    assert isinstance(error, DecodeError)
    return error


def _token(direction: Direction, frame: Frame, token: SaslToken) -> FrameRow:
    problem = "SASL_TOKEN: a token after SaslHandshake version 0 is not a Kafka frame; its secret content is left out"
    return FrameRow(direction, frame.time, frame.position, frame.size, problem=problem, problem_offset=0, event=token)
