"""Messages as JSON, in the form of Kafka's JsonConverter classes."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import pytest

from tests.support.specs import field, made


@pytest.fixture
def message() -> Any:
    return made(
        field("ISRNodes", "[]int32"),
        field("A", "int8"),
        field("Mask", "uint32"),
        field("Rate", "float64"),
        field("Id", "uuid"),
        field("Text", "string", nullableVersions="0+"),
        field("Data", "bytes"),
        field("Batch", "records", nullableVersions="0+"),
        field("Flag", "bool"),
        field("Part", "Part", fields=[field("X", "int16", default="7")]),
        field("Tagged", "int64", tag=0, taggedVersions="1+", default="3"),
        field("Late", "string", "1+"),
        validVersions="0-1",
        flexibleVersions="1+",
    )


JSON: dict[str, Any] = {
    "iSRNodes": [1, -2],
    "a": -1,
    "mask": 4294967295,
    "rate": 0.5,
    "id": "AAAAAAAAAAAAAAAAAAAAAQ",
    "text": None,
    "data": "//4=",
    "batch": "",
    "flag": True,
    "part": {"x": 7},
    "tagged": 3,
}


def test_to_json_returns_the_json_form_of_kafka(message: Any) -> None:
    value = message(
        isr_nodes=(1, -2),
        a=-1,
        mask=4294967295,
        rate=0.5,
        id=UUID(int=1),
        text=None,
        data=b"\xff\xfe",
        batch=b"",
        flag=True,
    )
    assert value.to_json(version=0) == JSON
    assert list(value.to_json(version=0)) == list(JSON)
    assert message.from_json(JSON, version=0) == value
    assert json.loads(json.dumps(value.to_json(version=0))) == JSON


def test_tagged_fields_appear_only_where_they_differ_from_their_default(message: Any) -> None:
    assert "tagged" not in message().to_json(version=1)
    assert message(tagged=4).to_json(version=1)["tagged"] == 4
    value = {key: part for key, part in JSON.items() if key != "tagged"} | {"late": ""}
    assert message.from_json(value, version=1).tagged == 3


def test_a_value_that_the_version_cannot_represent_is_refused(message: Any) -> None:
    with pytest.raises(ValueError, match=r"^late: this version has no such field"):
        message(late="x").to_json(version=0)
    with pytest.raises(ValueError, match=r"^isr_nodes: null is not allowed here"):
        message(isr_nodes=None).to_json(version=0)


@pytest.mark.parametrize("bad", [{"data": "text"}, {"data": 5}, {"id": "text"}, {"isr_nodes": 5}, {"part": 5}])
def test_to_json_raises_encode_errors_for_values_of_wrong_types(message: Any, bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=rf"^{next(iter(bad))}.*Made version 0") as caught:
        message(**bad).to_json(version=0)
    assert type(caught.value).__name__ == "EncodeError"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"a": 1.0}, "a: expected an integer, got 1.0"),
        ({"a": "1"}, "a: expected an integer, got '1'"),
        ({"a": True}, "a: expected an integer, got True"),
        ({"a": 256}, "a: .* does not fit in int8"),
        ({"a": 257}, "a: .*257 does not fit in int8"),
        ({"mask": -1}, "mask: -1 does not fit in uint32"),
        ({"iSRNodes": [1, 1 << 31]}, r"isr_nodes\[1\]: 2147483648 does not fit in int32"),
        ({"iSRNodes": {"0": 1}}, "isr_nodes: expected an array"),
        ({"rate": 1}, "rate: expected a number with a decimal point, got 1"),
        ({"flag": 1}, "flag: expected true or false, got 1"),
        ({"text": 5}, "text: expected a string, got 5"),
        ({"data": "?"}, "data: '[?]' is not base64"),
        ({"data": None}, "data: "),
        ({"id": "AAAA"}, "id: 'AAAA' is not 16 bytes of base64url"),
        ({"id": "!!!!AAAAAAAAAAAAAAAAAAAAAQ"}, "id: .* is not 16 bytes of base64url"),
        ({"id": "++++++++++++++++++++AQ"}, "id: .* is not 16 bytes of base64url"),
        ({"part": []}, "part: expected an object"),
        ({"part": {}}, r'part\.x: missing field "x"'),
        ({"part": {"x": 1, "y": 2}}, 'part: unknown field "y" of Part; it has x'),
        ({"Text": "x"}, 'unknown field "Text" of Made; it has iSRNodes, a, mask'),
    ],
)
def test_a_wrong_value_is_refused_with_its_path(message: Any, changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as caught:
        message.from_json(JSON | changes, version=0)
    assert type(caught.value).__name__ == "EncodeError"


@pytest.mark.parametrize("key", [key for key in JSON if key != "tagged"])
def test_untagged_fields_are_required(message: Any, key: str) -> None:
    with pytest.raises(ValueError, match=f'missing field "{key}"'):
        message.from_json({name: part for name, part in JSON.items() if name != key}, version=0)


@pytest.mark.parametrize(("given", "value"), [(127, 127), (128, 0), (129, 1), (255, 127), (-128, -128)])
def test_an_int8_above_127_is_read_as_that_number_minus_128(message: Any, given: int, value: int) -> None:
    """Kafka's ``MessageUtil.jsonNodeToByte`` reads numbers like this."""
    assert message.from_json(JSON | {"a": given}, version=0).a == value


class TestStructsThatTheVersionLacks:
    """Apache's ``JsonConverter`` reads common structs in all versions, inline structs only if their field exists."""

    @pytest.fixture
    def absent(self) -> Any:
        return made(
            field("Id", "int8"),
            field("Wide", "Wide", "1+", ignorable=True),
            field("Rows", "[]Narrow", "1+", ignorable=True),
            field("Strict", "Wide", "1+"),
            field("Inline", "Inline", "1+", ignorable=True, fields=[field("X", "int8", "1+")]),
            validVersions="0-2",
            commonStructs=[
                {"name": "Wide", "versions": "0+", "fields": [field("A", "int8", "0"), field("B", "int8", "1+")]},
                {"name": "Narrow", "versions": "1+", "fields": [field("M", "int8", "1+"), field("L", "int8", "2+")]},
            ],
        )

    def test_common_structs_are_read_from_json_but_not_written(self, absent: Any) -> None:
        value = absent.from_json({"id": 7, "wide": {"a": 1}, "rows": [{"m": 2}]}, version=0)
        assert (value.wide.a, value.rows[0].m) == (1, 2)
        assert value.encode(version=0) == b"\7"
        assert value.to_json(version=0) == {"id": 7}

    @pytest.mark.parametrize(
        ("given", "reason"),
        [
            ({"wide": {}}, r'wide\.a: missing field "a"'),
            ({"wide": None}, "wide: expected an object, got None"),
            ({"rows": [{"l": 1}]}, r'rows\[0\]\.m: missing field "m"'),
            ({"inline": {"x": 1}}, "inline: this version has no such field, so an object is not allowed"),
        ],
    )
    def test_values_that_java_refuses_are_refused(self, absent: Any, given: dict[str, Any], reason: str) -> None:
        with pytest.raises(ValueError, match=reason):
            absent.from_json({"id": 7} | given, version=0)

    def test_a_field_that_is_not_ignorable_must_have_its_default(self, absent: Any) -> None:
        assert absent.from_json({"id": 7, "strict": {"a": 0}}, version=0).encode(version=0) == b"\7"
        value = absent.from_json({"id": 7, "strict": {"a": 1}}, version=0)
        with pytest.raises(
            ValueError, match="strict: this version has no such field, so it must be left at its default"
        ):
            value.encode(version=0)
