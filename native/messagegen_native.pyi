# ruff: noqa: PYI021 - the documentation of compiled code has no other place
"""The native engine for the plans of messagegen's messages; see the README of the sources."""

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, Protocol, TypeAlias, final

from typing_extensions import Buffer

PLAN_FORMAT: Final[int]
"""The format of plan text that this engine runs."""

ENGINE_FORMAT: Final[int]
"""2: ``Engine.decode`` takes limits, and its failures have positions. 3: there is
``Engine.decode_lazily``. 4: bytes are copied, so there is no other source of them.
5: ``Engine`` is made with the limits of its output."""

PRIMITIVES: Final[Sequence[tuple[str, int]]]
"""The types of constant size, with their number of bytes."""

DEFAULT_LIMITS: Final[tuple[int, int, int, int]]
"""The default limits of ``ColumnDecoder``, which are the runtime's."""

PAID_PER_BYTE: Final[int]
"""The bytes of memory that each byte of a message pays for; the same number as in the runtime."""

class Failure(ValueError):  # noqa: N818 - the errors that users see are made of it
    """Something can't be read or written.

    Of bytes that can't be read its arguments are the reason, the field path and the offset; of a message that can't be
    written it has a short reason only, and the slow walk over the same plan finds the field.
    """

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@final
class RecordCodec:
    """Records of batches as objects, from and to bytes; both methods raise ``ValueError`` for invalid records."""

    def __new__(cls, record: type[Any], header: type[Any]) -> RecordCodec:
        """Take the classes of records and of their headers, whose instances hold one slot a field."""

    def decode(
        self,
        data: bytes,
        count: int,
        base_offset: int,
        base_timestamp: int,
        append_time: int | None,
        max_headers: int,
    ) -> tuple[Any, ...]:
        """Read ``count`` records that must fill ``data``; ``append_time`` is the time of all records if it is given."""

    def encode(self, records: tuple[Any, ...], base_offset: int, base_timestamp: int) -> bytes:
        """Return the bytes of records whose parts are of the plain types; also raises ``TypeError``."""

def crc32c(data: Buffer) -> int:
    """Return the CRC-32C of bytes."""

def compress(codec: str, data: bytes) -> bytes:
    """Compress records (``snappy``, ``lz4``, ``zstd``) as Kafka's Java client does."""

def decompress(codec: str, data: bytes, most: int) -> bytes | None:
    """Decompress records; ``None`` if they take more than ``most`` bytes. Raises ``ValueError`` for damaged bytes."""

@final
class Engine:
    """One message's plan, bound to its classes."""

    def __new__(
        cls,
        plan_text: str,
        classes: tuple[type[Any], ...],
        make_class: Callable[[type[Any], dict[str, Any]], type[Any]] | None,
        limits: tuple[int, int, int, int],
    ) -> Engine:
        """Find the classes of the plan's structs by their names.

        ``limits`` are the output's: the elements of an array, the tagged fields of a tag section, and the factor
        and the constant of the memory that a message may take.

        ``make_class`` makes a subclass that adds nothing to instances, with the given descriptors; without it,
        ``decode_lazily`` decodes at once.

        Raises ``ValueError`` for a plan of another form, and for classes whose instances hold anything but one slot a
        field.
        """

    def decode(
        self,
        version: int,
        buffer: bytes,
        offset: int,
        limits: tuple[int, int, int, int] | None = None,
    ) -> tuple[Any, int]:
        """Read a message that starts at ``offset``; return it and the offset of the byte after it.

        ``limits`` default to the output's.
        Raises ``Failure``, and ``KeyError`` for a version that the message does not have.
        """

    def decode_lazily(
        self,
        version: int,
        buffer: bytes,
        offset: int,
        limits: tuple[int, int, int, int] | None = None,
    ) -> tuple[Any, int]:
        """Decode like ``decode``, but make the values of the message when an attribute is first read.

        All bytes are checked before. The message keeps ``buffer`` alive until everything in it was read.
        """

    def encode(self, version: int, message: object) -> bytes:
        """Return the bytes of a message. Raises ``Failure``, and ``KeyError`` for an unknown version.

        Exceptions that Python code raises while values are looked at pass through, unless they refuse a value
        (``ValueError``, ``TypeError``, ``AttributeError``, ``OverflowError``).
        """

