"""Requests and SASL tokens that wait for their responses, in the order of sending."""

from __future__ import annotations

from collections import deque

from .framing import SessionError
from .in_flight import request_error
from .protocol import MAX_CLIENT_ID_CHARACTERS, MAX_WAITING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .in_flight import InFlightRequest


class ClientIds:
    """Counts the characters in those client ids of waiting requests that differ from the connection's."""

    def __init__(self) -> None:
        self._characters: dict[InFlightRequest, int] = {}
        self._all_characters = 0

    def is_full(self, characters: int) -> bool:
        """Whether a client id with this number of characters would exceed the limit."""
        return self._all_characters + characters > MAX_CLIENT_ID_CHARACTERS

    def add(self, request: InFlightRequest, characters: int) -> None:
        """Add the client id of a request that waits."""
        if characters:
            self._characters[request] = characters
            self._all_characters += characters

    def remove(self, request: InFlightRequest) -> None:
        """Remove the client id of a request that no longer waits."""
        self._all_characters -= self._characters.pop(request, 0)


class Waiting:
    """Requests and tokens that wait. Brokers answer them in order.

    No request is forgotten. ``SessionError`` is raised for a request that would make a response ambiguous, or that
    would exceed a limit.
    """

    def __init__(self) -> None:
        self._entries: deque[InFlightRequest | None] = deque()
        """The requests and tokens in order; ``None`` stands for a token."""
        self._ids: dict[int, int] = {}
        """The number of waiting requests by correlation id."""
        self._client_ids = ClientIds()

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, correlation_id: object) -> bool:
        return correlation_id in self._ids

    @property
    def token_is_next(self) -> bool:
        """Whether a token is the next one to be answered."""
        return bool(self._entries) and self._entries[0] is None

    def add(self, request: InFlightRequest, client_id: str | None) -> None:
        """Add a request of a connection with this client id. Raises ``SessionError``."""
        characters = other_characters(request, client_id)
        self._check_room(request, characters)
        self._entries.append(request)
        self._ids[request.correlation_id] = self._ids.get(request.correlation_id, 0) + 1
        self._client_ids.add(request, characters)

    def add_token(self) -> None:
        """Add a token. Raises ``SessionError``."""
        if None in self._entries:
            raise SessionError("sent a SASL token before the last one was answered", direction="request")
        self._entries.append(None)

    def token_is_answered(self, correlation_id: int | None) -> bool:
        """Remove the next token, and return whether a payload answers it.

        ``correlation_id`` is the number at the start of the payload. If it is the id of a waiting request, the result
        is ``False``: a response must not be taken for a token. The token is removed anyway, because the last token of a
        login may get no answer.
        """
        if not self.token_is_next:
            return False
        self._entries.popleft()
        return correlation_id not in self

    def answered(self, correlation_id: int) -> InFlightRequest | None:
        """Remove the request that a response answers, and return it. Raises ``SessionError``."""
        if not self._entries:
            reason = f"sent a response with correlation id {correlation_id} without a request"
            raise SessionError(reason, direction="response", correlation_id=correlation_id)
        if not self._answers_next(correlation_id):
            expected = self._entries[0]
            wanted = "the answer to a token" if expected is None else f"correlation id {expected.correlation_id}"
            reason = f"sent correlation id {correlation_id}, expected {wanted}"
            raise SessionError(reason, direction="response", correlation_id=correlation_id)
        return self._take()

    def _answers_next(self, correlation_id: int) -> bool:
        request = self._entries[0]
        return request is not None and request.correlation_id == correlation_id

    def _check_room(self, request: InFlightRequest, characters: int) -> None:
        """Raise ``SessionError`` if a request can't wait."""
        if request.correlation_id in self._ids:
            raise request_error(request, "sent the correlation id of a request that waits for its response")
        if self._is_full(characters):
            raise no_room(request)

    def _is_full(self, characters: int) -> bool:
        """Whether one more request or token would exceed a limit."""
        return self._client_ids.is_full(characters) or len(self._entries) >= MAX_WAITING

    def _take(self) -> InFlightRequest | None:
        """Remove the next request or token."""
        request = self._entries.popleft()
        if request is not None:
            self._client_ids.remove(request)
            others = self._ids.pop(request.correlation_id) - 1
            if others:
                self._ids[request.correlation_id] = others
        return request


class WaitingWithGaps(Waiting):
    """Waiting requests and tokens, if some responses may be missing.

    A request is forgotten when a later one is answered, or when a limit is reached.
    """

    def add_token(self) -> None:
        """Add a token."""
        self._make_room(0)
        self._entries.append(None)

    def token_is_answered(self, correlation_id: int | None) -> bool:
        """Remove the next token if a payload that starts with ``correlation_id`` answers it."""
        if not self.token_is_next or correlation_id in self:
            return False
        self._entries.popleft()
        return True

    def answered(self, correlation_id: int) -> InFlightRequest | None:
        """Remove and return the request that a response answers, or return ``None`` if it is unknown."""
        while correlation_id in self:
            request = self._take()
            if request is not None and request.correlation_id == correlation_id:
                return request
        return None

    def _check_room(self, request: InFlightRequest, characters: int) -> None:  # noqa: ARG002 - any id may come again
        self._make_room(characters)

    def _make_room(self, characters: int) -> None:
        """Forget the oldest requests and tokens until a new one fits the limits."""
        while self._is_full(characters):
            self._take()


def other_characters(request: InFlightRequest, client_id: str | None) -> int:
    """Return the number of characters in a request's client id; 0 if it is the connection's ``client_id``."""
    own = request.client_id
    return 0 if own is None or own is client_id else len(own)


def no_room(request: InFlightRequest) -> SessionError:
    """Return the error for a request that would exceed a limit."""
    characters = f"{MAX_CLIENT_ID_CHARACTERS} characters of client ids that differ from the connection's"
    limits = f"at most {MAX_WAITING} requests, and {characters}"
    return request_error(request, f"sent more than can wait for responses: {limits}")
