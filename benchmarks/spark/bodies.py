"""The messages of the benchmarks as JSON, by the size of their rows: made by rule, or by chance from a seed."""

from __future__ import annotations

import random
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from typing import Any, Final

from benchmarks.spark.names import Size
from benchmarks.workloads import metadata

_SEED: Final = 20_261_126
_FIRST_TIME: Final = 1_700_000_000_000
"""In milliseconds since 1970."""
_UUID_BYTES: Final = 16


def _small(count: int) -> Iterator[Any]:
    for number in range(count):
        yield {
            "groupId": f"consumer-group-{number:03}",
            "generationIdOrMemberEpoch": number,
            "memberId": f"consumer-1-{number:04}-{number * 7919 % 10**9:09}",
            "groupInstanceId": None,
            "topics": [
                {
                    "name": f"topic-{number % 50:02}",
                    "partitions": [
                        {
                            "partitionIndex": partition,
                            "committedOffset": 1_000_003 * (number + 1) + partition,
                            "committedLeaderEpoch": 5,
                            "committedMetadata": "",
                        }
                        for partition in range(2)
                    ],
                }
            ],
        }


def _large(count: int) -> Iterator[Any]:
    for number in range(count):
        body = metadata(topics=2, partitions=100, brokers=3)
        for topic in body["topics"]:
            topic["name"] = f"{topic['name']}-{number:04}"
            for partition in topic["partitions"]:
                partition["leaderEpoch"] = number
        yield body


def _events(count: int) -> Iterator[Any]:
    for number in range(count):
        yield {
            "eventId": number,
            "at": 1_700_000_000_000 + number,
            "kind": ("view", "cart", "sell")[number % 3],
            "userId": f"user-{number * 7919 % 10**8:08}",
            "path": f"/products/{number % 500:05}",
            "country": ("DE", "FR", "US", "JP")[number % 4],
            "referrer": f"/search/{number % 90:07}",
            "amount": number / 4,
        }


def _sessions(count: int) -> Iterator[Any]:
    for number in range(count):
        yield {
            "sessionId": "AAAAAAAAAAAAAAAAAAAAAA",
            "userId": f"user-{number:08}",
            "startedAt": 1_700_000_000_000 + number,
            "pages": [
                {
                    "path": f"/products/{(number + page) % 500:05}",
                    "openedAt": 1_700_000_000_000 + number + page,
                    "actions": [
                        {
                            "kind": ("scroll", "select", "submit")[(number + action) % 3],
                            "at": 1_700_000_000_000 + action,
                            "measures": [
                                {"name": f"measure-{measure}", "value": number / (measure + 1)} for measure in range(4)
                            ],
                        }
                        for action in range(5)
                    ],
                }
                for page in range(9)
            ],
        }


_CHANNELS: Final = (("temperature", "C"), ("pressure", "hPa"), ("current", "A"), ("door", None), ("vibration", "mm/s"))
_TAGS: Final = ("site", "line", "owner", "model", "batch", "criticality", "calibrated-by")


def _telemetry(count: int) -> Iterator[Any]:
    chance = random.Random(_SEED)  # noqa: S311 - data, no secrets
    for number in range(count):
        sent_at = _FIRST_TIME + 60_000 * number
        codes = None if chance.random() < 0.5 else [chance.randrange(900) for _ in range(chance.randrange(4))]
        yield {
            "deviceId": _uuid(chance),
            "sentAt": sent_at,
            "firmware": f"{chance.randrange(9)}.{chance.randrange(30)}.{chance.randrange(10)}",
            "isCharging": chance.random() < 0.2,
            "tags": [
                {"key": key, "value": f"{key}-{chance.randrange(10**chance.randrange(1, 8))}"}
                for key in chance.sample(_TAGS, chance.randrange(2, len(_TAGS)))
            ],
            "channels": [
                _channel(chance, name, unit, sent_at)
                for name, unit in chance.sample(_CHANNELS, chance.randrange(2, len(_CHANNELS)))
            ],
            "errorCodes": codes,
        }


def _uuid(chance: random.Random) -> str:
    """A uuid as Kafka writes it in JSON."""
    return urlsafe_b64encode(chance.randbytes(_UUID_BYTES)).rstrip(b"=").decode()


def _channel(chance: random.Random, name: str, unit: str | None, sent_at: int) -> dict[str, Any]:
    samples = chance.randrange(8, 60)
    level = chance.uniform(-20, 1_000)
    return {
        "name": name,
        "unit": unit,
        "startedAt": sent_at - 1_000 * samples,
        "periodMs": 1_000,
        "samples": [chance.gauss(level, 3) for _ in range(samples)],
        "quality": [chance.randrange(90, 100) for _ in range(samples)],
        "counts": [chance.randrange(1 << 40) for _ in range(chance.randrange(6))],
    }


_STATUS: Final = ("new", "paid", "packed", "shipped", "returned")
_CITIES: Final = ("Berlin", "Lyon", "Zürich", "Osaka", "Gdańsk", "San Antonio")
_NOTES: Final = ("Please ring twice.", "Leave it at the neighbour's door, number 12", "für Anna")
_INSERT: Final = 0
_UPDATE: Final = 1
_DELETE: Final = 2
_INSERTS: Final = 0.3
_DELETES: Final = 0.1


def _changes(count: int) -> Iterator[Any]:
    chance = random.Random(_SEED)  # noqa: S311 - data, no secrets
    for number in range(count):
        old = _order(chance)
        new = {**old, "status": chance.choice(_STATUS), "total": old["total"] + chance.randrange(3)}
        kind = chance.random()
        is_insert = kind < _INSERTS
        is_delete = kind > 1 - _DELETES
        operation = _UPDATE
        if is_insert:
            operation = _INSERT
        elif is_delete:
            operation = _DELETE
        yield {
            "table": "shop.orders",
            "operation": operation,
            "position": 10_000_019 * (number + 1),
            "transaction": 700_000 + number // 3,
            "committedAt": _FIRST_TIME + 37 * number,
            "before": None if is_insert else old,
            "after": None if is_delete else new,
        }


def _order(chance: random.Random) -> dict[str, Any]:
    street = {
        "street": f"{chance.choice(('Main Street', 'Bahnhofstrasse', 'Rue de la Gare'))} {chance.randrange(1, 300)}",
        "city": chance.choice(_CITIES),
        "postalCode": f"{chance.randrange(100_000):05}",
        "country": chance.choice(("DE", "FR", "CH", "JP", "PL", "US")),
    }
    return {
        "orderId": chance.randrange(1 << 36),
        "customerId": chance.randrange(1 << 24),
        "status": chance.choice(_STATUS),
        "currency": chance.choice(("EUR", "CHF", "JPY", "USD")),
        "total": chance.randrange(100_000) / 100,
        "isGift": chance.random() < 0.1,
        "note": chance.choice(_NOTES) if chance.random() < 0.2 else None,
        "shipping": None if chance.random() < 0.25 else street,
    }


BODIES: Final[dict[Size, Callable[[int], Iterator[Any]]]] = {
    "small": _small,
    "large": _large,
    "events": _events,
    "sessions": _sessions,
    "telemetry": _telemetry,
    "changes": _changes,
}