@final
class ColumnBatch:
    """A struct array for any Arrow library: ``pyarrow.array(batch)``, ``pyarrow.record_batch(batch)``."""

    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Return the capsules of the Arrow PyCapsule interface; ``requested_schema`` is ignored, as it allows."""

@final
class ColumnDecoder:
    """A decoder of one message's batches into columns. It is compiled once, and several threads may use it at a time.

    There is a column for each field that one of ``versions`` has (default: all versions), in the order of the struct's
    fields, and ``_error`` at the end. ``fields`` are the paths of the selected fields, in attributes, as
    ``topics.partitions.leader_id``, each with everything within it (default: all); other fields are skipped, but
    checked. Columns do not depend on rows.

    ``names`` are the names of columns: attributes (``throttle_time_ms``) or those of Kafka's JSON (``throttleTimeMs``).
    uint16 becomes ``int32``, uint32 ``int64``, bytes and records ``binary``, arrays ``list``, structs ``struct``, and
    uuid what ``uuid_as`` says, as a ``string`` in Kafka's text form (base64url without padding). With
    ``unknown_tagged_fields`` each struct that has a tag section in one of the versions ends with a column of that name
    (``_unknownTaggedFields`` among Kafka's names), a ``map`` of ``int32`` to ``binary``; it is a path for ``fields``,
    too. A tag of more than 31 bits, which Kafka does not have, makes a row an error then.

    Columns may be null, because a row that can't be decoded has no values. Within structs and arrays a column may be
    null if one of the versions allows null or does not have the field.

    ``limits`` are those of one message, as of ``Engine`` (``None``: ``DEFAULT_LIMITS``). A row that exceeds one of them
    is an error. The same messages are accepted as by ``Engine``, whatever fields are selected.

    Raises ``KeyError`` for a version that the message does not have, and ``ValueError`` for a plan of another form, an
    unknown field, an empty list of versions, and another value of an option.
    """

    def __new__(
        cls,
        plan_text: str,
        versions: Sequence[int] | None = None,
        fields: Sequence[str] | None = None,
        *,
        names: Literal["attribute", "kafka"] = "attribute",
        unknown_tagged_fields: bool = False,
        uuid_as: Literal["binary", "string"] = "binary",
        limits: tuple[int, int, int, int] | None = None,
    ) -> ColumnDecoder: ...
    def decode(self, values: _ArrowArray, version: int | _ArrowArray, skip: int = 0) -> ColumnBatch:
        """Decode each value of an Arrow array of ``binary``, ``large_binary`` or ``binary_view`` as one message.

        The message begins behind the first ``skip`` bytes of a value, and offsets count from there.

        ``version`` is the version of all messages, or an Arrow array of integers with one for each value. A field that
        the version of a row does not have is null there, at any depth.

        ``_error`` is a struct of ``message``, ``path`` and ``offset`` (bytes from the start of the value), null for
        rows that were decoded. A row that is not exactly one message has only its ``_error``, and so has a row whose
        version is null or not one of the versions of the columns. A null value has nothing, whatever its version. The
        interpreter's lock is released.

        Raises ``KeyError`` for a number that is not a version of the message, ``ValueError`` for one that is not among
        the versions of the columns, for arrays of unequal lengths, and for a batch with a column of more than
        2 GiB, and ``TypeError`` for other arrays.
        """

    def ends(self, values: _ArrowArray, version: int) -> ColumnBatch:
        """Return the ends of messages that may have other bytes behind them: a column ``end``.

        It is null for a value that does not begin with a message. Raises as ``decode`` does.
        """

@final
class ColumnEncoder:
    """An encoder of rows of Arrow arrays as messages. Raises ``ValueError`` for a plan of another form."""

    def __new__(cls, plan_text: str) -> ColumnEncoder: ...
    def encode(self, values: _ArrowArray, version: int | _ArrowArray) -> ColumnBatch:
        """Encode each row of an Arrow struct array, or of a record batch, as one message.

        ``version`` is as for ``ColumnDecoder.decode``. The result has two columns: ``value``, ``binary``, and
        ``_error``, a struct of ``message`` and ``path``, both as ``EncodeError`` has them. One of the two is null in
        each row, or both if the row itself is null. Rows of ``ColumnDecoder`` are encoded to the same bytes.

        Columns are found by the attributes of fields or Kafka's names, in any order and at any depth. A field without a
        column takes its default. Null is written if the version allows null, and is an error otherwise; for a field
        that the version does not have it means the default, as in the columns of several versions. Any other value
        than its default in such a field is an error, unless the field is ignorable. Columns that no field has are
        refused, except columns whose name begins with an underscore; a row whose ``_error`` is not null is an error
        again.

        Integers may have any Arrow type as long as the value fits, ``float64`` fields ``float`` or ``double``, strings
        ``string``, ``large_string`` or ``string_view``, bytes and records ``binary``, ``large_binary``, ``binary_view``
        or ``fixed_size_binary``, uuids the same with 16 bytes, or a string in Kafka's text form (base64url without
        padding); arrays ``list``, ``large_list`` or ``fixed_size_list``, ``unknown_tagged_fields`` a ``map`` of
        integers to bytes. A column of Arrow's type ``null`` fits every field. The interpreter's lock is released.

        Raises ``KeyError`` for a number that is not a version of the message, ``TypeError`` for a column of a type that
        its field can't take, ``ValueError`` for a column that no field has, arrays of unequal lengths and a batch of
        more than 2 GiB.
        """

def record_groups(
    framing: Literal["coordinator", "control", "metadata", "remote-log-metadata"],
    keys: _ArrowArray,
    values: _ArrowArray,
) -> tuple[list[tuple[int, int, int, int, int]], ColumnBatch]:
    """Group records of internal topics by the first bytes of their keys and values.

    A group has the number of a problem (0: none), the int16 that keys begin with (-1 if it is unknown), the number of
    the type, the version of values (65536: they are null), and the number of bytes in front of the message in values;
    with a problem, all other numbers are 0. The batch has one column, ``group`` int32: the group of each row. Problems
    are 1: no key, 2: the key is too short, 3: no value, 4: the value is too short, 5: a varint that is damaged, 6:
    another version of frames.

    Raises ``TypeError`` for arrays that are not of bytes, and ``ValueError`` for arrays of unequal lengths.
    """

_Tasks: TypeAlias = list[tuple[str, int]]
"""The text and the number of bytes of each task."""

class _LogStorage(Protocol):
    """Files of object stores. Local files are read without it."""

    def expect(self, folders: list[str]) -> object: ...
    def list(self, folder: str) -> list[tuple[str, int, bool, int]]: ...
    def entry(self, path: str) -> tuple[str, int, bool, int] | None: ...
    def open(self, path: str) -> _LogFile: ...

class _LogFile(Protocol):
    def read_at(self, count: int, position: int) -> bytes: ...
    def size(self) -> int: ...
    def inode(self) -> int: ...

@final
class LogPlanner:
    """A plan of the segments, offsets, timestamps, transactions and damaged parts of log folders to read.

    Errors are ``ValueError(kind, text)``, with one of the kinds ``Path``, ``Option``, ``Malformed``, ``DataLoss``,
    ``Gap``, ``Checkpoint`` and ``Tiered``; errors of files are ``OSError``, or exceptions of the storage. The
    interpreter's lock is released.

    Options are a JSON object of texts. Filters are JSON too: ``bounds`` (first and last offset, first and last
    timestamp in milliseconds, all inclusive), ``topics`` and ``partitions`` (null: all).
    """

    def __new__(cls, options: str, storage: _LogStorage) -> LogPlanner: ...
    def plan(self, filters: str) -> _Tasks:
        """Return the tasks of a query, in the order of topic, partition and offset."""

    def logs(self) -> str:
        """Return the logs as JSON: folder, topic, partition and segments of each."""

    def initial(self) -> str:
        """Return the start of a stream: JSON of a place by folder."""

    def available_now(self) -> None:
        """Record the sizes of files, which limit ``latest``."""

    def latest(self, start: str, max_bytes: int | None, max_offsets: int | None, /) -> str:
        """Return the end of a micro-batch of at most ``max_bytes`` bytes or ``max_offsets`` offsets."""

    def between(self, start: str, end: str, filters: str) -> _Tasks:
        """Return the tasks of a micro-batch."""

    def warnings(self) -> list[str]:
        """Return the warnings since the last call."""

@final
class LogReader:
    """A reader of a task that was planned with the same options and filters; raises as ``LogPlanner`` does."""

    def __new__(
        cls,
        task: str,
        columns: Sequence[str],
        options: str,
        storage: _LogStorage,
        filters: str,
        *,
        batch_bytes: int = ...,
    ) -> LogReader: ...
    def read(self) -> ColumnBatch | None:
        """Return the next rows, of one file; ``None`` at the end."""

    def tally(self) -> list[int]:
        """Return the numbers of files, bytes, rows, damaged batches, and rows left out: control, aborted, by mode."""

    def warnings(self) -> list[str]:
        """Return the warnings since the last call."""

def log_options(options: str) -> tuple[tuple[int, int, int, int], str, list[str] | None, bool]:
    """Check options, and return the options that a host needs: bounds, mode, columns and headers."""
