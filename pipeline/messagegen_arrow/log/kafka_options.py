"""The options of Spark's own ``kafka`` source, as far as they make sense for files.

https://spark.apache.org/docs/latest/streaming/structured-streaming-kafka-integration.html
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from messagegen_arrow.options import OptionError

LATEST: Final = -1
EARLIEST: Final = -2

PartitionNumbers = dict[tuple[str, int], int]
"""An offset or a time for each topic and partition."""

SAME: Final = {
    "subscribe": "topics",
    "subscribePattern": "topicsPattern",
    "kafka.isolation.level": "isolationLevel",
}
"""Options of that source which have another name here."""

_ONE_OF: Final = ("assign", "subscribe", "subscribePattern")
_NO_MEANING: Final = ("groupidprefix", "kafkaconsumer.", "fetchoffset.", "kafka.")
_INSTEAD: Final = {
    "minoffsetspertrigger": "a trigger takes what is available",
    "maxtriggerdelay": "a trigger takes what is available",
    "maxrecordsperpartition": "maxPartitionBytes sets how much a task reads",
}


def with_own_names(options: Mapping[str, str]) -> dict[str, str]:
    """The options by the names that they have here. Raises ``OptionError`` for what can't be meant, and for two that say the same."""
    own_names = {name.lower(): own for name, own in SAME.items()}
    given = {name.lower(): name for name in options}
    chosen = [name for name in _ONE_OF if name.lower() in given]
    if len(chosen) > 1:
        raise OptionError(f"options {' and '.join(chosen)}: give only one of {', '.join(_ONE_OF)}")
    renamed: dict[str, str] = {}
    for name, text in options.items():
        own = own_names.get(name.lower())
        if own is None:
            _check_meaning(name)
        elif own.lower() in given:
            raise OptionError(f"options {name} and {own} mean the same; give only one of them")
        renamed[own or name] = text
    return renamed


def _check_meaning(name: str) -> None:
    lowered = name.lower()
    if lowered.startswith(_NO_MEANING):
        raise OptionError(f"kafka-log reads files and does not connect to a broker; remove the option {name}")
    if lowered in _INSTEAD:
        raise OptionError(f"kafka-log has no option {name}: {_INSTEAD[lowered]}; remove it")


def assignment(text: str) -> frozenset[tuple[str, int]]:
    """``{"orders":[0,1]}``: topics and partitions. Raises ``ValueError``."""
    advice = 'expected JSON such as {"orders":[0,1],"payments":[2]}'
    return frozenset(
        (topic, _number(partition, advice))
        for topic, partitions in _object(text, advice).items()
        for partition in _checked(partitions, list, advice)
    )


def starting_offsets(text: str) -> str | PartitionNumbers:
    """``earliest``, ``latest``, or ``{"orders":{"0":23,"1":-2}}``, where -2 is the earliest and -1 the latest offset."""
    if text.strip().lower() in ("earliest", "latest"):
        return text.strip().lower()
    return _numbers(text, 'expected earliest, latest, or JSON such as {"orders":{"0":23,"1":-2}}', least=EARLIEST)


def ending_offsets(text: str) -> str | PartitionNumbers:
    """``latest``, or ``{"orders":{"0":50,"1":-1}}``, where -1 is the latest offset."""
    if text.strip().lower() == "latest":
        return "latest"
    return _numbers(text, 'expected latest, or JSON such as {"orders":{"0":50,"1":-1}}', least=LATEST)


def times(text: str) -> PartitionNumbers:
    """``{"orders":{"0":1700000000000}}``: milliseconds since 1970."""
    return _numbers(text, 'expected JSON with milliseconds since 1970 such as {"orders":{"0":1700000000000}}', least=0)


def _numbers(text: str, advice: str, least: int) -> PartitionNumbers:
    found: PartitionNumbers = {}
    for topic, partitions in _object(text, advice).items():
        for partition, number in _checked(partitions, dict, advice).items():
            value = _number(number, advice)
            if value < least:
                raise ValueError(f"{advice}; {value} for {topic}-{partition} is less than {least}")
            found[topic, _number(partition, advice)] = value
    return found


def _object(text: str, advice: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    checked: dict[str, Any] = _checked(found, dict, advice, text)
    return checked


def _checked(value: Any, kind: type, advice: str, text: str | None = None) -> Any:
    if not isinstance(value, kind):
        raise ValueError(f"{advice}, not {value if text is None else text!r}")  # noqa: TRY004 - a wrong option
    return value


def _number(value: Any, advice: str) -> int:
    """A whole number, also as text, as the keys of objects are."""
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{advice}, not {value!r}")  # noqa: TRY004 - a wrong option
    return value
