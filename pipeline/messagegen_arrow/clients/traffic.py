"""The clients of connections, and the versions of requests that they use, from the events of observers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from messagegen_arrow.clients.identity import principal_of
from messagegen_arrow.clients.verdicts import NOT_OFFERED, UsedVersion

_SASL_HANDSHAKE: Final = 17
_API_VERSIONS: Final = 18
_SASL_AUTHENTICATE: Final = 36
_OF_CLIENTS: Final = (_SASL_HANDSHAKE, _API_VERSIONS, _SASL_AUTHENTICATE)
"""The APIs whose requests contain properties of the client."""

Offer = Mapping[int, int]
"""The highest version of each API that a broker offers, by API key."""


class ClientName(NamedTuple):
    """The properties that distinguish clients. Each is ``None`` if no request contains it."""

    software_name: str | None
    software_version: str | None
    client_id: str | None
    principal: str | None


class _Use(NamedTuple):
    """A use of a version; ``offer`` is the number of the broker's offer, or ``None`` if it is unknown."""

    api_key: int
    version: int
    offer: int | None
    is_refused: bool


@dataclass(slots=True)
class Client:
    """A client: its addresses, its number of connections, and the versions that it used."""

    addresses: set[str] = field(default_factory=set)
    connections: int = 0
    uses: set[_Use] = field(default_factory=set)


class ClientTraffic:
    """The clients of any number of connections.

    Call ``connect`` for each connection, pass the events of its ``Observer`` to ``add`` of the result, and call
    ``close`` when it ends.
    """

    def __init__(self) -> None:
        self._clients: dict[ClientName, Client] = {}
        self._open: set[ClientConnection] = set()
        self._offers: dict[tuple[tuple[int, int], ...], int] = {}
        """The number of each distinct offer: all brokers of a release make the same one."""

    def connect(self, address: str | None = None) -> ClientConnection:
        """Return a new connection; ``address`` is the host of the client, without its port."""
        connection = ClientConnection(self, address)
        self._open.add(connection)
        return connection

    @property
    def clients(self) -> Mapping[ClientName, Client]:
        """All clients so far, including the clients of open connections."""
        found = {
            name: Client(set(one.addresses), one.connections, set(one.uses)) for name, one in self._clients.items()
        }
        for connection in self._open:
            connection.add_to(found)
        return found

    def used_versions(self, client: Client) -> Mapping[int, frozenset[UsedVersion]]:
        """Return the versions that a client used, by API key.

        Where the broker's offer is unknown, the lowest of the known offers counts.
        """
        offers = [dict(offer) for offer in self._offers]
        found: dict[int, set[UsedVersion]] = {}
        for use in client.uses:
            known = offers if use.offer is None else [offers[use.offer]]
            highest = _lowest_limit(use.api_key, known)
            found.setdefault(use.api_key, set()).add(UsedVersion(use.version, highest, use.is_refused))
        return {api_key: frozenset(used) for api_key, used in sorted(found.items())}

    def offer_number(self, offer: Offer) -> int:
        """Return the number of an offer, which is new or known."""
        return self._offers.setdefault(tuple(sorted(offer.items())), len(self._offers))

    def forget(self, connection: ClientConnection) -> None:
        """Keep the clients of a connection, but not the connection."""
        if connection in self._open:
            self._open.remove(connection)
            connection.add_to(self._clients)


class ClientConnection:
    """A connection, whose client names itself in its first requests."""

    def __init__(self, traffic: ClientTraffic, address: str | None) -> None:
        self._traffic = traffic
        self._address = address
        self._software: tuple[str | None, str | None] = (None, None)
        self._mechanism = ""
        self._principal: str | None = None
        self._offer: int | None = None
        self._used: dict[str | None, set[tuple[int, int]]] = {}
        """The API keys and versions of requests, by client id."""
        self._refused: set[tuple[int, int]] = set()

    def add(self, event: Any) -> None:
        """Add an event of an ``Observer``, of any generated package. Bodies that cannot be decoded are ignored."""
        token: bytes | None = getattr(event, "token", None)
        if token is not None:
            if event.direction == "request":
                self._add_token(token)
        elif (asked := getattr(event, "in_flight", None)) is not None:
            self._used.setdefault(asked.client_id, set()).add((asked.api_key, asked.version))
            if asked.api_key in _OF_CLIENTS:
                self._add_message(asked.api_key, event)
        elif (answered := getattr(event, "request", None)) is not None and answered.api_key == _API_VERSIONS:
            if event.refused:
                self._refused.add((_API_VERSIONS, answered.version))
            else:
                self._add_offer(event)

    def close(self) -> None:
        """Note the end of the connection."""
        self._traffic.forget(self)

    def add_to(self, clients: dict[ClientName, Client]) -> None:
        """Add the clients of this connection to ``clients``."""
        for client_id, used in self._used.items():
            client = clients.setdefault(ClientName(*self._software, client_id, self._principal), Client())
            client.connections += 1
            if self._address is not None:
                client.addresses.add(self._address)
            client.uses |= {_Use(*each, self._offer, each in self._refused) for each in used}

    def _add_message(self, api_key: int, event: Any) -> None:
        message = _decoded(event)
        if message is None:
            return
        if api_key == _API_VERSIONS:
            # Versions before 3 do not have the fields.
            if message.client_software_name:
                self._software = (message.client_software_name, message.client_software_version or None)
        elif api_key == _SASL_HANDSHAKE:
            self._mechanism = message.mechanism
        else:
            self._add_token(message.auth_bytes)

    def _add_token(self, token: bytes) -> None:
        self._principal = principal_of(self._mechanism, token) or self._principal

    def _add_offer(self, event: Any) -> None:
        message = _decoded(event)
        if message is not None and message.api_keys:
            self._offer = self._traffic.offer_number({each.api_key: each.max_version for each in message.api_keys})


def _lowest_limit(api_key: int, offers: Collection[Offer]) -> int | None:
    """Return the lowest of the highest versions in offers; ``None`` if there are no offers."""
    if not offers:
        return None
    return min((offer[api_key] for offer in offers if api_key in offer), default=NOT_OFFERED)


def _decoded(event: Any) -> Any:
    """Return the message; ``None`` if its header is unreadable, its body incomplete, or its version unknown."""
    if not hasattr(event, "decode"):
        return None
    try:
        return event.decode()
    except ValueError:
        return None
