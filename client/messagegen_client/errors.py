"""The errors of the client: one family, each saying what failed, where, and what may be done about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from messagegen_kafka.error_codes import ErrorCode

OUTCOME_UNKNOWN: Final = "the outcome is unknown: the broker may have carried it out, or may still do so"


class KafkaError(Exception):
    """What all errors of this package share."""

    outcome_unknown: bool = False
    """Whether a request that changes something may have been carried out although no answer came; the text says so too."""

    def __str__(self) -> str:
        return f"{self.text()}; {OUTCOME_UNKNOWN}" if self.outcome_unknown else self.text()

    def text(self) -> str:
        """What went wrong, without a word on the outcome."""
        return super().__str__()


class ConfigError(KafkaError, ValueError):
    """A setting that can't be used; says what to write instead, and never the value of a secret."""


class ClientClosedError(KafkaError):
    """A call on a client that is closed, or that was closed while the call was under way."""


class ClientUsageError(KafkaError, RuntimeError):
    """A client is used where it can't work: in another event loop than its own, or in a child process after ``fork``."""


class KafkaTimeoutError(KafkaError, TimeoutError):
    """The deadline of a call has passed; the ``__cause__``, where there is one, is what went wrong last."""

    def __init__(self, message: str, *, outcome_unknown: bool = False) -> None:
        super().__init__(message)
        self.outcome_unknown = outcome_unknown


class BrokerConnectionError(KafkaError, ConnectionError):
    """No connection to a broker, or one that ended before the answer came."""

    def __init__(self, message: str, *, outcome_unknown: bool = False) -> None:
        super().__init__(message)
        self.outcome_unknown = outcome_unknown


class ProtocolError(BrokerConnectionError):
    """The other side sent bytes that are not an answer in Kafka's protocol; the connection was closed."""


class BootstrapError(BrokerConnectionError):
    """No broker could be reached; ``reasons`` has each address that was tried with what went wrong there."""

    def __init__(self, reasons: Sequence[tuple[str, KafkaError]]) -> None:
        self.reasons = tuple(reasons)
        super().__init__(self.reasons)  # type: ignore[arg-type]  # what pickle gives back to this method

    def text(self) -> str:
        """Each address that was tried, with its reason."""
        return "no broker could be reached: " + "; ".join(str(reason) for _, reason in self.reasons)


class AuthenticationError(KafkaError):
    """The broker does not accept who we are, or we do not accept the broker; trying again would not help."""


class SslAuthenticationError(AuthenticationError):
    """The TLS handshake failed: a certificate that is not trusted, another host's name in it, no common version."""


class SaslAuthenticationError(AuthenticationError):
    """The SASL exchange failed: wrong user or password, or a mechanism that the broker has not enabled."""


class NoCommonVersionError(KafkaError):
    """A request that no version of can be sent to a broker: it does not know the API, or other versions of it."""


class BrokerError(KafkaError):
    """A broker answered with an error code.

    ``code`` is the error code, ``reason`` the broker's own words, where it sent any.
    """

    def __init__(self, code: ErrorCode, doing: str, reason: str | None = None) -> None:
        self.code = code
        self.doing = doing
        self.reason = reason
        super().__init__(code, doing, reason)

    def text(self) -> str:
        """What was asked, the broker's words, and the name and number of the code."""
        return f"{self.doing}: {self.reason or self.code.about} ({self.code.name}, error {int(self.code)})"

    @property
    def retriable(self) -> bool:
        """Whether Kafka says that the same request may succeed later."""
        return self.code.retriable


class InvalidRequestError(BrokerError):
    """INVALID_REQUEST (42): the request contradicts itself, such as a quota key given twice for one entity."""


class UnknownTopicOrPartitionError(BrokerError):
    """UNKNOWN_TOPIC_OR_PARTITION (3): there is no such topic or partition, or this client may not know of it."""


class GroupIdNotFoundError(BrokerError):
    """GROUP_ID_NOT_FOUND (69): there is no such group."""


class UnsupportedForMessageFormatError(BrokerError):
    """UNSUPPORTED_FOR_MESSAGE_FORMAT (43): the partition's records are in a format without timestamps."""


class AuthorizationError(BrokerError):
    """The user of this client may not do that (codes 29, 30, 31, 53 and 65)."""


_CLASSES: dict[int, type[BrokerError]] = {
    3: UnknownTopicOrPartitionError,
    29: AuthorizationError,
    30: AuthorizationError,
    31: AuthorizationError,
    42: InvalidRequestError,
    43: UnsupportedForMessageFormatError,
    53: AuthorizationError,
    65: AuthorizationError,
    69: GroupIdNotFoundError,
}


def broker_error(code: int, doing: str, reason: str | None = None) -> BrokerError:
    """The error for an error code other than 0: of the class made for it, else a plain ``BrokerError``.

    ``doing`` says what was asked, as "describing client quotas"; ``reason`` is the error message in the answer.
    """
    return _CLASSES.get(code, BrokerError)(ErrorCode(code), doing, reason)


def check_error_code(code: int, doing: str, reason: str | None = None) -> None:
    """Raises ``broker_error`` for a code other than 0."""
    if code:
        raise broker_error(code, doing, reason)
