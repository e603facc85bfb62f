"""Base64 (RFC 4648) of a whole column; Arrow has no kernel for it."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_ALPHABET: Final[Any] = np.frombuffer(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", np.uint8)


def base64_column(array: pa.BinaryArray) -> pa.StringArray:
    """The base64 text of each row, with padding; null stays null."""
    if len(array) == 0:
        return pa.array([], pa.string())
    _, offsets, data = array.buffers()
    ends: Any = np.frombuffer(offsets, np.int32)[array.offset : array.offset + len(array) + 1].astype(np.int64)
    lengths = np.diff(ends)
    groups = (lengths + 2) // 3
    first_group = np.concatenate([[0], np.cumsum(groups)])
    triples: Any = np.zeros(first_group[-1] * 3, np.uint8)
    if data is not None:
        # Each row begins at a multiple of three bytes; the zeros between rows become padding.
        shift = np.repeat(first_group[:-1] * 3 - ends[:-1], lengths)
        places = np.arange(ends[0], ends[-1])
        triples[places + shift] = np.frombuffer(data, np.uint8)[ends[0] : ends[-1]]
    text = _quadruples(triples.reshape(-1, 3))
    _pad(text, (first_group[1:] * 4)[lengths > 0], (groups * 3 - lengths)[lengths > 0])
    validity = array.is_valid() if array.null_count else None
    encoded = pa.Array.from_buffers(
        pa.string(), len(array), [None, pa.py_buffer((first_group * 4).astype(np.int32)), pa.py_buffer(text)]
    )
    return encoded if validity is None else pc.if_else(validity, encoded, pa.scalar(None, pa.string()))


def _quadruples(triples: Any) -> Any:
    """Four letters for each three bytes."""
    first, second, third = triples[:, 0], triples[:, 1], triples[:, 2]
    numbers = [first >> 2, (first & 3) << 4 | second >> 4, (second & 15) << 2 | third >> 6, third & 63]
    return np.ascontiguousarray(_ALPHABET[np.stack(numbers, axis=1)]).reshape(-1)


def _pad(text: Any, ends: Any, missing: Any) -> None:
    text[ends[missing >= 1] - 1] = ord("=")
    text[ends[missing == 2] - 2] = ord("=")
