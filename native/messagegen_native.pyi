# ruff: noqa: PYI021 - the documentation of compiled code has no other place
"""The native engine that runs the plans of messages; see the README of the sources."""

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, Protocol, TypeAlias, final

from typing_extensions import Buffer

PLAN_FORMAT: Final[int]
"""The format of plan text that this engine runs."""

ENGINE_FORMAT: Final[int]
"""The version of this interface. 2: ``Engine.decode`` takes limits, and its failures have positions.
3: ``Engine.decode_lazily`` exists. 4: all bytes are copied. 5: ``Engine`` takes the default limits of the
generated output."""

PRIMITIVES: Final[Sequence[tuple[str, int]]]
"""The fixed-size types, each with its number of bytes."""

DEFAULT_LIMITS: Final[tuple[int, int, int, int]]
"""The default limits of ``ColumnDecoder``, which are the same as in the runtime."""

PROFILE: Final[str]
"""The Cargo profile of this build, also in the ``repr`` of objects: ``dev`` is for tests, two to three times slower
than ``release``."""

PAID_PER_BYTE: Final[int]
"""The bytes of memory that each byte of a message pays for; the same number as in the runtime."""

class Failure(ValueError):  # noqa: N818 - the errors that users see are made of it
    """A value or message that can't be read or written.

    If bytes can't be read, the arguments are the reason, the field path and the offset. If a message can't be written,
    the only argument is a short reason; the reference codec then finds the field with the same plan.
    """

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@final
class RecordCodec:
    """Converts records of batches from and to bytes. Both methods raise ``ValueError`` for invalid records."""

    def __new__(cls, record: type[Any], header: type[Any]) -> RecordCodec:
        """Take the classes of records and of headers, whose instances have exactly one slot for each field."""

    def decode(
        self,
        data: bytes,
        count: int,
        base_offset: int,
        base_timestamp: int,
        append_time: int | None,
        max_headers: int,
    ) -> tuple[Any, ...]:
        """Read ``count`` records that must fill ``data``; ``append_time``, if any, is the timestamp of all records."""

    def encode(self, records: tuple[Any, ...], base_offset: int, base_timestamp: int) -> bytes:
        """Return the bytes of records. Also raises ``TypeError``, if parts of a record have unusual types."""

def crc32c(data: Buffer) -> int:
    """Return the CRC-32C of bytes."""

def compress(codec: str, data: bytes) -> bytes:
    """Compress records (``snappy``, ``lz4``, ``zstd``) as Kafka's Java client does."""

def decompress(codec: str, data: bytes, most: int) -> bytes | None:
    """Decompress records; ``None`` if they have more than ``most`` bytes. Raises ``ValueError`` for damaged bytes."""

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
        """Bind a plan to the classes of its structs, which are found by name.

        ``limits`` are the default limits of the generated output: array elements, fields of a tag section, and the
        factor and the constant of a message's memory limit.

        ``make_class`` creates a subclass that has the given descriptors and adds nothing to instances. Without it,
        ``decode_lazily`` decodes eagerly.

        Raises ``ValueError`` for a plan in a different format, and for classes whose instances have anything but
        exactly one slot for each field.
        """

    def decode(
        self,
        version: int,
        buffer: bytes,
        offset: int,
        limits: tuple[int, int, int, int] | None = None,
    ) -> tuple[Any, int]:
        """Read the message that begins at ``offset``; return it and the offset after it.

        ``limits`` default to the limits of the generated output.
        Raises ``Failure``, and ``KeyError`` for an unknown version.
        """

    def decode_lazily(
        self,
        version: int,
        buffer: bytes,
        offset: int,
        limits: tuple[int, int, int, int] | None = None,
    ) -> tuple[Any, int]:
        """Decode as ``decode`` does, but create the values of the message when attributes are first read.

        All bytes are checked in advance. The message keeps ``buffer`` alive until all its values have been created.
        """

    def encode(self, version: int, message: object) -> bytes:
        """Return the bytes of a message. Raises ``Failure``, and ``KeyError`` for an unknown version.

        Python code that is called to convert a value may raise any exception. ``ValueError``, ``TypeError``,
        ``AttributeError`` and ``OverflowError`` become ``Failure``; other exceptions are raised unchanged.
        """

