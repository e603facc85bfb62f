"""The Python libraries that are compared, each behind the same two calls: objects to bytes, bytes to objects.

Every library encodes objects that its own decoder made, through the calls that its users make.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from benchmarks.workloads import MESSAGES

Open = Callable[[str, int, bytes], "Calls"]


class UnsupportedError(Exception):
    """Raised where a library does not know a message or a version, or can't run here; says why."""


@dataclass(frozen=True, slots=True)
class Calls:
    """What is timed: ``encode`` one prepared object, ``decode`` the same bytes."""

    encode: Callable[[], bytes]
    decode: Callable[[], object]


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
        return Calls(lambda: value.encode(version=version), lambda: cls.decode(data, version=version))

    return prepare


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

    def encode() -> bytes:
        buffer = io.BytesIO()
        write(buffer, value)
        return buffer.getvalue()

    return Calls(encode, lambda: read(data, 0)[0])


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
    return Calls(value.encode, lambda: cls.decode(data, version=version))


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
    return Calls(value.encode, lambda: cls.decode(data))


_PEERS: Final[dict[str, Open]] = {"kio": _kio, "kafka-python": _kafka_python, "aiokafka": _aiokafka}
