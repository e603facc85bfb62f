"""Control records: what brokers write into partitions, such as the ends of transactions (upstream: ``ControlRecordType``)."""

from __future__ import annotations

from importlib import import_module
from struct import Struct

from ..base import Value, dataclass
from ..errors import DecodeError, EncodeError
from .values import NO_TIMESTAMP, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..messages import Message

_KEY = Struct(">hh")
_INT16 = Struct(">h")
CONTROL_RECORD_TYPES = {
    0: ("ABORT", "EndTxnMarker"),
    1: ("COMMIT", "EndTxnMarker"),
    2: ("LEADER_CHANGE", "LeaderChangeMessage"),
    3: ("SNAPSHOT_HEADER", "SnapshotHeaderRecord"),
    4: ("SNAPSHOT_FOOTER", "SnapshotFooterRecord"),
    5: ("KRAFT_VERSION", "KRaftVersionRecord"),
    6: ("KRAFT_VOTERS", "VotersRecord"),
}
"""Kafka's names of the types by number, each with the message that is its value. No spec connects them."""


@dataclass
class ControlRecord(Value):
    """What a control record says.

    ``type`` is Kafka's name of the type, ``UNKNOWN`` for a number without one. ``message`` is the value in ``version``;
    ``None`` if the type is unknown, or if the output has no such message.
    """

    type: str = "UNKNOWN"
    version: int = 0
    message: Message | None = None

    @classmethod
    def of(cls, record: Record) -> ControlRecord:
        """What a record of a control batch says. Raises ``DecodeError`` and ``UnsupportedVersionError``."""
        if record.key is None or len(record.key) < _KEY.size:
            raise DecodeError("ControlRecord", 0, "key", "the key of a control record has at least 4 bytes", 0)
        key_version, number = _KEY.unpack_from(record.key)
        if key_version < 0:
            raise DecodeError("ControlRecord", key_version, "key", f"there is no version {key_version}", 0)
        name, message_name = CONTROL_RECORD_TYPES.get(number, ("UNKNOWN", ""))
        if record.value is None or len(record.value) < _INT16.size:
            raise DecodeError("ControlRecord", 0, "value", "the value of a control record begins with its version", 0)
        (version,) = _INT16.unpack_from(record.value)
        message_class = _message_class(message_name)
        if message_class is None:
            return cls(type=name, version=version)
        start = 0 if _has_version(message_class) else _INT16.size
        message = message_class.decode(record.value[start:], version=version)
        return cls(type=name, version=version, message=message)

    def to_record(self, *, offset: int = 0, timestamp: int = NO_TIMESTAMP) -> Record:
        """The record for a control batch. Raises ``EncodeError``."""
        numbers = {name: number for number, (name, _) in CONTROL_RECORD_TYPES.items()}
        if self.type not in numbers:
            raise EncodeError("ControlRecord", 0, "type", f"expected one of {', '.join(numbers)}, got {self.type!r}")
        number = numbers[self.type]
        expected = CONTROL_RECORD_TYPES[number][1]
        if type(self.message).__name__ != expected or self.message is None:
            raise EncodeError("ControlRecord", 0, "message", f"{self.type} needs the message {expected}")
        version = getattr(self.message, "version", self.version)
        if version != self.version:
            reason = f"expected {self.version}, which the control record has, got {version}"
            raise EncodeError("ControlRecord", self.version, "message.version", reason)
        prefix = b"" if _has_version(type(self.message)) else _INT16.pack(self.version)
        value = prefix + self.message.encode(version=self.version)
        return Record(offset=offset, timestamp=timestamp, key=_KEY.pack(0, number), value=value)


def _message_class(name: str) -> Any:
    """A message of the same output; ``None`` if it has no such message."""
    package = import_module(__name__.rsplit(".", 3)[0])
    return getattr(package, name, None) if name else None


def _has_version(message_class: type[Message]) -> bool:
    """Whether the version at the start of a value is a field of the message."""
    return "version" in message_class.__defaults__