@final
class ColumnBatch:
    """A struct array for any Arrow library: ``pyarrow.array(batch)``, ``pyarrow.record_batch(batch)``."""

    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Return the capsules of Arrow's PyCapsule interface, which allows ignoring ``requested_schema``."""

@final
class ColumnDecoder:
    """A decoder from batches of one message to columns. It is compiled once, and may be used by several threads.

    Each field that one of ``versions`` has (default: all versions) becomes a column, in the order of the struct's
    fields. The last column is ``_error``. ``fields`` are the paths of the selected fields (default: all), with
    attributes, such as ``topics.partitions.leader_id``. A path selects a field with everything in it. Other fields are
    skipped, but checked. The columns do not depend on the rows.

    ``names`` selects the names of columns: attributes (``throttle_time_ms``) or the names in Kafka's JSON
    (``throttleTimeMs``). uint16 becomes ``int32``, uint32 ``int64``, bytes and records ``binary``, arrays ``list``, and
    structs ``struct``. uuid becomes the type in ``uuid_as``; a ``string`` has Kafka's text form (base64url without
    padding).

    If ``unknown_tagged_fields`` is set, each struct with a tag section in one of the versions ends with a column
    ``unknown_tagged_fields`` (``_unknownTaggedFields`` among Kafka's names). It is a ``map`` of ``int32`` to
    ``binary``, and may be selected by ``fields``. A row is then an error if a tag has more than 31 bits, which no tag
    in Kafka has.

    Top-level columns are nullable, because a row that can't be decoded has no values. Columns within structs and arrays
    are nullable if one of the versions allows null or lacks the field.

    ``limits`` apply to each message, as in ``Engine`` (``None``: ``DEFAULT_LIMITS``). A row that exceeds a limit is an
    error. The decoder accepts the same messages as ``Engine``, whichever fields are selected.

    Raises ``KeyError`` for an unknown version. Raises ``ValueError`` for a plan in a different format, an unknown
    field, an empty list of versions, and an invalid value of an option.
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

        The first ``skip`` bytes of each value are ignored.

        ``version`` is the version of all messages, or an Arrow array of integers with a version for each value. A field
        that the version of a row lacks is null in that row, at any depth.

        ``_error`` is a struct of ``message``, ``path`` and ``offset`` (in bytes, after the first ``skip`` bytes). It is
        null for rows that were decoded. A row has only its ``_error`` if its value is not exactly one message. The same
        applies if its version is null or not among the versions of the columns. If the value is null, all columns are
        null, whatever the version. The interpreter's lock is released.

        Raises ``KeyError`` for an unknown version of the message, and ``ValueError`` for a version that is not among
        the versions of the columns. Raises ``ValueError`` for arrays of unequal lengths and for a column of more than
        2 GiB, and ``TypeError`` for arrays of other types.
        """

    def ends(self, values: _ArrowArray, version: int) -> ColumnBatch:
        """Return a column ``end`` with the end of the message at the start of each value.

        The message may be followed by other bytes. ``end`` is null for a value that does not begin with a message.
        Raises the same exceptions as ``decode``.
        """

@final
class ColumnEncoder:
    """An encoder from rows of Arrow arrays to messages. Raises ``ValueError`` for a plan in a different format."""

    def __new__(cls, plan_text: str) -> ColumnEncoder: ...
    def encode(self, values: _ArrowArray, version: int | _ArrowArray) -> ColumnBatch:
        """Encode each row of an Arrow struct array, or of a record batch, as one message.

        ``version`` has the same meaning as for ``ColumnDecoder.decode``. The result has two columns: ``value``, which
        is ``binary``, and ``_error``, a struct of ``message`` and ``path``, as in ``EncodeError``. Each row has one of
        the two, and the other is null; both are null if the row itself is null. Rows from ``ColumnDecoder`` are encoded
        to the same bytes.

        Columns are matched to fields by attribute or by Kafka's name, in any order and at any depth. A field without a
        column takes its default. Null is written if the version allows null; otherwise it is an error. If the version
        lacks a field, null stands for the field's default, as in columns of several versions. Any value other than the
        default is then an error, unless the field is ignorable. A column that matches no field is refused, unless its
        name begins with an underscore. A row whose ``_error`` is not null is an error again.

        Fields accept these Arrow types:

        - integers: any integer type, if the value fits
        - ``float64``: ``float`` and ``double``
        - strings: ``string``, ``large_string`` and ``string_view``
        - bytes and records: ``binary``, ``large_binary``, ``binary_view`` and ``fixed_size_binary``
        - uuids: the types of bytes, with 16 bytes, or strings in Kafka's text form (base64url without padding)
        - arrays: ``list``, ``large_list`` and ``fixed_size_list``
        - ``unknown_tagged_fields``: a ``map`` of integers to bytes

        A column of Arrow's type ``null`` fits every field. The interpreter's lock is released.

        Raises ``KeyError`` for an unknown version, and ``TypeError`` for a column whose type does not fit its field.
        Raises ``ValueError`` for a column that matches no field, for arrays of unequal lengths, and for a batch of more
        than 2 GiB.
        """

