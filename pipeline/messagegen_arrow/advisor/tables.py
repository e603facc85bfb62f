"""The figures of advice as tables of text, for terminals and pages."""

from __future__ import annotations

from messagegen_arrow.advisor.advice import Advice, FieldAdvice, VersionRow
from messagegen_arrow.advisor.encodings import ENCODINGS
from messagegen_arrow.advisor.trial import Trial
from messagegen_arrow.text_tables import Row, Table, number


def families_table(advice: Advice) -> Table:
    """Sizes and costs of messages with all integers in one encoding. There must be messages."""
    rows = []
    for one in advice.families:
        size = "-" if one.bytes is None else number(one.bytes / advice.messages, 1)
        values = (one.integer_bytes, one.cost.encode, one.cost.decode)
        rows.append(Row((one.name, size, *(number(value / advice.messages, 1) for value in values))))
    return Table(("integers",), ("bytes a message", "of integers", "encode, ns", "decode, ns"), tuple(rows))


def trial_table(trial: Trial) -> Table:
    """The measurements of each variant of the spec, per message."""
    rows = (
        Row((one.name, number(one.bytes, 1), number(one.encode_microseconds, 2), number(one.decode_microseconds, 2)))
        for one in trial.rows
    )
    return Table(("integers",), ("bytes a message", "serialise, µs", "deserialise, µs"), tuple(rows))


def changes_table(advice: Advice) -> Table:
    """The fields with another recommended encoding."""
    rows = (
        Row((one.name, one.current, one.recommended, _confidence(one), _saving(one), number(one.count), *_ends(one)))
        for one in advice.changes
    )
    return Table(("field", "now", "advised", "confidence"), ("saves a message", "values", "min", "max"), tuple(rows))


def fields_table(advice: Advice) -> Table:
    """All integer fields, with reasons against a change."""
    texts = ("field", "type", "now", "advised", "confidence", "doubts and remarks")
    numbers = ("saves a message", "values", "min", "max", "negative", "-1", "bytes now", "packed", "upacked")
    return Table(texts, numbers, tuple(map(_field_row, advice.fields)))


def _field_row(one: FieldAdvice) -> Row:
    remarks = (*(one.confidence.doubts if one.confidence else ()), *one.remarks)
    width = one.type[3:]
    cells = (
        *(one.name, _type(one), one.current, one.recommended if one.changes else "as it is", _confidence(one)),
        *("; ".join(remarks), _saving(one) if one.changes else "", number(one.count), *_ends(one)),
        *(share(one.negatives, one.count), share(one.minus_ones, one.count), number(one.bytes_now)),
        *(number(one.bytes_in.get(f"{form}{width}")) for form in ("packed", "upacked")),
    )
    return Row(cells, one.changes)


def versions_table(advice: Advice) -> Table:
    """Each field in each version that has values of it."""
    encodings = tuple(name for name in ENCODINGS if any(name in row.bytes_in for row in advice.rows))
    texts = ("version", "field", "type", "encoding")
    numbers = ("values", "in messages", "min", "max", "negative", "bytes now", *encodings)
    return Table(texts, numbers, tuple(_version_row(one, encodings) for one in advice.rows if one.count))


def _version_row(one: VersionRow, encodings: tuple[str, ...]) -> Row:
    cells = (
        *(str(one.version), one.path, _type(one), one.encoding, number(one.count), number(one.messages), *_ends(one)),
        *(share(one.negatives, one.count), number(one.bytes_now)),
        *(number(one.bytes_in.get(name)) for name in encodings),
    )
    return Row(cells)


def _type(one: FieldAdvice | VersionRow) -> str:
    return f"[]{one.type}" if one.is_array else one.type


def _ends(one: FieldAdvice | VersionRow) -> tuple[str, str]:
    return number(one.minimum), number(one.maximum)


def _confidence(one: FieldAdvice) -> str:
    return one.confidence.level if one.confidence else ""


def _saving(one: FieldAdvice) -> str:
    error = "" if one.saving_error is None else f" ± {number(one.saving_error, 2)}"
    return f"{number(one.saving_per_message, 2)}{error}"


def share(part: int, whole: int) -> str:
    """A share in per cent; an empty text for 0."""
    return f"{100 * part / whole:.1f} %" if part else ""
