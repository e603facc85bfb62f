"""The compared Python libraries, all behind the same calls: objects to bytes, and bytes to objects.

Every library encodes objects from its own decoder, through its public functions.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from importlib import import_module
from operator import attrgetter
from typing import Any, Final

from benchmarks.workloads import MESSAGES

Calls = dict[str, Callable[[], Any]]
"""The timed calls, by operation. Operations that a contestant does not support are missing."""
Open = Callable[[str, int, bytes], Calls]

THREE_FIELDS: Final = {
    "ApiVersionsResponse": ("error_code", "throttle_time_ms", "finalized_features_epoch"),
    "DescribeClientQuotasResponse": ("error_code", "error_message", "throttle_time_ms"),
    "FetchRequest": ("max_bytes", "session_id", "isolation_level"),
    "FetchResponse": ("error_code", "session_id", "throttle_time_ms"),
    "MetadataResponse": ("cluster_id", "controller_id", "throttle_time_ms"),
    "OffsetCommitRequest": ("group_id", "member_id", "generation_id_or_member_epoch"),
    "ProduceRequest": ("acks", "timeout_ms", "transactional_id"),
}
"""The three fields that are read from each lazily decoded message."""


class UnsupportedError(Exception):
    """Raised if a library does not support a message, a version or this environment; contains the reason."""


def opener(contestant: str, specs: str) -> Open:
    """Return the function that prepares messages for ``messagegen``, ``kio``, ``kafka-python`` or ``aiokafka``.

    ``specs`` is the folder of Kafka's message specs, from which messagegen makes its classes.
    """
    return _messagegen(specs) if contestant == "messagegen" else _PEERS[contestant]


def _messagegen(specs: str) -> Open:
    from messagegen import load  # noqa: PLC0415 - the processes of the others do not need it

    package = load(specs, messages=MESSAGES)
    must_be_native = not os.environ.get("MESSAGEGEN_PURE")

    def prepare(message: str, version: int, data: bytes) -> Calls:
        cls = getattr(package, message)
        value = cls.decode(data, version=version)
        calls: Calls = {
            "encode": lambda: value.encode(version=version),
            "decode": lambda: cls.decode(data, version=version),
        }
        if must_be_native:
            if cls.CODEC.engine is None:
                raise UnsupportedError("does not use messagegen_native")
            three = attrgetter(*THREE_FIELDS[message])
            calls["read"] = lambda: three(cls.decode(data, version=version, lazy=True))
        return calls

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

    return {"encode": encode, "decode": lambda: read(data, 0)[0]}


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
    return {"encode": value.encode, "decode": lambda: cls.decode(data, version=version)}


def _aiokafka(message: str, version: int, data: bytes) -> Calls:
    """Return the calls of aiokafka, which supports only one workload: one version of one message."""
    cls: Any = getattr(import_module("aiokafka.protocol.metadata"), f"{message}_v{version}", None)
    if cls is None:
        raise UnsupportedError(f"has no {message} version {version}")
    value = cls.decode(data)
    return {"encode": value.encode, "decode": lambda: cls.decode(data)}


_PEERS: Final[dict[str, Open]] = {"kio": _kio, "kafka-python": _kafka_python, "aiokafka": _aiokafka}
