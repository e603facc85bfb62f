"""Finds the messages of Kafka frames, which are a header and a body, without the 4-byte size before them.

A request contains its API key and version. A response contains neither, so decoding a response requires the key and
version of its request.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from messagegen_arrow.catalog import Catalog, MessageTable, default_catalog
from messagegen_arrow.frames.api_names import api_name

Direction = Literal["request", "response"]
_PASS_NEWEST: Final = (
    "pass --specs kafka:4.4.0, or catalog=Catalog.of_specs('kafka:4.4.0'); "
    "for messages that Kafka removed, kafka:2.4..4.4"
)
_PASS_ALL: Final = (
    "pass --specs kafka:2.4..4.4, or catalog=Catalog.of_specs('kafka:2.4..4.4'), "
    "which has the versions of these releases"
)

API_VERSIONS: Final = 18
"""The API key of ApiVersions, whose response may have a different version than its request."""
METADATA_RESPONSE: Final[tuple[Direction, int]] = ("response", 3)
"""The direction and API key of the message that contains the names of topics."""
UNSUPPORTED_VERSION: Final = 35
"""Kafka's error code UNSUPPORTED_VERSION."""

NEVER_ON_A_WIRE: Final = frozenset({"ResolveClientQuotasRequest", "ResolveClientQuotasResponse"})
"""Messages that KIP-546 proposed but no broker has; DescribeUserScramCredentials (KIP-554) has their API key."""


class FrameError(ValueError):
    """Raised for a frame that can't be read: it is too short, or the catalog lacks its message or version."""


@dataclass(frozen=True, slots=True)
class FrameMessages:
    """The messages of a catalog, by direction and API key, and the headers. It pickles to little data."""

    headers: Mapping[Direction, MessageTable]
    bodies: Mapping[tuple[Direction, int], MessageTable] = field(repr=False)
    ambiguous: Mapping[tuple[Direction, int], tuple[str, ...]] = field(default_factory=dict, repr=False)
    """The names of messages that share an API key: some proposals had keys that now belong to other APIs."""

    @classmethod
    def of(cls, catalog: Catalog | None = None) -> FrameMessages:
        """Return all requests and responses of a catalog (default: ``default_catalog()``), and the headers."""
        known = default_catalog() if catalog is None else catalog
        with_headers = default_catalog() | known
        found: defaultdict[tuple[Direction, int], list[MessageTable]] = defaultdict(list)
        for table in known:
            direction = _direction(table)
            if direction is not None and table.api_key is not None and table.name not in NEVER_ON_A_WIRE:
                found[direction, table.api_key].append(table)
        return cls(
            headers={
                "request": with_headers.message("RequestHeader"),
                "response": with_headers.message("ResponseHeader"),
            },
            bodies={key: tables[0] for key, tables in found.items() if len(tables) == 1},
            ambiguous={key: tuple(each.name for each in tables) for key, tables in found.items() if len(tables) > 1},
        )

    def only(self, *tables: MessageTable) -> FrameMessages:
        """Return only the given requests and responses, with the headers.

        Raises ``ValueError`` for other kinds of messages.
        """
        bodies: dict[tuple[Direction, int], MessageTable] = {}
        for table in tables:
            direction = _direction(table)
            if direction is None or table.api_key is None:
                raise ValueError(f"{table.name} is neither a request nor a response")
            bodies[direction, table.api_key] = table
        return FrameMessages(self.headers, bodies)

    def body(self, direction: Direction, api_key: int, version: int) -> tuple[MessageTable, int]:
        """Return the message of a body, and the version of its header.

        Raises ``FrameError`` for an API key or a version that the catalog lacks.
        """
        if (direction, api_key) in self.ambiguous:
            names = " and ".join(self.ambiguous[direction, api_key])
            raise FrameError(f"ambiguous API key {api_key}: {names}; choose one with message=")
        table = self.bodies.get((direction, api_key))
        if table is None:
            name = api_name(api_key)
            if name is None:
                advice = "Kafka has no such API; pass its spec with --specs, or in catalog="
                raise FrameError(f"unknown {direction} with API key {api_key}: {advice}")
            raise FrameError(f"unknown {direction} with API key {api_key} ({name}): {_PASS_NEWEST}")
        if version not in table.versions:
            lowest, highest = table.valid_versions
            raise FrameError(f"{table.name} has versions {lowest} to {highest} here, not {version}: {_PASS_ALL}")
        return table, table.header_version(version)


def _direction(table: MessageTable) -> Direction | None:
    if table.kind == "request":
        return "request"
    return "response" if table.kind == "response" else None


def response_version(messages: FrameMessages, api_key: int, version: int, error_code: int | None) -> int:
    """Return the version of the body of a response whose request had ``version``.

    It is the same version except for ApiVersions. A broker that does not support the version of an ApiVersionsRequest
    responds in version 0, with UNSUPPORTED_VERSION in the first two bytes (KIP-511).
    """
    if api_key != API_VERSIONS:
        return version
    table = messages.bodies.get(("response", api_key))
    is_unknown = table is not None and version not in table.versions
    return 0 if is_unknown or error_code == UNSUPPORTED_VERSION else version
