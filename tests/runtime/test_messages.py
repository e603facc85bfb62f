"""The methods of every message: encoding, decoding, and description, with both kinds of codecs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from messagegen_kafka import ApiVersionsResponse
from tests.support.specs import PURPOSE_MADE, class_of, field, made, package

pytestmark = pytest.mark.usefixtures("codecs")


@pytest.fixture
def message() -> Any:
    return made(
        field("A", "int32"),
        field("B", "string"),
        field("C", "[]Part", fields=[field("X", "int8"), field("Y", "string")]),
        field("D", "int16", "1-2", default="-1"),
        field("E", "int16", "2+", default="5", ignorable=True),
        validVersions="0-3",
        flexibleVersions="3+",
    )


def error(cls: Any, name: str) -> type[Exception]:
    """Return an error class from the package of a message."""
    found: type[Exception] = getattr(
        __import__(f"{cls.__module__.rpartition('.')[0]}._runtime.errors", fromlist=["_"]), name
    )
    return found


def test_the_requested_codecs_are_used(message: Any, codecs: str) -> None:
    assert (message.CODEC.engine is None) == (codecs == "pure")


class TestEncode:
    def test_encode_returns_the_bytes(self, message: Any) -> None:
        assert message(a=1, b="x").encode(version=0) == bytes.fromhex("00000001 000178 00000000")

    def test_encode_into_appends_to_the_buffer(self, message: Any) -> None:
        buffer = bytearray(b"before")
        message(a=1).encode_into(buffer, version=0)
        message(a=2).encode_into(buffer, version=0)
        assert buffer == b"before" + bytes.fromhex("00000001000000000000 00000002000000000000")

    @pytest.mark.parametrize("bad", [{"a": 1 << 31}, {"b": "\ud800"}, {"c": (None,)}, {"c": 5}, {"d": 7}])
    def test_encode_into_leaves_the_buffer_unchanged_after_an_error(self, message: Any, bad: dict[str, Any]) -> None:
        buffer = bytearray(b"before")
        with pytest.raises(error(message, "EncodeError")):
            message(**bad).encode_into(buffer, version=0)
        assert buffer == b"before"

    def test_a_field_that_the_version_lacks_must_have_its_default(self, message: Any) -> None:
        with pytest.raises(
            error(message, "EncodeError"),
            match=r"^d: this version has no such field, so it must be left at its default",
        ):
            message(d=7).encode(version=0)
        assert message(d=7).encode(version=1)

    def test_an_ignorable_field_can_have_any_value(self, message: Any) -> None:
        assert message(e=7).encode(version=0) == message().encode(version=0)

    @pytest.mark.parametrize(
        ("bad", "reason"),
        [
            ({"a": None}, "^a: expected an int, got None"),
            ({"a": "1"}, "^a: expected an int, got '1'"),
            ({"a": 1.0}, "^a: expected an int, got 1.0"),
            ({"a": -(1 << 31) - 1}, "^a: -2147483649 does not fit in int32"),
            ({"b": None}, "^b: null is not allowed here"),
            ({"b": b"x"}, "^b: "),
            ({"b": "x" * 32768}, "^b: a string has at most 32767 bytes of UTF-8, not 32768"),
            ({"c": None}, "^c: null is not allowed here"),
            ({"c": (None,)}, r"^c\[0\]: expected a Part, got None"),
            ({"c": 5}, "^c: "),
        ],
    )
    def test_errors_name_the_field(self, message: Any, bad: dict[str, Any], reason: str) -> None:
        for version in (0, 3):
            with pytest.raises(error(message, "EncodeError"), match=reason) as caught:
                message(**bad).encode(version=version)
            assert (caught.value.message, caught.value.version) == ("Made", version)  # type: ignore[attr-defined]


class TestDecode:
    def test_decode_reads_the_whole_buffer_or_fails(self, message: Any) -> None:
        data = message(a=1).encode(version=0)
        assert message.decode(data, version=0) == message(a=1)
        with pytest.raises(error(message, "DecodeError"), match="extra bytes after the message: 2") as caught:
            message.decode(data + b"??", version=0)
        assert caught.value.offset == len(data)  # type: ignore[attr-defined]

    def test_decode_from_returns_the_next_offset(self, message: Any) -> None:
        one, other = message(a=1, b="x").encode(version=3), message(a=2).encode(version=0)
        first, end = message.decode_from(b"??" + one + other, 2, version=3)
        second, last = message.decode_from(b"??" + one + other, end, version=0)
        assert (first, second) == (message(a=1, b="x"), message(a=2))
        assert (end, last) == (2 + len(one), 2 + len(one) + len(other))

    @pytest.mark.parametrize("offset", [-1, 11, 1000])
    def test_an_offset_outside_the_bytes_is_an_error(self, message: Any, offset: int) -> None:
        with pytest.raises(error(message, "DecodeError"), match=f"there is no byte {offset} in 10 bytes"):
            message.decode_from(message().encode(version=0), offset, version=0)

    @pytest.mark.parametrize(
        ("data", "path", "offset", "reason"),
        [
            ("000000", "a", 0, "the bytes end early: 4 needed, 3 left"),
            ("00000001 0005 78", "b", 4, "invalid number of bytes, 5; bytes left: 1; is this the right version?"),
            ("00000001 ffff", "b", 4, "null is not allowed here"),
            ("00000001 0001c3 00000000", "b", 4, "not UTF-8"),
            ("00000001 0000 ffffffff", "c", 6, "null is not allowed here"),
            (
                "00000001 0000 7fffffff",
                "c",
                6,
                "invalid number of elements, 2147483647; bytes left: 0; is this the right version?",
            ),
            (
                "00000001 0000 00000002 010001 78 02ff",
                "c[1].y",
                15,
                "the bytes end early: 2 needed, 1 left",
            ),
        ],
    )
    def test_errors_name_field_and_byte(self, message: Any, data: str, path: str, offset: int, reason: str) -> None:
        for before in (0, 3):
            with pytest.raises(error(message, "DecodeError"), match=reason) as caught:
                message.decode_from(b"?" * before + bytes.fromhex(data), before, version=0)
            found: Any = caught.value
            assert (found.path, found.offset, found.message, found.version) == (path, before + offset, "Made", 0)


class TestTags:
    def test_unknown_fields_survive_at_every_level(self) -> None:
        message = made(field("A", "[]Part", fields=[field("X", "int8")]), flexibleVersions="0+")
        data = bytes.fromhex("02 05 01 0301aa 02 0100 8001 02bbcc")
        again = message.decode(data, version=0)
        assert again.a[0].unknown_tagged_fields == ((3, b"\xaa"),)
        assert again.unknown_tagged_fields == ((1, b""), (128, b"\xbb\xcc"))
        assert again.encode(version=0) == data

    def test_unknown_fields_are_written_in_ascending_order(self) -> None:
        message = made(
            field("A", "int8", tag=0, taggedVersions="0+"),
            field("B", "int8", tag=1, taggedVersions="0+"),
            flexibleVersions="0+",
        )
        data = message(a=1, b=2, unknown_tagged_fields=((9, b"z"), (4, b"y"))).encode(version=0)
        assert data == bytes.fromhex("04 000101 010102 040179 09017a")

    @pytest.mark.parametrize("tag", [0, 1])
    def test_known_tags_are_refused_as_unknown_fields(self, tag: int) -> None:
        message = made(
            field("A", "int8", tag=0, taggedVersions="0+"),
            field("B", "int8", "1+", tag=1, taggedVersions="1+"),
            validVersions="0-1",
            flexibleVersions="0+",
        )
        with pytest.raises(error(message, "EncodeError"), match=f"tag {tag} is a known field"):
            message(unknown_tagged_fields=((tag, b""),)).encode(version=0)

    @pytest.mark.parametrize(
        ("data", "reason"),
        [("01000101", "has 1 bytes, but its value has 2"), ("010003000102", "has 3 bytes, but its value has 2")],
    )
    def test_a_known_tagged_field_with_a_wrong_size_is_refused(self, data: str, reason: str) -> None:
        message = made(field("A", "int16", tag=0, taggedVersions="0+"), flexibleVersions="0+")
        with pytest.raises(error(message, "DecodeError"), match=reason):
            message.decode(bytes.fromhex(data) + b"\x00", version=0)

    @pytest.mark.parametrize("known", [False, True])
    @pytest.mark.parametrize("limit", ["array_length", "tagged_field_count"])
    def test_limits_apply_to_array_elements_and_tagged_fields(self, limit: str, known: bool) -> None:
        tagged = [field("B", "int8", tag=0, taggedVersions="0+")] if known else []
        message = made(field("A", "[]string"), *tagged, flexibleVersions="0+")
        data = bytes.fromhex("03 0101 02 0900 0a00")
        assert message.decode(data, version=0, limits=message.LIMITS.__class__(**{limit: 2})).encode(version=0) == data
        with pytest.raises(error(message, "DecodeError"), match=limit):
            message.decode(data, version=0, limits=message.LIMITS.__class__(**{limit: 1}))

    def test_a_tag_from_a_different_version_is_refused(self) -> None:
        message = made(field("B", "int8", "1+", tag=0, taggedVersions="1+"), validVersions="0-1", flexibleVersions="0+")
        assert message.decode(bytes.fromhex("01000105"), version=1).b == 5
        with pytest.raises(error(message, "DecodeError"), match="tag 0 is not valid in this version"):
            message.decode(bytes.fromhex("01000105"), version=0)


class TestVersions:
    @pytest.mark.parametrize("version", [-1, 4, 99])
    def test_unsupported_versions_are_refused_everywhere(self, message: Any, version: int) -> None:
        unsupported = error(message, "UnsupportedVersionError")
        buffer = bytearray(b"before")
        calls: list[Callable[[], object]] = [
            lambda: message().encode(version=version),
            lambda: message().encode_into(buffer, version=version),
            lambda: message().size(version=version),
            lambda: message.decode(b"", version=version),
            lambda: message.decode_from(b"", version=version),
            lambda: message().to_json(version=version),
            lambda: message.from_json({}, version=version),
        ]
        for call in calls:
            with pytest.raises(unsupported, match="has versions 0-3") as caught:
                call()
            assert caught.value.supported == range(4)  # type: ignore[attr-defined]
        assert buffer == b"before"


class TestFacts:
    def test_facts_of_a_request_are_class_attributes(self) -> None:
        cls = package(PURPOSE_MADE).EveryTypeRequest
        facts = (cls.API_KEY, cls.KIND, cls.LISTENERS)
        assert facts == (1001, "request", ("broker", "controller"))
        versions = (cls.VALID_VERSIONS, cls.FLEXIBLE_VERSIONS, cls.DEPRECATED_VERSIONS)
        assert versions == (range(5), range(3, 5), range(2))
        assert cls.LATEST_VERSION_UNSTABLE
        assert [cls.header_version(version) for version in cls.VALID_VERSIONS] == [1, 1, 1, 2, 2]

    def test_an_api_versions_response_always_has_header_version_0(self) -> None:
        assert {ApiVersionsResponse.header_version(version) for version in ApiVersionsResponse.VALID_VERSIONS} == {0}


class TestZeroByteElements:
    """Structs that have no fields in a version take no bytes.

    Apache's classes write arrays of them, and read them back only if at least as many bytes follow.
    """

    def test_zero_byte_elements_are_read_if_enough_bytes_remain(self) -> None:
        message = made(
            field("A", "[]Part", fields=[field("X", "int8", "1+")]), field("B", "int32"), validVersions="0-1"
        )
        part = class_of(message, "Part")
        value = message(a=(part(),) * 4, b=5)
        assert message.decode(value.encode(version=0), version=0) == value
        with pytest.raises(error(message, "DecodeError"), match="invalid number of elements, 5; bytes left: 4"):
            message.decode(message(a=(part(),) * 5, b=5).encode(version=0), version=0)
