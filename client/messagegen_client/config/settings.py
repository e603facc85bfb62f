"""The settings of a client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from messagegen_client.config.addresses import check_addresses, split_addresses
from messagegen_client.errors import ConfigError
from messagegen_client.security.settings import Security
from messagegen_kafka import Limits

_TIMES: Final = {
    "request.timeout.ms": "request_timeout",
    "default.api.timeout.ms": "api_timeout",
    "socket.connection.setup.timeout.ms": "connection_setup_timeout",
    "retry.backoff.ms": "retry_backoff",
    "retry.backoff.max.ms": "retry_backoff_max",
}


@dataclass(frozen=True, kw_only=True)
class ClientConfig:
    """The settings for connecting to a cluster. Times are in seconds. Defaults equal the defaults of Kafka's clients.

    Raises ``ConfigError`` for invalid values. ``repr`` hides secrets.
    """

    bootstrap_servers: tuple[str, ...]
    """Addresses as ``host:port``, or ``[::1]:9092`` for IPv6. At least one must answer."""
    client_id: str = "messagegen-client"
    """The name of this client in the logs, metrics and quotas of brokers."""
    request_timeout: float = 30.0
    """The timeout of one request."""
    api_timeout: float = 60.0
    """The default timeout of a call; it covers all requests of the call."""
    connection_setup_timeout: float = 10.0
    """The timeout for setting up a connection: TCP, TLS and SASL."""
    retry_backoff: float = 0.1
    """The first pause before a retry. It doubles each time, up to ``retry_backoff_max``."""
    retry_backoff_max: float = 1.0
    max_response_size: int = 100 * 1024 * 1024
    """The largest response in bytes. A longer response is refused before memory is allocated for it."""
    response_limits: Limits = field(default_factory=Limits)
    """The limits of a decoded response, including the memory that it may take."""
    security: Security = field(default_factory=Security)

    def __post_init__(self) -> None:
        check_addresses(self.bootstrap_servers)
        for name in (*_TIMES.values(), "max_response_size"):
            if not 0 < getattr(self, name) < 2**53:
                raise ConfigError(f"{name}: expected a number above 0")

    @classmethod
    def of(cls, bootstrap_servers: str | Sequence[str], **settings: Any) -> Self:
        """Return a config. Bootstrap servers are ``"one:9092,two:9092"`` or a list; ``settings`` are further fields."""
        given = bootstrap_servers
        return cls(bootstrap_servers=split_addresses(given) if isinstance(given, str) else tuple(given), **settings)

    @classmethod
    def from_properties(
        cls,
        source: Path | str | Mapping[str, str],
        *,
        bootstrap_servers: str | Sequence[str] | None = None,
    ) -> tuple[Self, list[str]]:
        """Return the config from a properties file of Kafka's tools (``--command-config``), and warnings.

        ``source`` is the path of the file, or its properties. ``bootstrap_servers`` overrides the property. The
        warnings are about properties without effect, and about a password that is sent without encryption. Raises
        ``ConfigError`` for an invalid value, and ``OSError`` for a file that can't be read.
        """
        from messagegen_client.config import properties as known  # noqa: PLC0415 - few callers need its library

        properties = source if isinstance(source, Mapping) else known.read_properties(source)
        known.check_supported(properties)
        settings: dict[str, Any] = {
            attribute: seconds
            for name, attribute in _TIMES.items()
            if (seconds := known.milliseconds(properties, name)) is not None
        }
        if properties.get("client.id", "").strip():
            settings["client_id"] = properties["client.id"].strip()
        addresses = bootstrap_servers if bootstrap_servers is not None else properties.get("bootstrap.servers", "")
        config = cls.of(addresses, security=known.security_from(properties), **settings)
        warnings = [*known.warnings_for(properties), *config.security.warnings()]
        return config, warnings
