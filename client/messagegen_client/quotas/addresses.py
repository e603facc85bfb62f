"""Addresses of ``ip`` entities: all spellings of an address are one client to brokers (KIP-612).

Brokers read a name with Java's ``InetAddress.getByName``: ``127.1`` is ``127.0.0.1``, and ``2001:0db8:0:0::1`` is
``2001:db8::1``. Any other text is a host name, which each broker resolves on its own.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from messagegen_client.quotas.entities import IP, ClientQuotaEntity

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_BITS_OF_A_PART: Final = 8
_MOST_PARTS: Final = 4
_LONGEST_PART: Final = 10


def address_of(name: str) -> Address | None:
    """Return the address for a name, as Java reads it; ``None`` for a host name."""
    bare = name.removeprefix("[").removesuffix("]") if name.startswith("[") else name
    if ":" not in name:
        return _ipv4(name)
    try:
        address = ipaddress.IPv6Address(bare)
    except ValueError:
        return None
    return address.ipv4_mapped or address


def same_for_brokers(entity: ClientQuotaEntity) -> ClientQuotaEntity:
    """Return the entity with its address in the usual form, so that entities are equal if brokers treat them as one."""
    name = entity.get(IP)
    address = None if name is None else address_of(name)
    return entity if address is None else ClientQuotaEntity({**entity, IP: str(address)})


def by_address(entities: Iterable[ClientQuotaEntity]) -> Mapping[ClientQuotaEntity, list[ClientQuotaEntity]]:
    """Return groups of entities that brokers treat as one, in order; the keys have addresses in the usual form."""
    found: dict[ClientQuotaEntity, list[ClientQuotaEntity]] = {}
    for entity in entities:
        found.setdefault(same_for_brokers(entity), []).append(entity)
    return found


def address_warnings(entities: Iterable[ClientQuotaEntity]) -> Iterator[str]:
    """Yield a warning for each entity with a host name, and for each address that several entities have."""
    for entity, several in sorted(by_address(dict.fromkeys(entities)).items()):
        name = entity.get(IP)
        if name and address_of(name) is None:
            yield f"{entity}: expected an IP address, found a host name, which each broker resolves by itself"
        if len(several) > 1:
            texts = " and ".join(map(str, several))
            yield f"{texts} are the same address; if both have a quota, brokers use the value that was set last"


def _ipv4(name: str) -> Address | None:
    """Return an address of one to four numbers; the last number fills the remaining bytes."""
    parts = name.split(".")
    if len(parts) > _MOST_PARTS or not all(_is_number(part) for part in parts):
        return None
    numbers = [int(part) for part in parts]
    bits_of_last = _BITS_OF_A_PART * (_MOST_PARTS - len(parts) + 1)
    if any(number >= 2**_BITS_OF_A_PART for number in numbers[:-1]) or numbers[-1] >= 2**bits_of_last:
        return None
    value = numbers[-1]
    for place, number in enumerate(numbers[:-1], 1):
        value += number * 2 ** (_BITS_OF_A_PART * (_MOST_PARTS - place))
    return ipaddress.IPv4Address(value)


def _is_number(part: str) -> bool:
    return part.isascii() and part.isdigit() and len(part) <= _LONGEST_PART
