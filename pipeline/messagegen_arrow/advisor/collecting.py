"""Collects statistics of messages in one pass, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa
from pyarrow import compute

from messagegen_arrow.advisor.advice import Advice
from messagegen_arrow.advisor.costs import CostTable, Engine
from messagegen_arrow.advisor.fields import integer_fields, wanted_paths
from messagegen_arrow.advisor.measuring import measure_columns
from messagegen_arrow.advisor.recommending import NANOSECONDS_PER_BYTE, recommend
from messagegen_arrow.advisor.statistics import Statistics, Versions, VersionStatistics, merge_versions
from messagegen_arrow.catalog import Catalog, MessageTable, message_table
from messagegen_arrow.columns.decoding import decode_columns
from messagegen_arrow.columns.model import MessageColumns
from messagegen_arrow.malformed import ERROR_NAME
from messagegen_arrow.plans import read_plan, root_layouts
from messagegen_arrow.streams.stream import as_binary, require_columns, stream_of

pc: Any = compute
"""Typed as ``Any``, because Arrow creates most of its functions at import and type checkers do not find them."""

SEED: Final = 625
"""The seed of samples, so that the same rows are chosen each time."""


def advise(  # noqa: PLR0913 - keyword arguments of a public function
    rows: Any,
    message: str | MessageTable,
    version: int | str = "version",
    *,
    column: str = "value",
    catalog: Catalog | None = None,
    sample: float = 1.0,
    engine: Engine = "native",
    nanoseconds_per_byte: float = NANOSECONDS_PER_BYTE,
    costs: CostTable | None = None,
) -> Advice:
    """The best encoding for each integer field of a message; see ``collect`` for the data, ``recommend`` for the rest."""
    found = collect(rows, message, version, column=column, catalog=catalog, sample=sample)
    return recommend(found, costs=costs, engine=engine, nanoseconds_per_byte=nanoseconds_per_byte)


def collect(
    rows: Any,
    message: str | MessageTable,
    version: int | str = "version",
    *,
    column: str = "value",
    catalog: Catalog | None = None,
    sample: float = 1.0,
) -> Statistics:
    """The statistics of a message's integers in a column, in one pass over rows: anything with Arrow columns.

    ``column`` holds messages without header or frame, as bytes, or as structs that ``decode_messages`` made.
    ``records_of`` takes them out of logs, ``bodies_of`` out of captures. ``version`` is the version of all, or the name of a column
    of integers. ``sample`` is the share of rows to read, chosen at random but the same in each run. Memory is limited to a batch
    and the sums.

    Rows that cannot be read are counted by version, as are those with a version that the message does not have. Null rows do not
    count. Raises ``LookupError`` for an unknown message or version, ``ValueError`` for a sample that is not above 0 and at most 1,
    and for a missing column.
    """
    table = asked_table(message, version, sample, catalog)
    stream = stream_of(rows)
    require_columns(stream, [column] if isinstance(version, int) else [column, version])
    choose = np.random.default_rng(SEED)

    def parts() -> Iterator[Versions]:
        for batch in stream:
            chosen = batch
            if sample < 1:
                chosen = batch.filter(pa.array(choose.random(batch.num_rows) < sample))
            values = chosen.column(column)
            numbers = (
                pa.repeat(pa.scalar(version, pa.int32()), len(values))
                if isinstance(version, int)
                else chosen.column(version).cast(pa.int32())
            )
            yield collect_arrow(values if pa.types.is_struct(values.type) else as_binary(values), numbers, table.plan)

    return Statistics(table.name, table.plan, sample, merge_versions(parts()))


def asked_table(message: str | MessageTable, version: object, sample: float, catalog: Catalog | None) -> MessageTable:
    """The message. Raises ``LookupError`` and ``ValueError`` like ``collect``."""
    if not 0 < sample <= 1:
        raise ValueError(f"sample must be above 0 and at most 1, not {sample}")
    table = message_table(message, catalog)
    if isinstance(version, int):
        root_layouts(read_plan(table.plan), [version])
    return table


def collect_arrow(values: pa.Array, versions: pa.Array, plan: str) -> Versions:
    """``collect`` for one Arrow batch: messages as ``binary`` or as structs, and the version of each."""
    found: dict[int | None, VersionStatistics] = {}
    for version in versions.unique().to_pylist():
        mask = versions.is_null() if version is None else pc.fill_null(pc.equal(versions, version), fill_value=False)
        rows = values if pc.all(mask).as_py() else values.filter(mask)
        if rows.null_count:
            rows = rows.drop_null()
        if len(rows):
            found[version] = _of_version(rows, version, plan)
    return found


def _of_version(rows: pa.Array, version: int | None, plan: str) -> VersionStatistics:
    known = read_plan(plan)
    if version is None or version not in known.roots:
        return VersionStatistics(
            bytes=0 if _is_bytes(rows) else None, malformed=len(rows), example=f"there is no version {version}"
        )
    reader = _Reader.of(plan, version)
    return reader.bytes(rows) if _is_bytes(rows) else reader.structs(rows, None)


def _is_bytes(rows: pa.Array) -> bool:
    return not pa.types.is_struct(rows.type)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the messages of one version."""

    plan: str
    version: int
    wanted: MessageColumns

    @classmethod
    def of(cls, plan: str, version: int) -> _Reader:
        # For a message without integers there are no paths, and an empty list means no fields, while ``None`` would mean all.
        paths = wanted_paths(plan, version)
        return cls(plan, version, MessageColumns(plan, (version,), tuple(sorted(paths)), names="snake"))

    def bytes(self, rows: pa.Array) -> VersionStatistics:
        decoded = decode_columns(self.wanted, rows, self.version)
        lengths = pc.binary_length(rows)
        errors = decoded.field(ERROR_NAME)
        read = lengths.filter(errors.is_null()) if errors.null_count < len(errors) else lengths
        return self.structs(decoded, pc.sum(read).as_py() or 0)

    def structs(self, rows: pa.StructArray, bytes_: int | None) -> VersionStatistics:
        plan = read_plan(self.plan)
        layout = plan.roots[self.version]
        fields = measure_columns(plan, layout, rows, integer_fields(self.plan, self.version))
        malformed, example = _malformed(rows)
        return VersionStatistics(len(rows) - malformed, bytes_, malformed, example, fields)


def _malformed(rows: pa.StructArray) -> tuple[int, str | None]:
    """The number of rows with an error, and the alphabetically first error."""
    if rows.type.get_field_index(ERROR_NAME) < 0:
        return 0, None
    errors = rows.field(ERROR_NAME)
    malformed = len(errors) - errors.null_count
    if not malformed:
        return 0, None
    message, path = (errors.drop_null().field(part) for part in ("message", "path"))
    texts = pc.binary_join_element_wise(path, message, ": ")
    return malformed, pc.min(texts).as_py().removeprefix(": ")
