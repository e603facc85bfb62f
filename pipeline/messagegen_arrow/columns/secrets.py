"""Hides secrets, which no output may show: the sensitive fields of a plan, and bytes that may contain them.

The plan of each message lists its sensitive fields. A field that is always sensitive gets no column, because a value
that is not decoded cannot leak. Whether the value of a config is hidden depends on its name, or on a flag in the same
struct.
"""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.arrays import like_list, with_fields
from messagegen_arrow.catalog import MessageTable
from messagegen_arrow.columns.model import UNKNOWN_TAGGED_FIELDS, Column, MessageColumns
from messagegen_arrow.plans import Plan, read_plan
from messagegen_kafka._runtime.secrets import REDACTED, SECRET_CONFIGS

REDACTED_BYTES: Final = REDACTED.encode()
"""The replacement for bytes that may contain a secret."""


def may_hold_secrets(table: MessageTable | None) -> bool:
    """Whether the bytes of a malformed message must be hidden. The bytes of an unknown message always are."""
    return table is None or _has_secrets(table.parsed_plan)


def _has_secrets(plan: Plan) -> bool:
    return any(struct.sensitive for struct in plan.structs.values())


def redacted_bytes(values: pa.BinaryArray) -> pa.BinaryArray:
    """Return ``<redacted>`` in place of each value; null stays null."""
    return pc.if_else(values.is_valid(), pa.scalar(REDACTED_BYTES, pa.binary()), values)


def without_secrets(table: MessageTable, wanted: MessageColumns) -> MessageColumns:
    """Return the columns without the fields that are always sensitive.

    Raises ``ValueError`` if no requested column is left.
    """
    shown, hidden = shown_and_hidden(table, wanted)
    if not hidden:
        return wanted
    if wanted.fields is not None and not shown:
        raise ValueError(f"{', '.join(wanted.fields)} of {table.name} is secret; include_secrets=True shows it")
    return replace(wanted, fields=shown)


def shown_and_hidden(table: MessageTable, wanted: MessageColumns) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the visible and the hidden paths of all columns except structs.

    Fields that are always sensitive are hidden.
    """
    plan = table.parsed_plan
    shown: list[str] = []
    hidden: list[str] = []
    for path, columns in _leaves(wanted.columns, ""):
        (hidden if _is_never_shown(plan, columns) else shown).append(path)
    return tuple(shown), tuple(hidden)


def _is_never_shown(plan: Plan, column: tuple[Column, ...]) -> bool:
    """Whether a column is in a field that is always sensitive, or contains unknown tagged fields beside a secret."""
    *_, last = column
    if last.attribute == UNKNOWN_TAGGED_FIELDS and plan.structs[last.struct].sensitive:
        return True
    return any(plan.structs[each.struct].sensitive.get(each.attribute) == () for each in column)


def _leaves(
    columns: Iterable[Column], outer: str, above: tuple[Column, ...] = ()
) -> Iterator[tuple[str, tuple[Column, ...]]]:
    for column in columns:
        path = f"{outer}{column.attribute}"
        if column.fields:
            yield from _leaves(column.fields, f"{path}.", (*above, column))
        else:
            yield path, (*above, column)


def redact(wanted: MessageColumns, decoded: pa.StructArray) -> pa.StructArray:
    """Return the messages, with ``<redacted>`` in place of secret config values.

    Raises ``ValueError`` if config values have a column, but the field that decides which of them are secret has none.
    """
    plan = read_plan(wanted.plan)
    if not _has_secrets(plan):
        return decoded
    return _Redaction(plan).struct(wanted.columns, decoded, "")


@dataclass(frozen=True, slots=True)
class _Redaction:
    plan: Plan

    def struct(self, columns: Iterable[Column], array: pa.StructArray, outer: str) -> pa.StructArray:
        """Redact a struct array whose fields are these columns. ``outer`` is its path, which ends with a dot."""
        known = {column.attribute: column for column in columns}
        values = dict(zip(array.type.names, array.flatten(), strict=True))
        changed: list[tuple[str, pa.Array]] = []
        for attribute, column in known.items():
            path = f"{outer}{column.name}"
            deciders = self.plan.structs[column.struct].sensitive.get(attribute)
            if deciders:
                missing = [self.plan.structs[column.struct].fields[name].key for name in deciders if name not in known]
                if missing:
                    advice = ", ".join(f"{outer}{name}" for name in missing)
                    raise ValueError(
                        f"{path} of {self.plan.name} may be secret, depending on other fields; add {advice} to fields"
                    )
                beside = [values[known[name].name] for name in deciders]
                changed.append((column.name, _hidden(values[column.name], beside)))
            elif column.fields:
                changed.append((column.name, self.nested(column, values[column.name], path)))
        return with_fields(array, changed) if changed else array

    def nested(self, column: Column, value: pa.Array, path: str) -> pa.Array:
        """Redact a struct or an array of structs that is within another struct."""
        if not column.is_array:
            return self.struct(column.fields, value, f"{path}.")
        elements = self.struct(column.fields, value.flatten(), f"{path}.")
        return like_list(elements, value, nullable=value.type.value_field.nullable)


def _hidden(values: pa.StringArray, deciders: list[pa.Array]) -> pa.StringArray:
    """Return config values, with ``<redacted>`` in place of values that are secret by their name or by a flag."""
    name, *flags = deciders
    secret = pc.fill_null(pc.match_substring_regex(name, SECRET_CONFIGS), fill_value=True)
    for flag in flags:
        secret = pc.or_(secret, pc.fill_null(flag, fill_value=True))
    return pc.if_else(pc.and_(secret, values.is_valid()), REDACTED, values)
