"""The errors of the client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, Generic, TypeVar

from messagegen_client.console.text import printable
from messagegen_kafka.error_codes import ErrorCode

K = TypeVar("K")
V = TypeVar("V")

OUTCOME_UNKNOWN: Final = "the outcome is unknown: the broker may have carried out the request, or may still do so"
OUTCOME_UNKNOWN_CODES: Final = frozenset(
    {ErrorCode.REQUEST_TIMED_OUT, ErrorCode.NETWORK_EXCEPTION, ErrorCode.UNKNOWN_SERVER_ERROR}
)
"""Error codes that a broker may send although the change was carried out: it was already forwarded or written."""


class KafkaError(Exception):
    """The base class of all errors of this package.

    Text from a broker, such as an error message or a host name, has control characters and line breaks escaped.
    """

    outcome_unknown: bool = False
    """Whether a request that changes something may have been carried out although no answer came.

    The text of the error also mentions it.
    """

    def __str__(self) -> str:
        text = printable(self.text())
        return f"{text}; {OUTCOME_UNKNOWN}" if self.outcome_unknown else text

    def text(self) -> str:
        """Return the text of the error, without the outcome."""
        return super().__str__()


class ConfigError(KafkaError, ValueError):
    """An invalid setting. The text contains advice, and never the value of a secret."""


class ClientClosedError(KafkaError):
    """The client is closed, or was closed during the call."""


class ClientUsageError(KafkaError, RuntimeError):
    """A client is used in a different event loop from its own, or in a child process after ``fork``."""


def used_after_fork() -> ClientUsageError:
    """Return the error for a client in a child process: threads are not copied, and sockets belong to the parent."""
    return ClientUsageError(
        "the client was made before fork and does not work in this process; make another client here"
    )


class KafkaTimeoutError(KafkaError, TimeoutError):
    """The deadline of a call has passed. The ``__cause__``, if any, is the last error."""

    def __init__(self, message: str, *, outcome_unknown: bool = False) -> None:
        super().__init__(message)
        self.outcome_unknown = outcome_unknown


class BrokerConnectionError(KafkaError, ConnectionError):
    """A broker can't be reached, or the connection ended before the answer came."""

    def __init__(self, message: str, *, outcome_unknown: bool = False) -> None:
        super().__init__(message)
        self.outcome_unknown = outcome_unknown


class ClosedDuringSetupError(BrokerConnectionError):
    """A broker closed a connection before it answered anything, as under a quota on connections (KIP-612).

    Later connections may succeed.
    """


class ProtocolError(BrokerConnectionError):
    """The broker sent bytes that are not a valid response. The connection was closed."""


class BootstrapError(BrokerConnectionError):
    """No broker could be reached. ``reasons`` contains each address that was tried, with its error."""

    def __init__(self, reasons: Sequence[tuple[str, KafkaError]]) -> None:
        self.reasons = tuple(reasons)
        super().__init__(self.reasons)  # type: ignore[arg-type]  # the argument with which pickle calls this method

    def text(self) -> str:
        """Return each address that was tried, with its error."""
        return "no broker could be reached: " + "; ".join(str(reason) for _, reason in self.reasons)


class AuthenticationError(KafkaError):
    """The broker does not accept the client, or the client does not accept the broker. Never retried."""


class SslAuthenticationError(AuthenticationError):
    """The TLS handshake failed: an untrusted certificate, a certificate for another host, or no common version."""


class SaslAuthenticationError(AuthenticationError):
    """SASL authentication failed: wrong credentials, or a mechanism that the broker has not enabled."""


class NoCommonVersionError(KafkaError):
    """The client and the broker support no common version of the API, or the broker does not support it at all."""


class BrokerError(KafkaError):
    """A broker answered with an error code.

    ``code`` is the error code, ``reason`` the error message of the broker, or ``None``.
    """

    def __init__(self, code: ErrorCode, doing: str, reason: str | None = None) -> None:
        self.code = code
        self.doing = doing
        self.reason = reason
        super().__init__(code, doing, reason)

    def text(self) -> str:
        """Return the action of the request, the error message, and the name and number of the code."""
        return f"{self.doing}: {self.reason or self.code.about} ({self.code.name}, error {int(self.code)})"

    @property
    def retriable(self) -> bool:
        """Whether the same request may succeed later, according to Kafka."""
        return self.code.retriable


class InvalidRequestError(BrokerError):
    """INVALID_REQUEST (42): the request contradicts itself, for example with a quota key twice for one entity."""


class UnknownTopicOrPartitionError(BrokerError):
    """UNKNOWN_TOPIC_OR_PARTITION (3): the topic or partition does not exist, or the user may not describe it."""


class UnsupportedForMessageFormatError(BrokerError):
    """UNSUPPORTED_FOR_MESSAGE_FORMAT (43): the partition has records in a format without timestamps."""


class AuthorizationError(BrokerError):
    """The user has no permission (codes 29, 30, 31, 53 and 65)."""


class PartialError(KafkaError, Generic[K, V]):
    """A call for several things failed for some of them.

    ``errors`` contains the error of each thing that failed, and ``results`` all other results. The first error is the
    ``__cause__``. A call for a single thing raises this class, too.
    """

    FAILED: ClassVar[str]
    """The noun and verb after the numbers in the text."""

    def __init__(self, errors: Mapping[K, KafkaError], results: Mapping[K, V]) -> None:
        self.errors = dict(errors)
        self.results = dict(results)
        super().__init__(self.errors, self.results)
        self.__cause__ = next(iter(self.errors.values()))
        self.outcome_unknown = any(error.outcome_unknown for error in self.errors.values())

    def __str__(self) -> str:
        return self.text()

    def text(self) -> str:
        """Return the number of things that failed, and the first error."""
        first = next(iter(self.errors.values()))
        total = len(self.errors) + len(self.results)
        return str(first) if total == 1 else f"{len(self.errors)} of {total} {self.FAILED}: {first}"


_CLASSES: dict[int, type[BrokerError]] = {
    3: UnknownTopicOrPartitionError,
    29: AuthorizationError,
    30: AuthorizationError,
    31: AuthorizationError,
    42: InvalidRequestError,
    43: UnsupportedForMessageFormatError,
    53: AuthorizationError,
    65: AuthorizationError,
}


def broker_error(code: int, doing: str, reason: str | None = None) -> BrokerError:
    """Return the error for an error code other than 0: an instance of the class for this code, or else ``BrokerError``.

    ``doing`` is the action, such as "describing client quotas"; ``reason`` is the error message of the response.
    """
    return _CLASSES.get(code, BrokerError)(ErrorCode(code), doing, reason)


def check_error_code(code: int, doing: str, reason: str | None = None) -> None:
    """Raise ``broker_error`` for a code other than 0."""
    if code:
        raise broker_error(code, doing, reason)
