# ruff: noqa: PYI021 - the documentation of compiled code has no other place
"""Runs the plans of messagegen's generated messages natively; see the README beside the sources."""

from collections.abc import Sequence
from typing import Any, Final, Protocol, final

PLAN_FORMAT: Final[int]
"""The form of plan text that this engine runs."""

class Failure(ValueError):  # noqa: N818 - the errors that users see are made of it
    """Something can't be read or written, with a short reason; the slow walk over the same plan says what and where."""

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@final
class Engine:
    """One message's plan, bound to its classes."""

    def __new__(cls, plan_text: str, classes: tuple[type[Any], ...]) -> Engine:
        """Finds the classes of the plan's structs by their names.

        Raises ``ValueError`` for a plan of another form, and for classes whose instances hold anything but one slot a field.
        """

    def decode(self, version: int, buffer: bytes, offset: int, source: bytes | memoryview) -> tuple[Any, int]:
        """Reads a message that starts at ``offset``; gives it and the offset of the byte after it.

        Where ``source`` is not ``buffer`` itself, zero-copy fields are slices of it. Raises ``Failure``, and ``KeyError``
        for a version that the message does not have.
        """

    def encode(self, version: int, message: object) -> bytes:
        """The bytes of a message. Raises ``Failure``, and ``KeyError`` for a version that the message does not have.

        Exceptions that Python code raises while values are looked at pass through, unless they refuse a value
        (``ValueError``, ``TypeError``, ``AttributeError``, ``OverflowError``).
        """

@final
class ColumnBatch:
    """A struct array for any Arrow library: ``pyarrow.array(batch)``, ``pyarrow.record_batch(batch)``."""

    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """The capsules of the Arrow PyCapsule interface; ``requested_schema`` is a wish that is left open."""

def decode_columns(
    plan_text: str, version: int, values: _ArrowArray, fields: Sequence[str] | None = None
) -> ColumnBatch:
    """Decodes each value of an Arrow array of ``binary`` or ``large_binary`` as one message.

    The result has a column for each field that the version has, named by its attribute, and ``_error``, a struct of
    ``message``, ``path`` and ``offset`` (bytes from the start of the value), which is null for rows that are right. A row
    that is not exactly one message has only its ``_error``; a null value has nothing. ``fields`` are the paths that are
    wanted, as ``topics.partitions.leader_id``, each with all that lies within it (default: all); the others are passed
    over, but checked.

    uint16 becomes int32, uint32 becomes int64, uuid ``fixed_size_binary(16)``, bytes and records ``binary``, arrays
    ``list``, structs ``struct``; a field within a struct may be null where the plan says so. Unknown tagged fields are
    dropped. The interpreter's lock is released.

    Raises ``KeyError`` for a version that the message does not have, ``ValueError`` for a plan of another form, a path
    that leads nowhere and a batch of which a column would have more than 2 GiB, and ``TypeError`` for other arrays.
    """
