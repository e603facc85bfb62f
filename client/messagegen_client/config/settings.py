"""The settings of a client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from messagegen_client.config.addresses import check_addresses, split_addresses
from messagegen_client.errors import ConfigError
from messagegen_client.security.settings import Security

_TIMES: Final = {
    "request.timeout.ms": "request_timeout",
    "default.api.timeout.ms": "api_timeout",
    "socket.connection.setup.timeout.ms": "connection_setup_timeout",
    "reconnect.backoff.ms": "reconnect_backoff",
    "reconnect.backoff.max.ms": "reconnect_backoff_max",
    "retry.backoff.ms": "retry_backoff",
    "retry.backoff.max.ms": "retry_backoff_max",
    "metadata.max.age.ms": "metadata_max_age",
}


@dataclass(frozen=True, kw_only=True)
class ClientConfig:
    """How to reach a cluster; times are in seconds. Defaults are those of Kafka's own clients.

    Raises ``ConfigError`` for values that can't be used. Secrets do not show in ``repr``.
    """

    bootstrap_servers: tuple[str, ...]
    """``host:port`` each, one of which has to answer; ``[::1]:9092`` for an IPv6 address."""
    client_id: str = "messagegen-client"
    """What brokers call this client in logs, metrics and quotas."""
    request_timeout: float = 30.0
    """How long a broker may take to answer one request."""
    api_timeout: float = 60.0
    """How long a call may take, with all its requests; a call can be given another timeout."""
    connection_setup_timeout: float = 10.0
    """How long TCP and TLS may take to connect."""
    retry_backoff: float = 0.1
    """The first pause before trying again; it doubles each time, up to ``retry_backoff_max``."""
    retry_backoff_max: float = 1.0
    reconnect_backoff: float = 0.05
    """The pause before connecting again to a broker where that failed; it doubles, up to ``reconnect_backoff_max``."""
    reconnect_backoff_max: float = 1.0
    metadata_max_age: float = 300.0
    """How long to believe what brokers said of the cluster."""
    max_response_size: int = 100 * 1024 * 1024
    """Bytes; a longer answer is refused before anything is allocated for it."""
    security: Security = field(default_factory=Security)

    def __post_init__(self) -> None:
        check_addresses(self.bootstrap_servers)
        for name in (*_TIMES.values(), "max_response_size"):
            if not 0 < getattr(self, name) < 2**53:
                raise ConfigError(f"{name} has to be a number above 0")

    @classmethod
    def of(cls, bootstrap_servers: str | Sequence[str], **settings: Any) -> Self:
        """The config for these brokers, given as ``"one:9092,two:9092"`` or one by one, and further fields."""
        return cls(bootstrap_servers=_addresses(bootstrap_servers), **settings)

    @classmethod
    def from_properties(
        cls,
        source: Path | str | Mapping[str, str],
        *,
        bootstrap_servers: str | Sequence[str] | None = None,
    ) -> tuple[Self, list[str]]:
        """The config that a properties file of Kafka's own tools describes (``--command-config``), and warnings.

        ``source`` is the file's path, or its properties; ``bootstrap_servers`` goes before the property of that name.
        There is a warning for each property that Kafka does not know, for a file with secrets that every user can read, and for
        a password that travels without encryption. Raises ``ConfigError`` for a value that can't be
        used, and ``OSError`` for a file that can't be read.
        """
        # Only those who have such a file need the library that reads it.
        from messagegen_client.config import properties as known  # noqa: PLC0415 - few have such a file

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
        if not isinstance(source, Mapping):
            warnings += known.file_warnings(source, properties)
        return config, warnings


def _addresses(servers: str | Sequence[str]) -> tuple[str, ...]:
    return split_addresses(servers) if isinstance(servers, str) else tuple(servers)
