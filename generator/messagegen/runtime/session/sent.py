"""A request that a session encoded: it decodes its response."""

from __future__ import annotations

from ..messages import Generic, R_co
from .framing import LENGTH_SIZE
from .in_flight import InFlightRequest
from .protocol import expects_response

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..errors import Limits
    from ..messages import Request
    from .events import ReceivedResponse


class SentRequest(InFlightRequest, Generic[R_co]):
    """A request that a session encoded: ``frame`` are the bytes to send, with their length."""

    __slots__ = ("expects_response", "frame", "message")

    def __init__(self, message: Request[R_co], version: int, correlation_id: int, client_id: str | None) -> None:
        """Encode the request. Raises ``EncodeError``."""
        super().__init__(message.API_KEY, version, correlation_id, client_id)
        self.message = message
        self.frame = message.encode_frame(version=version, correlation_id=correlation_id, client_id=client_id)
        self.expects_response = expects_response(message)

    @property
    def payload(self) -> bytes:
        """The bytes without the length."""
        return self.frame[LENGTH_SIZE:]

    def decode(
        self, response: ReceivedResponse[InFlightRequest], *, lazy: bool = False, limits: Limits | None = None
    ) -> R_co:
        """Return the message of the response to this request. ``lazy`` and ``limits`` are as in ``Message.decode``.

        Raises ``TypeError`` if ``response`` does not answer this request, and ``SessionError`` if the package lacks its
        version, or its bytes are not a message.
        """
        if response.request is not self:
            raise TypeError(f"expected the response to correlation id {self.correlation_id}, found {response!r}")
        message: R_co = response.decode(lazy=lazy, limits=limits)
        return message