def record_groups(
    framing: Literal["coordinator", "control", "metadata", "remote-log-metadata"],
    keys: _ArrowArray,
    values: _ArrowArray,
) -> tuple[list[tuple[int, int, int, int, int]], ColumnBatch]:
    """Group records of internal topics by the first bytes of their keys and values.

    Five numbers describe a group: its problem (0: none), the int16 at the start of its keys (-1 if unknown), the number
    of its type, the version of its values (65536: null), and the size of the prefix before the message in values. If a
    group has a problem, its other numbers are 0. The batch has one column, ``group``, an ``int32`` with the group of
    each row.

    The problems are 1: no key; 2: the key is too short; 3: no value; 4: the value is too short; 5: an invalid varint;
    6: a different version of frames.

    Raises ``TypeError`` for arrays that do not contain bytes, and ``ValueError`` for arrays of unequal lengths.
    """

_Tasks: TypeAlias = list[tuple[str, int]]
"""The text of each task, and its number of bytes."""

class _LogStorage(Protocol):
    """Access to files in object stores. Local files are read without it."""

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
    """Plans what to read from log folders: segments, offsets, timestamps, transactions and damaged parts.

    Errors are ``ValueError(kind, text)``, with one of the kinds ``Path``, ``Option``, ``Malformed``, ``DataLoss``,
    ``Gap``, ``Checkpoint`` and ``Tiered``. File errors are ``OSError``, or exceptions that the storage raises. The
    interpreter's lock is released.

    Options are a JSON object of strings. Filters are JSON, too: ``bounds`` (first and last offset, first and last
    timestamp in milliseconds, all inclusive), ``topics`` and ``partitions`` (null: all).
    """

    def __new__(cls, options: str, storage: _LogStorage) -> LogPlanner: ...
    def plan(self, filters: str) -> _Tasks:
        """Return the tasks of a query, in the order of topic, partition and offset."""

    def logs(self) -> str:
        """Return the logs as JSON: the folder, topic, partition and segments of each log."""

    def initial(self) -> str:
        """Return where a stream begins: JSON with a position for each folder."""

    def available_now(self) -> None:
        """Record the current sizes of files, which then limit ``latest``."""

    def latest(self, start: str, max_bytes: int | None, max_offsets: int | None, /) -> tuple[str, str]:
        """Return where a micro-batch ends, and where the logs end now.

        It reads at most ``max_bytes`` bytes or ``max_offsets`` offsets, or one batch if that is larger.
        """

    def between(self, start: str, end: str, filters: str) -> _Tasks:
        """Return the tasks of a micro-batch."""

    def warnings(self) -> list[str]:
        """Return the warnings since the last call."""

@final
class LogReader:
    """Reads a task that was planned with the same options and filters. Raises the same errors as ``LogPlanner``."""

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
        """Return the next rows, all of them from one file; ``None`` at the end."""

    def tally(self) -> list[int]:
        """Return the numbers of files, bytes, rows, damaged batches, and rows left out: control, aborted, by mode."""

    def warnings(self) -> list[str]:
        """Return the warnings since the last call."""

def log_options(options: str) -> tuple[tuple[int, int, int, int], str, list[str] | None, bool]:
    """Check options, and return what a host needs of them: bounds, mode, columns and headers."""
