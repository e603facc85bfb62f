"""Strings, bytes, arrays and tag sections, as the runtime reads and writes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen.runtime import wire
from messagegen.runtime.errors import CodecFailure
from messagegen.runtime.limits import FREE
from messagegen.runtime.uuids import ZERO_UUID, uuid_of
from messagegen.runtime.wire import LONGEST_STRING, raw_tags, read_unknown_tags, write_tags
from tests.support.specs import field, made

FORMS = [("read_string", "write_string"), ("read_compact_string", "write_compact_string")]
forms = pytest.mark.parametrize(
    ("read", "write"), [[getattr(wire, name) for name in pair] for pair in FORMS], ids=["plain", "compact"]
)

Read = Callable[[bytes, int], tuple[str, int]]
Write = Callable[[bytearray, str], None]


class TestStrings:
    @forms
    @given(st.text(max_size=300))
    def test_come_back(self, read: Read, write: Write, text: str) -> None:
        out = bytearray(b"?")
        write(out, text)
        assert read(bytes(out) + b"?", 1) == (text, len(out))

    @forms
    @pytest.mark.parametrize("length", [0, 1, 126, 127, 128, 16382, 16383, LONGEST_STRING])
    def test_of_every_length_of_length(self, read: Read, write: Write, length: int) -> None:
        out = bytearray()
        write(out, "a" * length)
        assert read(bytes(out), 0) == ("a" * length, len(out))

    @forms
    def test_of_more_than_32767_bytes_are_refused(self, read: Read, write: Write) -> None:
        with pytest.raises(CodecFailure, match="32769 bytes are too many for a string"):
            write(bytearray(), "日" * 10923)

    def test_of_more_than_32767_bytes_are_not_read_either(self) -> None:
        message = made(field("A", "string"), flexibleVersions="0+")
        allowed = bytes.fromhex("808002") + b"a" * 32767 + b"\x00"
        assert message.decode(allowed, version=0).a == "a" * 32767
        with pytest.raises(ValueError, match="a: a string has at most 32767 bytes, not 32768"):
            message.decode(bytes.fromhex("818002") + b"a" * 32768 + b"\x00", version=0)
        with pytest.raises(CodecFailure, match="32768 bytes are too many for a string"):
            wire.read_compact_string(bytes.fromhex("818002") + b"a" * 32768, 0)

    @pytest.mark.parametrize(("name", "data"), [("read_string", b"\xff\xff"), ("read_compact_string", b"\x00")])
    def test_null_is_refused(self, name: str, data: bytes) -> None:
        with pytest.raises(CodecFailure):
            getattr(wire, name)(data, 0)

    @pytest.mark.parametrize("flexible", ["none", "0+"])
    def test_what_is_no_utf_8_is_refused(self, flexible: str) -> None:
        message = made(field("A", "string"), flexibleVersions=flexible)
        data = message(a="abc").encode(version=0).replace(b"abc", b"a\xc3c")
        with pytest.raises(ValueError, match="a: the string is not UTF-8 at its byte 1"):
            message.decode(data, version=0)

    def test_lone_surrogates_are_refused(self) -> None:
        with pytest.raises(ValueError, match=r"a: .*character 1 is a lone surrogate"):
            made(field("A", "string"))(a="a\ud800").encode(version=0)


class TestTagSections:
    fields = st.lists(
        st.tuples(st.integers(0, 2**31 - 1), st.binary(max_size=5)), max_size=5, unique_by=lambda one: one[0]
    )

    @given(fields)
    def test_come_back_in_ascending_order(self, fields: list[tuple[int, bytes]]) -> None:
        out = bytearray(b"?")
        write_tags(out, [*fields])
        assert read_unknown_tags(bytes(out), 1, FREE) == (tuple(sorted(fields)), len(out))

    @pytest.mark.parametrize(
        ("fields", "reason"),
        [
            ([(1, b""), (1, b"a")], "tag 1 is given twice"),
            ([(-1, b"")], "expected a tag from 0 to 2147483647, got -1"),
            ([(2**31, b"")], "expected a tag from 0 to 2147483647, got 2147483648"),
        ],
    )
    def test_tags_given_twice_or_out_of_range_are_refused(self, fields: Any, reason: str) -> None:
        with pytest.raises(CodecFailure, match=reason):
            write_tags(bytearray(), fields)

    def test_tags_of_other_versions_are_refused(self) -> None:
        assert read_unknown_tags(bytes.fromhex("010501aa"), 0, FREE, (4,)) == (((5, b"\xaa"),), 4)
        with pytest.raises(CodecFailure, match="tag 5 is not valid in this version"):
            read_unknown_tags(bytes.fromhex("010501aa"), 0, FREE, (5,))

    def test_known_tags_cannot_be_among_unknown_ones(self) -> None:
        assert raw_tags(((5, b""),), (4,)) == [(5, b"")]
        with pytest.raises(CodecFailure, match="tag 5 is a known field"):
            raw_tags(((5, b""),), (4, 5))


class TestNumbers:
    @pytest.mark.parametrize("flexible", ["none", "0+"])
    @pytest.mark.parametrize("type_", ["bool", "int8", "int16", "uint16", "int32", "uint32", "int64", "float64"])
    def test_arrays_of_any_length_come_back(self, flexible: str, type_: str) -> None:
        message = made(field("A", f"[]{type_}"), field("B", "int8"), flexibleVersions=flexible)
        for count in (0, 1, 29, 30, 31, 32, 33, 126, 127, 128, 300):
            numbers = tuple((True, False)[n % 2] if type_ == "bool" else n % 100 for n in range(count))
            data = message(a=numbers, b=-1).encode(version=0)
            assert message.decode(data, version=0) == message(a=numbers, b=-1)
            for cut in (0, 1, len(data) // 2, len(data) - 1):
                with pytest.raises(ValueError, match="Made version 0, byte"):
                    message.decode(data[:cut], version=0)

    @pytest.mark.parametrize(
        ("type_", "bad"),
        [
            *[
                ("int8", 128),
                ("int8", -129),
                ("int16", 1 << 15),
                ("uint16", -1),
                ("uint16", 1 << 16),
                ("int32", 1 << 31),
            ],
            *[("uint32", -1), ("uint32", 1 << 32), ("int64", 1 << 63), ("int64", -(1 << 63) - 1)],
        ],
    )
    def test_numbers_out_of_range_are_refused_with_their_place(self, type_: str, bad: int) -> None:
        message: Any = made(field("A", type_), field("B", f"[]{type_}"))
        with pytest.raises(ValueError, match=rf"^a: {bad} does not fit in {type_}"):
            message(a=bad).encode(version=0)
        with pytest.raises(ValueError, match=rf"^b\[2\]: {bad} does not fit in {type_}"):
            message(b=(0, 0, bad)).encode(version=0)


@given(st.binary(min_size=16, max_size=16))
def test_uuids_are_equal_to_those_made_by_the_library(data: bytes) -> None:
    made_here, by_library = uuid_of(data), UUID(bytes=data)
    assert made_here == by_library
    assert hash(made_here) == hash(by_library)
    assert (str(made_here), made_here.is_safe) == (str(by_library), by_library.is_safe)
    assert (made_here == ZERO_UUID) == (data == bytes(16))
