"""The worker's part of ``conformance``: decodes and encodes messages, and compares the bytes."""

# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.arrays import Rows, behind, take_rows, without_errors
from messagegen_arrow.columns.decoding import decode_columns
from messagegen_arrow.columns.encoding import encode_columns
from messagegen_arrow.columns.model import MessageColumns
from messagegen_arrow.frames.columns import FrameBatch, UnreadFrames, split_frames
from messagegen_arrow.frames.parsing import FrameMessages
from messagegen_arrow.internal_topics.prefixes import TOMBSTONE, Problem, read_prefixes
from messagegen_arrow.internal_topics.record_types import RecordFamily, RecordType
from messagegen_arrow.plans import read_plan

COUNT_SCHEMA: Final = (
    "message string, version int, messages long, bytes long, different long, malformed long, reason string"
)
"""A row for each message and version of a task; rows with the same message and version are added."""

_COUNT_TYPES: Final = (pa.string(), pa.int32(), pa.int64(), pa.int64(), pa.int64(), pa.int64(), pa.string())
UNREADABLE: Final = "(not readable)"
UNKNOWN: Final = "(unknown)"


class Count(NamedTuple):
    """The number of messages of a version, and of those that differ."""

    message: str
    version: int | None
    messages: int
    bytes: int
    different: int
    """Messages that were encoded to other bytes, or not at all."""
    malformed: int
    """Messages that could not be decoded."""
    reason: str | None
    """Why the first of these is malformed or different."""

    def added(self, other: Count) -> Count:
        """Both, of the same message and version."""
        return Count(
            self.message,
            self.version,
            self.messages + other.messages,
            self.bytes + other.bytes,
            self.different + other.different,
            self.malformed + other.malformed,
            self.reason or other.reason,
        )


def total(counts: Iterable[Count]) -> list[Count]:
    """A count for each message and version, in their order."""
    found: dict[tuple[str, int | None], Count] = {}
    for each in counts:
        key = each.message, each.version
        found[key] = found[key].added(each) if key in found else each
    return [found[key] for key in sorted(found, key=lambda key: (key[0], -1 if key[1] is None else key[1]))]


def count_batch(counts: Sequence[Count]) -> pa.RecordBatch:
    """The counts as a batch of ``COUNT_SCHEMA``."""
    columns = zip(*counts, strict=True) if counts else [()] * len(_COUNT_TYPES)
    arrays = [pa.array(list(column), type_) for column, type_ in zip(columns, _COUNT_TYPES, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, list(Count._fields))


def reencoded(name: str, plan: str, version: int, values: pa.BinaryArray) -> Count:
    """Decodes and encodes messages of one version that are not null, with every unknown tagged field."""
    size = int(pc.sum(pc.binary_length(values)).as_py() or 0)
    if version not in read_plan(plan).valid_versions:
        return Count(name, version, len(values), size, 0, len(values), "unknown version")
    decoded, errors = without_errors(decode_columns(_all_columns(plan, version), values, version))
    again, encode_errors = encode_columns(plan, decoded, version)
    malformed = errors.is_valid()
    same = pc.fill_null(pc.equal(again, values), fill_value=False)
    different = pc.and_(pc.invert(malformed), pc.invert(same))
    reason = _reason(errors, malformed) or _reason(encode_errors, different)
    if reason is None and _count(different):
        reason = f"{_count(different)} encoded to other bytes"
    return Count(name, version, len(values), size, _count(different), _count(malformed), reason)


@lru_cache(maxsize=1024)
def _all_columns(plan: str, version: int) -> MessageColumns:
    return MessageColumns(plan, (version,), unknown_tagged_fields=True)


def _count(flags: pa.BooleanArray) -> int:
    return int(pc.sum(flags).as_py() or 0)


def _reason(errors: pa.StructArray, rows: pa.BooleanArray) -> str | None:
    first = pc.index(rows, pa.scalar(value=True)).as_py()
    error = errors[first].as_py() if first >= 0 else None
    return error and ": ".join(filter(None, (error["path"], error["message"])))


@dataclass(frozen=True)
class RecordCounter:
    """Counts the records of internal topics and control records; it pickles, with the plans of all messages."""

    families: tuple[RecordFamily, ...]

    def count(
        self, keys: pa.BinaryArray, values: pa.BinaryArray, topics: pa.StringArray, is_control: pa.BooleanArray
    ) -> list[Count]:
        """The counts of a batch. Topics that are not internal are skipped."""
        found: list[Count] = []
        control = pc.fill_null(is_control, fill_value=False)
        for family in self.families:
            of_family = control if family.is_control else pc.and_not(pc.equal(topics, family.name), control)
            rows: Rows = np.flatnonzero(pc.fill_null(of_family, fill_value=False).to_numpy(zero_copy_only=False))
            if len(rows):
                found += self._counts(family, take_rows(keys, rows), take_rows(values, rows))
        return found

    def _counts(self, family: RecordFamily, keys: pa.BinaryArray, values: pa.BinaryArray) -> Iterator[Count]:
        prefixes = read_prefixes(family.framing, keys, values)
        # If there is an error, the other columns are null.
        known = prefixes.problem == Problem.NONE
        found = [np.where(known, column, 0) for column in (prefixes.number, prefixes.version, prefixes.skip)]
        groups, group_of_row = np.unique(np.stack([prefixes.problem, *found]), axis=1, return_inverse=True)
        for group, (problem, number, version, skip) in enumerate(groups.T.tolist()):
            rows: Rows = np.flatnonzero(group_of_row.reshape(-1) == group)
            of_group = take_rows(keys, rows), take_rows(values, rows)
            record_type = family.types.get(number)
            if problem != Problem.NONE:
                yield _not_decoded(
                    f"{family.name} {UNKNOWN}", None, of_group[1], "the type of these records is unknown"
                )
            elif record_type is None:
                yield _not_decoded(f"{family.name} {UNKNOWN}", None, of_group[1], f"no spec of type {number}")
            else:
                yield from _of_type(record_type, version, skip, *of_group)


@dataclass(frozen=True)
class FrameCounter:
    """Counts headers and bodies of frames; it pickles, with the plans of all messages."""

    messages: FrameMessages

    def count(self, batch: FrameBatch) -> Iterator[Count]:
        """The counts of a batch; frames that can't be split are counted with the reason."""
        for parts in split_frames(self.messages, batch):
            if isinstance(parts, UnreadFrames):
                reason = parts.errors[0].as_py()["message"]
                yield _not_decoded(f"frames {UNKNOWN}", None, take_rows(batch.frames, parts.rows), reason)
                continue
            header = self.messages.headers[parts.direction]
            yield reencoded(header.name, header.plan, parts.header_version, parts.headers)
            yield reencoded(parts.table.name, parts.table.plan, parts.version, parts.bodies)


def _of_type(
    record_type: RecordType, version: int, skip: int, keys: pa.BinaryArray, values: pa.BinaryArray
) -> Iterator[Count]:
    if record_type.key is not None:
        yield reencoded(record_type.key.name, record_type.key.plan, 0, behind(keys, 2))
    if version == TOMBSTONE:
        return
    if record_type.value is None:
        yield _not_decoded(f"{record_type.name}Value", version, values, "no spec of it")
        return
    skipped = 0 if record_type.version_is_a_field else skip
    yield reencoded(record_type.value.name, record_type.value.plan, version, behind(values, skipped))


def _not_decoded(name: str, version: int | None, values: pa.BinaryArray, reason: str) -> Count:
    size = int(pc.sum(pc.binary_length(values)).as_py() or 0)
    return Count(name, version, len(values), size, 0, len(values), reason)
