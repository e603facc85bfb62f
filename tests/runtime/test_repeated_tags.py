"""All forms of decoding refuse a repeated tag in a tag section (KIP-482), and decoded messages can be encoded again."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.native.columns import decode_columns
from tests.support.profiles import examples
from tests.support.specs import field, made
from tests.support.varints import uvarint

KNOWN = {"versions": "0+", "taggedVersions": "0+"}
FIELDS = (
    field("Count", "int32", tag=0, **KNOWN),
    field("Note", "string", tag=1, **KNOWN),
    field("Items", "[]Item", fields=[field("Name", "string"), field("Weight", "int8", tag=0, **KNOWN)]),
    field("Plain", "[]Plain", fields=[field("Place", "int8")]),
)
EMPTY = b"\1\1"
"""The message's two arrays, both empty, as bytes."""
HIGHEST = (1 << 31) - 2


@pytest.fixture(name="message")
def _message(codecs: str) -> Any:
    return class_by(codecs)


@cache
def class_by(codecs: str) -> Any:  # cached for each codec: a package chooses its codecs when it is loaded
    return made(*FIELDS, flexibleVersions="0+")


def section(*tags: tuple[int, bytes]) -> bytes:
    """Return a tag section with the fields in this order."""
    return uvarint(len(tags)) + b"".join(uvarint(tag) + uvarint(len(data)) + data for tag, data in tags)


def answers(cls: Any, data: bytes) -> dict[str, Any]:
    """Return the result of each form of decoding, or its error as (reason, path, offset)."""
    runtime = f"{cls.__module__.rpartition('.')[0]}._runtime"
    walk = import_module(f"{runtime}.walk")
    errors = import_module(f"{runtime}.errors")
    plan = cls.CODEC.parsed_plan()

    def answer(decode: Any) -> Any:
        try:
            return decode()
        except errors.DecodeError as error:
            return error.reason, error.path, error.offset

    return {
        "decode": answer(lambda: cls.decode(data, version=0)),
        "decode_from": answer(lambda: cls.decode_from(data, version=0)[0]),
        "lazy": answer(lambda: cls.decode(data, version=0, lazy=True)),
        "walk": answer(lambda: walk.walk_decode(plan, data, 0, 0)[0]),
    }


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (EMPTY + section((9, b"a"), (9, b"b")), ("tag 9 comes twice", "", 6)),
        (EMPTY + section((0, b"\0\0\0\1"), (0, b"\0\0\0\2")), ("tag 0 comes twice", "count", 9)),
        (EMPTY + section((1, b"\2a"), (9, b""), (1, b"\2b")), ("tag 1 comes twice", "note", 9)),
        (EMPTY + section((9, b""), (8, b""), (7, b""), (9, b"")), ("tag 9 comes twice", "", 9)),
        (b"\2\2x" + section((0, b"\1"), (5, b""), (5, b"")) + b"\1" + section(), ("tag 5 comes twice", "items[0]", 9)),
        (b"\2\2x" + section((0, b"\1"), (0, b"\1")) + b"\1" + section(), ("tag 0 comes twice", "items[0].weight", 7)),
        (b"\1\2\7" + section((5, b""), (5, b"")) + section(), ("tag 5 comes twice", "plain[0]", 6)),
        (
            EMPTY + section((HIGHEST + 1, b"")),
            ("expected a tag from 0 to 2147483646, got 2147483647", "", 3),
        ),
        (
            EMPTY + section((2, b""), ((1 << 32) - 1, b"")),
            ("expected a tag from 0 to 2147483646, got 4294967295", "", 5),
        ),
    ],
)
def test_a_repeated_or_invalid_tag_is_refused_with_its_position(
    message: Any, data: bytes, error: tuple[str, str, int]
) -> None:
    found = answers(message, data)
    assert found == dict.fromkeys(found, error)


TAGS = st.lists(
    st.sampled_from(
        [(0, b"\0\0\0\7"), (1, b"\2a"), (2, b""), (3, b"x"), (9, b""), (HIGHEST, b"y"), (HIGHEST + 1, b"")]
    ),
    max_size=7,
)


@examples(150)
@given(sections=st.tuples(TAGS, TAGS, TAGS))
def check_sections(message: Any, sections: tuple[list[tuple[int, bytes]], ...]) -> None:
    plain, outer = sections[1:]
    inner = [(tag, b"\3" if tag == 0 else data) for tag, data in sections[0]]
    data = b"\2\2x" + section(*inner) + b"\2\7" + section(*plain) + section(*outer)
    found = answers(message, data)
    tags = [[tag for tag, _ in each] for each in sections]
    if any(len(set(each)) < len(each) or HIGHEST + 1 in each for each in tags):
        assert len(set(found.values())) == 1
        assert isinstance(found["walk"], tuple)
        return
    for answer in found.values():
        again = message.decode(answer.encode(version=0), version=0)
        assert again.unknown_tagged_fields == tuple(sorted(answer.unknown_tagged_fields))
        assert (again.count, again.note, len(again.items)) == (answer.count, answer.note, 1)


def test_decoded_messages_can_be_encoded_again(message: Any) -> None:
    check_sections(message)


def test_thousands_of_tags_out_of_order_are_decoded(message: Any) -> None:
    tags = [(tag, b"") for tag in range(9_000, 3, -1)]
    data = EMPTY + section(*tags)
    assert {len(answer.unknown_tagged_fields) for answer in answers(message, data).values()} == {len(tags)}


@pytest.mark.parametrize("tag", [0, 9])
def test_columns_and_messages_report_a_repeated_tag_at_the_same_position(message: Any, tag: int) -> None:
    pytest.importorskip("messagegen_native")
    pyarrow: Any = pytest.importorskip("pyarrow")
    data = EMPTY + section((tag, b"\0\0\0\1"), (tag, b"\0\0\0\2"))
    table = pyarrow.array(decode_columns(message.CODEC.plan, 0, pyarrow.array([data, EMPTY + section()])))
    error, none = table.field("_error").to_pylist()
    assert none is None
    assert (error["message"], error["path"], error["offset"]) == answers(message, data)["walk"]
