"""The messages of the benchmarks as JSON, by the size of their rows. Random values are drawn with a fixed seed."""

from __future__ import annotations

import random
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal
from uuid import UUID

from benchmarks.workloads import metadata

Size = Literal["small", "large", "events", "telemetry", "orders"]

_SEED: Final = 20_261_126
_FIRST_TIME: Final = 1_700_000_000_000
"""A timestamp in milliseconds since 1970."""
_UUID_BYTES: Final = 16
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


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
    """Return a uuid as Kafka writes it in JSON."""
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


def _orders(count: int) -> Iterator[Any]:
    chance = random.Random(_SEED)  # noqa: S311 - data, no secrets
    for number in range(count):
        yield {
            "orderId": str(UUID(bytes=chance.randbytes(_UUID_BYTES))),
            "customerId": str(UUID(bytes=chance.randbytes(_UUID_BYTES))),
            "sessionToken": _uuid(chance),
            "placedAt": _FIRST_TIME + 10 * number,
            "note": None if chance.random() < 0.7 else _words(chance, 12),
            "lines": [_line(chance) for _ in range(chance.randrange(2, 12))],
            "labels": [_words(chance, 1) for _ in range(chance.randrange(4))],
        }


def _line(chance: random.Random) -> dict[str, Any]:
    quantity = chance.randrange(1, 4)
    return {
        "sku": f"{_words(chance, 1)}-{chance.randrange(10**6)}",
        "title": _words(chance, 4),
        "quantity": quantity,
        "price": chance.randrange(10**5) / 100,
        "choices": [{"name": _words(chance, 1), "value": _words(chance, 1)} for _ in range(chance.randrange(4))],
        "serialNumbers": [chance.randbytes(5).hex() for _ in range(quantity)],
    }


def _words(chance: random.Random, most: int) -> str:
    """Return one to ``most`` random words of three to nine letters."""
    sizes = [chance.randrange(3, 10) for _ in range(chance.randint(1, most))]
    return " ".join("".join(chance.choices(_LETTERS, k=size)) for size in sizes)


BODIES: Final[dict[Size, Callable[[int], Iterator[Any]]]] = {
    "small": _small,
    "large": _large,
    "events": _events,
    "telemetry": _telemetry,
    "orders": _orders,
}
