from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from messagegen_arrow.malformed import MalformedMessageError, fail_on_first

ADVICE = "; mode PERMISSIVE keeps such rows, with the reason in _error"


def errors(*rows: dict[str, Any] | None, **offset: pa.DataType) -> pa.StructArray:
    return pa.array(rows, pa.struct({"message": pa.string(), "path": pa.string(), **offset}))


def error(path: str, offset: int) -> dict[str, Any]:
    return {"message": "it is too short", "path": path, "offset": offset}


@pytest.mark.parametrize(
    ("path", "message", "version", "said"),
    [
        ("a[1].b", "Answer", 3, "a[1].b: it is too short (Answer version 3, byte 7, row 1 of its batch)"),
        ("", "Answer", 3, "Answer: it is too short (Answer version 3, byte 7, row 1 of its batch)"),
        ("key", [None, "B", "C"], [1, 2, 3], "key: it is too short (B version 2, byte 7, row 1 of its batch)"),
        ("key", ["A", "B", "C"], [1, None, 3], "key: it is too short (B, byte 7, row 1 of its batch)"),
        ("key", ["A", None, "C"], [1, None, 3], "key: it is too short (byte 7, row 1 of its batch)"),
        ("", ["A", None, "C"], [1, 2, 3], "it is too short (byte 7, row 1 of its batch)"),
    ],
)
def test_the_error_names_the_first_malformed_row(path: str, message: Any, version: Any, said: str) -> None:
    names = message if isinstance(message, str) else pa.array(message, pa.string())
    versions = version if isinstance(version, int) else pa.array(version, pa.int16())
    with pytest.raises(MalformedMessageError) as caught:
        fail_on_first(errors(None, error(path, 7), error("later", 9), offset=pa.int64()), names, versions)
    assert str(caught.value) == said + ADVICE


def test_errors_of_writing_have_no_byte_offset() -> None:
    with pytest.raises(MalformedMessageError) as caught:
        fail_on_first(errors({"message": "it is too long", "path": "name"}), "Answer", 0)
    assert str(caught.value) == "name: it is too long (Answer version 0, row 0 of its batch)" + ADVICE
