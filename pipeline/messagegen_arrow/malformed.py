"""Malformed rows: the columns with their errors, and the modes, which are named as in Spark's sources."""

from __future__ import annotations

from typing import Final, Literal, get_args

import pyarrow as pa

ERROR_NAME: Final = "_error"
"""The error of a row: ``message``, the ``path`` of the field, and the ``offset`` in bytes from the value's start."""
RAW_NAME: Final = "_raw"
"""The bytes of a row that could not be read.

No field of a spec can begin with an underscore, so names never collide.
"""
VALUE_NAME: Final = "value"
"""The bytes of a row that was encoded."""

ERROR_ARROW_TYPE: Final = pa.struct([("message", pa.string()), ("path", pa.string()), ("offset", pa.int64())])
ENCODE_ERROR_ARROW_TYPE: Final = pa.struct(list(ERROR_ARROW_TYPE)[:2])
"""The error of a row that could not be encoded; it has no offset."""

Mode = Literal["PERMISSIVE", "FAILFAST", "DROPMALFORMED"]
"""The treatment of malformed rows.

PERMISSIVE keeps a malformed row, with ``_error`` and ``_raw`` in place of the message. FAILFAST ends the query at the
first malformed row. DROPMALFORMED drops such rows.
"""

MODES: Final[tuple[Mode, ...]] = get_args(Mode)

KEEP_THEM: Final = "mode PERMISSIVE keeps such rows, with the reason in _error"
"""Advice in the error that ends a query in mode FAILFAST."""

_WHY_NOT: Final = {"PERMISSIVE": "; rows of a history have no _error; use decode_internal_topics for mode PERMISSIVE"}
"""Explanations for modes that are not supported everywhere."""


class MalformedMessageError(ValueError):
    """Raised for a malformed row in mode FAILFAST.

    The text contains the message and version, the path of the field, the byte offset, and the row in its batch.
    """


def check_mode(mode: str, allowed: tuple[Mode, ...] = MODES) -> Mode:
    """Return the mode in upper case. Raises ``ValueError`` for a mode that is not allowed."""
    for known in allowed:
        if mode.upper() == known:
            return known
    raise ValueError(f"expected mode {' or '.join(allowed)}, not {mode!r}{_WHY_NOT.get(mode.upper(), '')}")


def fail_on_first(
    errors: pa.StructArray, message: str | pa.Array, version: int | pa.Array, advice: str = KEEP_THEM
) -> None:
    """Raise ``MalformedMessageError``, with this advice, for the first row with an error.

    ``message`` and ``version`` are either the same for all rows, or arrays with a value for each row, null if unknown.
    """
    if errors.null_count == len(errors):
        return
    row = errors.is_valid().index(pa.scalar(value=True)).as_py()
    error = errors[row].as_py()
    name = message if isinstance(message, str) else message[row].as_py()
    number = version if isinstance(version, int) else version[row].as_py()

    places = []
    if name is not None:
        places.append(name if number is None else f"{name} version {number}")
    if "offset" in error:
        places.append(f"byte {error['offset']}")
    places.append(f"row {row} of its batch")

    subject = error["path"] or name
    prefix = "" if subject is None else f"{subject}: "
    raise MalformedMessageError(f"{prefix}{error['message']} ({', '.join(places)}); {advice}")
