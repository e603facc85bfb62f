"""Control records, which brokers write into partitions, such as end-of-transaction markers.

Upstream: ``ControlRecordType``.
"""

from __future__ import annotations

from importlib import import_module
from struct import Struct, error

from ..base import Message
from ..errors import CodecFailure, DecodeError, EncodeError
from ..structs import Value, dataclass
from .values import NO_TIMESTAMP, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_KEY = Struct(">hh")
_INT16 = Struct(">h")
_ABORT = 0
CONTROL_RECORD_TYPES = {
    _ABORT: ("ABORT", "EndTxnMarker"),
    1: ("COMMIT", "EndTxnMarker"),
    2: ("LEADER_CHANGE", "LeaderChangeMessage"),
    3: ("SNAPSHOT_HEADER", "SnapshotHeaderRecord"),
    4: ("SNAPSHOT_FOOTER", "SnapshotFooterRecord"),
    5: ("KRAFT_VERSION", "KRaftVersionRecord"),
    6: ("KRAFT_VOTERS", "VotersRecord"),
}
"""Kafka's name of each control record type, and the message in its value, by number. No spec connects them."""


@dataclass
class ControlRecord(Value):
    """The contents of a control record.

    ``type`` is Kafka's name of the type, or ``UNKNOWN`` for a number without a name. ``message`` is the decoded value,
    in ``version``; it is ``None`` if the type is unknown, or if the output lacks the message.
    """

    type: str = "UNKNOWN"
    version: int = 0
    message: Message | None = None

    @classmethod
    def of(cls, record: Record) -> ControlRecord:
        """Read a record of a control batch. Raises ``DecodeError`` and ``UnsupportedVersionError``."""
        value = record.value or b""
        try:
            number = _number_of_type(record.key)
        except CodecFailure as problem:
            raise DecodeError("ControlRecord", 0, "key", str(problem), 0) from None
        try:
            (version,) = _INT16.unpack_from(value)
        except error:
            reason = "a control record has a value of at least 2 bytes"
            raise DecodeError("ControlRecord", 0, "value", reason, 0) from None
        name, message_name = CONTROL_RECORD_TYPES.get(number, ("UNKNOWN", ""))
        message_class = _message_class(message_name)
        if message_class is None:
            return cls(type=name, version=version)
        start = 0 if _has_version(message_class) else _INT16.size
        return cls(type=name, version=version, message=message_class.decode(value[start:], version=version))

    def to_record(self, *, offset: int = 0, timestamp: int = NO_TIMESTAMP) -> Record:
        """Return the record for a control batch. Raises ``EncodeError``."""
        numbers = {(name, message): number for number, (name, message) in CONTROL_RECORD_TYPES.items()}
        number = numbers.get((self.type, type(self.message).__name__))
        if number is None or self.message is None:
            expected = ", ".join(f"{name} with {message}" for name, message in numbers)
            raise EncodeError("ControlRecord", self.version, "type", f"expected {expected}")
        version = getattr(self.message, "version", self.version)
        if version != self.version:
            reason = f"expected {self.version}, the version of the control record, got {version}"
            raise EncodeError("ControlRecord", self.version, "message.version", reason)
        value = self.message.encode(version=self.version)
        if not _has_version(type(self.message)):
            value = _INT16.pack(self.version) + value
        return Record(offset=offset, timestamp=timestamp, key=_KEY.pack(0, number), value=value)


def is_abort(key: bytes | None) -> bool:
    """Whether the record with this key aborts a transaction. Raises ``CodecFailure`` if the key is invalid."""
    return _number_of_type(key) == _ABORT


def _number_of_type(key: bytes | None) -> int:
    """Return the number in the key of a control record. Raises ``CodecFailure`` if the key is invalid."""
    try:
        version, number = _KEY.unpack_from(key or b"")
    except error:
        raise CodecFailure("a control record has a key of at least 4 bytes") from None
    if version < 0:
        raise CodecFailure(f"there is no version {version} of the keys of control records")
    found: int = number
    return found


def _message_class(name: str) -> Any:
    """Return a message class of the same output; ``None`` if the output lacks it."""
    package = import_module(__name__.rsplit(".", 3)[0])
    return getattr(package, name, None) if name else None


def _has_version(message_class: type[Message]) -> bool:
    """Whether the version at the start of a record's value is a field of the message."""
    return "version" in message_class.__defaults__
