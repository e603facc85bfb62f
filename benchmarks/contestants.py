"""The Python libraries that are compared, each behind the same calls: objects to bytes, bytes to objects, and what a proxy does.

Every library encodes objects that its own decoder made, through the calls that its users make.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, Final

from benchmarks.floor import COUNTED, floor_call
from benchmarks.readings import FORWARDINGS, READINGS, Forwarding, walk_of
from benchmarks.workloads import MESSAGES

Open = Callable[[str, int, bytes], "Calls"]
Forwarded = tuple[list[str], bytes]
"""What a proxy read, and what it sends."""


class UnsupportedError(Exception):
    """Raised where a library does not know a message or a version, or can't run here; says why."""


@dataclass(frozen=True, slots=True)
class Calls:
    """What is timed: ``encode`` one prepared object, ``decode`` the same bytes, do with them what a ``proxy`` does, and others.

    A contestant does not take part in operations that are not here.
    """

    encode: Callable[[], bytes]
    decode: Callable[[], object]
    proxy: Callable[[], Forwarded] | None = None
    others: Mapping[str, Callable[[], object]] = field(default_factory=dict)

    def by_operation(self) -> dict[str, Callable[[], object]]:
        """All calls by the names of their operations."""
        proxy = {"proxy": self.proxy} if self.proxy else {}
        return {"encode": self.encode, "decode": self.decode, **proxy, **self.others}


def opener(contestant: str, specs: str) -> Open:
    """The function that prepares a message for one of ``messagegen``, ``kio``, ``kafka-python`` and ``aiokafka``.

    ``specs`` is the folder of Kafka's message specs, which messagegen makes its classes from. Where the environment does
    not force pure Python, messagegen must use its native engine, else the call raises ``UnsupportedError``.
    """
    if contestant == "messagegen":
        return _messagegen(specs)
    return _PEERS[contestant]


def _messagegen(specs: str) -> Open:
    from messagegen import load  # noqa: PLC0415 - the processes of the others do without

    package = load(specs, messages=MESSAGES)
    must_be_native = not os.environ.get("MESSAGEGEN_PURE")

    def prepare(message: str, version: int, data: bytes) -> Calls:
        cls = getattr(package, message)
        value = cls.decode(data, version=version)
        if must_be_native and cls.CODEC.engine is None:
            raise UnsupportedError("does not use messagegen_native")

        def proxy(forwarding: Forwarding) -> Forwarded:
            request = cls.decode(data, version=version, lazy=True)
            names = forwarding.names(request)
            return names, request.__replace__(**forwarding.changes).encode(version=version)

        others = lazy_calls(cls, message, version, data) if must_be_native else _floor(message)
        return Calls(
            lambda: value.encode(version=version),
            lambda: cls.decode(data, version=version),
            _proxy(message, proxy),
            others,
        )

    return prepare


def lazy_calls(cls: Any, message: str, version: int, data: bytes) -> dict[str, Callable[[], object]]:
    """What is timed of lazy decoding, by operation: ``lazy`` leaves the message untouched, ``touch`` is decoded at once."""
    reading, walk = READINGS[message], walk_of([cls.decode(data, version=version)])
    read_fields = reading.read_fields()
    return {
        "lazy": lambda: cls.decode(data, version=version, lazy=True),
        "read": lambda: read_fields(cls.decode(data, version=version, lazy=True)),
        "read-deep": lambda: reading.read_deep(cls.decode(data, version=version, lazy=True)),
        "touch": lambda: walk.touch((cls.decode(data, version=version),)),
        "touch-lazy": lambda: walk.touch((cls.decode(data, version=version, lazy=True),)),
    }


def _floor(message: str) -> dict[str, Callable[[], object]]:
    return {"floor": floor_call()} if message == COUNTED else {}


def _proxy(message: str, forward: Callable[[Forwarding], Forwarded]) -> Callable[[], Forwarded] | None:
    """The call of a message that a proxy forwards, if it is one of those."""
    forwarding = FORWARDINGS.get(message)
    return None if forwarding is None else lambda: forward(forwarding)


_KIO_MODULES: Final = {
    "ApiVersionsResponse": "api_versions.v{}.response",
    "DescribeClientQuotasResponse": "describe_client_quotas.v{}.response",
    "FetchRequest": "fetch.v{}.request",
    "FetchResponse": "fetch.v{}.response",
    "MetadataResponse": "metadata.v{}.response",
    "OffsetCommitRequest": "offset_commit.v{}.request",
    "ProduceRequest": "produce.v{}.request",
}


def _kio(message: str, version: int, data: bytes) -> Calls:
    serial = import_module("kio.serial")
    cls = getattr(import_module("kio.schema." + _KIO_MODULES[message].format(version)), message)
    read, write = serial.entity_reader(cls), serial.entity_writer(cls)
    value, _ = read(data, 0)

    def encode(message: Any) -> bytes:
        buffer = io.BytesIO()
        write(buffer, message)
        return buffer.getvalue()

    def proxy(forwarding: Forwarding) -> Forwarded:
        message, _ = read(data, 0)
        names = forwarding.names(message)
        return names, encode(replace(message, **forwarding.changes))

    return Calls(lambda: encode(value), lambda: read(data, 0)[0], _proxy(message, proxy))


_KAFKA_PYTHON_MODULES: Final = {
    "ApiVersionsResponse": "metadata",
    "DescribeClientQuotasResponse": "admin",
    "FetchRequest": "consumer",
    "FetchResponse": "consumer",
    "MetadataResponse": "metadata",
    "OffsetCommitRequest": "consumer",
    "ProduceRequest": "producer",
}


def _kafka_python(message: str, version: int, data: bytes) -> Calls:
    cls: Any = getattr(import_module("kafka.protocol." + _KAFKA_PYTHON_MODULES[message]), message)
    value = cls.decode(data, version=version)

    def proxy(forwarding: Forwarding) -> Forwarded:
        message = cls.decode(data, version=version)
        names = forwarding.names(message)
        setattr(message, forwarding.changed, forwarding.value)
        return names, message.encode()

    return Calls(value.encode, lambda: cls.decode(data, version=version), _proxy(message, proxy))


_AIOKAFKA_MODULES: Final = {
    "ApiVersionsResponse": "admin",
    "DescribeClientQuotasResponse": "admin",
    "FetchRequest": "fetch",
    "FetchResponse": "fetch",
    "MetadataResponse": "metadata",
    "OffsetCommitRequest": "commit",
    "ProduceRequest": "produce",
}


def _aiokafka(message: str, version: int, data: bytes) -> Calls:
    module = import_module("aiokafka.protocol." + _AIOKAFKA_MODULES[message])
    cls: Any = getattr(module, f"{message}_v{version}", None)
    if cls is None:
        raise UnsupportedError(f"has no {message} version {version}")
    value = cls.decode(data)

    def proxy(forwarding: Forwarding) -> Forwarded:
        message = cls.decode(data)
        # Elements of arrays are tuples here: error code, name, ...
        names = [name for _, name, *_ in getattr(message, forwarding.topics)]
        setattr(message, forwarding.changed, forwarding.value)
        return names, message.encode()

    return Calls(value.encode, lambda: cls.decode(data), _proxy(message, proxy))


_PEERS: Final[dict[str, Open]] = {"kio": _kio, "kafka-python": _kafka_python, "aiokafka": _aiokafka}
