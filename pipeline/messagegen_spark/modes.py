"""What becomes of rows that cannot be read, in the words of Spark's own sources."""

from __future__ import annotations

from typing import Final, Literal, get_args

import pyarrow as pa

Mode = Literal["PERMISSIVE", "FAILFAST", "DROPMALFORMED"]
"""PERMISSIVE keeps such a row, with ``_error`` and ``_raw`` in place of the message; FAILFAST ends the query with the first
one; DROPMALFORMED leaves it out."""

MODES: Final[tuple[Mode, ...]] = get_args(Mode)


class MalformedMessageError(ValueError):
    """A row that cannot be read or written, under FAILFAST: message and version, field path, byte offset, row of its batch."""


def check_mode(mode: str, allowed: tuple[Mode, ...] = MODES) -> Mode:
    """The mode as it is written here; case does not count. Raises ``ValueError``, which says what there is."""
    for known in allowed:
        if mode.upper() == known:
            return known
    advice = "; decode_messages has it, for a function of a column can't drop rows" if mode.upper() in MODES else ""
    raise ValueError(f"mode is {' or '.join(allowed)}, not {mode!r}{advice}")


def fail_on_first(errors: pa.StructArray, message: str, version: int | pa.Array) -> None:
    """Raises ``MalformedMessageError`` for the first row that has an error."""
    if errors.null_count == len(errors):
        return
    row = errors.is_valid().index(pa.scalar(value=True)).as_py()
    error = errors[row].as_py()
    found = version if isinstance(version, int) else version[row].as_py()
    byte = f", byte {error['offset']}" if "offset" in error else ""
    raise MalformedMessageError(
        f"{error['path'] or message}: {error['message']} ({message} version {found}{byte}, row {row} of its batch); "
        "mode PERMISSIVE keeps such rows and says in _error what is wrong"
    )
