from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.native.column_input import Arrays, definitions, encoded
from tests.native.column_rows import all_subjects, metadata, pa
from tests.native.columns import decode_columns, encode_columns
from tests.native.random_messages import Subject
from tests.native.spoiled_messages import SEEDS, made, spoil, versions_of
from tests.support.profiles import examples
from tests.support.specs import field
from tests.support.specs import made as made_message


def by_class(subject: Subject, message: Any) -> dict[str, Any]:
    """Return the expected row, from the generated class's result."""
    try:
        return {"value": message.encode(version=subject.version), "_error": None}
    except subject.runtime("errors").EncodeError as error:
        return {"value": None, "_error": {"message": error.reason, "path": error.path}}


def same_row(got: dict[str, Any], wanted: dict[str, Any]) -> bool:
    """Return whether rows are equal. For a refused null, the engine has only one text, but Python has several."""
    null = "null is not allowed here"
    if wanted["_error"] and ("None" in wanted["_error"]["message"] or is_null_hidden(got, wanted)):
        wanted = {"value": None, "_error": {**wanted["_error"], "message": null}}
    return got == wanted


def is_null_hidden(got: dict[str, Any], wanted: dict[str, Any]) -> bool:
    """Return whether null was refused in a sensitive field; the classes hide even that it was null."""
    refused = "null is not allowed here" in str(got["_error"])
    return refused and any(words in wanted["_error"]["message"] for words in ("<redacted>", "is sensitive"))


@pytest.mark.slow
@examples(400)
@given(SEEDS)
def test_rows_are_written_as_the_classes_write_them(seed: int) -> None:
    random = Random(seed)
    subject = random.choice(all_subjects())
    rows = [(one, made(random, one)) for one in random.choices(versions_of(subject), k=3)]
    for one, message in rows:
        if random.random() < 0.6:
            spoil(random, one, message)
    array = Arrays(random, definitions(subject)).messages([message for _, message in rows])
    got = encoded(subject, pa.array([one.version for one, _ in rows], pa.int16()), array)
    wanted = [by_class(one, message) for one, message in rows]
    assert all(map(same_row, got, wanted)), (got, wanted)


@examples(200)
@given(SEEDS, st.sampled_from(["binary", "string"]))
def test_decoded_values_are_written_to_the_same_bytes(seed: int, uuid_as: str) -> None:
    random = Random(seed)
    subject = random.choice(all_subjects())
    rows = [(one, made(random, one)) for one in random.choices(versions_of(subject), k=4)]
    data = [message.encode(version=one.version) for one, message in rows]
    versions = pa.array([one.version for one, _ in rows])
    plan = subject.cls.CODEC.plan
    options: dict[str, Any] = {"unknown_tagged_fields": True, "uuid_as": uuid_as}
    batch = pa.array(decode_columns(plan, versions, pa.array(data, pa.binary()), **options))
    for got, wanted, error in zip(
        encoded(subject, versions, batch), data, batch.field("_error").to_pylist(), strict=True
    ):
        # Like Apache's classes, both codecs write arrays of structs without bytes, but can't read them.
        assert got["value"] == (wanted if error is None else None)


def one_row(version: int, **columns: Any) -> dict[str, Any]:
    """Return the encoded row for a MetadataResponse with some columns."""
    array = pa.StructArray.from_arrays(list(columns.values()), names=list(columns))
    return encoded(metadata(version), version, array)[0]


def test_fields_without_a_column_take_their_defaults() -> None:
    cls = metadata().cls
    for version in range(14):
        got = one_row(version, throttle_time_ms=pa.array([0]))
        assert got == by_class(metadata(version), cls())


def test_null_means_the_default_only_if_the_version_lacks_the_field() -> None:
    nothing = pa.nulls(1)
    assert one_row(0, throttle_time_ms=nothing)["_error"] is None
    assert one_row(1, controller_id=nothing)["_error"] == {
        "message": "null is not allowed here",
        "path": "controller_id",
    }
    assert one_row(2, cluster_id=nothing)["_error"] is None
    assert one_row(2, brokers=pa.nulls(1))["_error"] == {"message": "null is not allowed here", "path": "brokers"}


def test_null_rows_stay_null_and_rows_with_invalid_versions_have_errors() -> None:
    array = pa.array([{"controller_id": 5}, None, {"controller_id": 5}], pa.struct([("controller_id", pa.int64())]))
    rows = encoded(metadata(), pa.array([0, 77, None]), array)
    # Version 0 lacks the controller field, which is ignorable.
    assert rows[0] == by_class(metadata(0), metadata().cls())
    assert rows[1] == {"value": None, "_error": None}
    assert rows[2]["_error"] == {"message": "the version is null", "path": ""}
    rows = encoded(metadata(), pa.array([99, 99, 14]), array)
    assert rows[2]["_error"]["message"] == "unexpected version 14; expected 0 to 13"


def test_fixed_size_lists_and_float32_values_are_encoded() -> None:
    plan = "messagegen-plan 3\nmessage Odd data 0\nstruct Odd\n values values []int32 []\n factor factor float64 0.0\n"
    plan += "layout 0 Odd 0\n values array(int32)\n factor float64\n"
    lists = pa.array([[1, 2], [3, 4], None, [5, 6]], pa.list_(pa.int32(), 2))
    array = pa.StructArray.from_arrays(
        [lists, pa.array([1.5, 0.5, 2.5, -1.0], pa.float32())], names=["values", "factor"]
    )
    rows = pa.array(encode_columns(plan, 0, array[1:])).to_pylist()
    assert rows[0]["value"] == bytes.fromhex("00000002 00000003 00000004 3fe0000000000000")
    assert rows[1]["_error"] == {"message": "null is not allowed here", "path": "values"}
    assert rows[2]["value"] == bytes.fromhex("00000002 00000005 00000006 bff0000000000000")


def test_texts_that_are_not_utf8_are_refused() -> None:
    damaged = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\x02\0\0\0"), pa.py_buffer(b"a\xff")])
    assert one_row(2, cluster_id=damaged)["_error"] == {
        "message": "the string is not UTF-8 at its byte 1",
        "path": "cluster_id",
    }


def test_unknown_versions_and_plans_and_invalid_arrays_are_refused() -> None:
    plan, array = metadata().cls.CODEC.plan, pa.array([{"controller_id": 1}])
    with pytest.raises(KeyError, match="14"):
        encode_columns(plan, 14, array)
    with pytest.raises(TypeError, match="struct array or a record batch"):
        encode_columns(plan, 0, pa.array([1]))
    with pytest.raises(ValueError, match="0 versions for 1 values"):
        encode_columns(plan, pa.array([], pa.int8()), array)
    with pytest.raises(ValueError, match="of format 3"):
        encode_columns("messagegen-plan 9\n", 0, array)


@pytest.mark.parametrize("offsets", [[0, 9, 3], [0, 3, 1, 3], [0, -1, 3]])
def test_list_offsets_that_descend_or_exceed_the_values_are_refused(offsets: list[int]) -> None:
    buffers = [None, pa.array(offsets, pa.int32()).buffers()[1]]
    items = pa.array([1, 2, 3], pa.int32())
    lists = pa.Array.from_buffers(pa.list_(pa.int32()), len(offsets) - 1, buffers, children=[items])
    plan = (
        "messagegen-plan 3\n"
        "message Odd data 0\n"
        "struct Odd\n"
        " values values []int32 []\n"
        "layout 0 Odd 0\n"
        " values array(int32)\n"
    )
    with pytest.raises(ValueError, match="do not ascend, or lead out of it"):
        encode_columns(plan, 0, pa.StructArray.from_arrays([lists], names=["values"]))


def test_integers_beyond_int64_are_refused() -> None:
    plan = "messagegen-plan 3\nmessage Odd data 0-1\nstruct Odd\n value value int64 0\n"
    plan += "layout 0 Odd 0\n value int64\nlayout 1 Odd 1\n value packed64\n"
    array = pa.StructArray.from_arrays([pa.array([1 << 63, 1 << 63], pa.uint64())], names=["value"])
    rows = pa.array(encode_columns(plan, pa.array([0, 1]), array)).to_pylist()
    assert [row["_error"]["message"] for row in rows] == [
        "9223372036854775808 does not fit in int64",
        "9223372036854775808 does not fit in 64 bits",
    ]


SECRETS = """messagegen-plan 3
message Outer data 0
struct Outer
 pin pin int16 0
 age age int16 0
 inners inners []Inner []
 :sensitive pin
struct Inner
 code code int8 0
 size size int8 0
 name name string ""
 :sensitive code size
layout 0 Inner 0 flexible 76
 code packed16
 size int8
 name string
layout 1 Outer 0 flexible 76
 pin int16
 age int16
 inners array(struct(0))
"""


@pytest.mark.parametrize(
    ("row", "path", "message"),
    [
        ({"pin": 70_123}, "pin", "<redacted> does not fit in int16"),
        ({"pin": None}, "pin", "null is not allowed here"),
        ({"age": 70_123}, "age", "70123 does not fit in int16"),
        ({"inners": [{"code": 70_123}]}, "inners[0].code", "<redacted> does not fit in 16 bits"),
        # This field decides whether `code` is shown, but is not secret itself.
        ({"inners": [{"size": 300}]}, "inners[0].size", "300 does not fit in int8"),
        (
            {"inners": [{"name": "x" * 32_768}]},
            "inners[0].name",
            "a string has at most 32767 bytes of UTF-8, not 32768",
        ),
    ],
)
def test_a_sensitive_integer_that_does_not_fit_is_not_shown(row: dict[str, Any], path: str, message: str) -> None:
    inner = pa.struct([("code", pa.int64()), ("size", pa.int64()), ("name", pa.string())])
    type_ = pa.struct([("pin", pa.int64()), ("age", pa.int64()), ("inners", pa.list_(inner))])
    whole = {"pin": 1, "age": 1, "inners": [], **row}
    whole["inners"] = [{"code": 1, "size": 1, "name": "", **each} for each in whole["inners"]]
    encoded_rows = pa.array(encode_columns(SECRETS, 0, pa.array([whole], type_)))
    (error,) = encoded_rows.field("_error").to_pylist()
    assert error == {"message": message, "path": path}


@pytest.mark.parametrize("tag", [1 << 31, -1])
def test_an_invalid_tag_beside_a_sensitive_field_is_not_shown(tag: int) -> None:
    tags = pa.map_(pa.int64(), pa.binary())
    type_ = pa.struct([("pin", pa.int64()), ("age", pa.int64()), ("unknown_tagged_fields", tags)])
    rows = pa.array([{"pin": 1, "age": 2, "unknown_tagged_fields": [(tag, b"x")]}], type_)
    (error,) = pa.array(encode_columns(SECRETS, 0, rows)).field("_error").to_pylist()
    assert error == {"message": "expected a tag from 0 to 2147483646, got <redacted>", "path": "unknown_tagged_fields"}


@pytest.mark.parametrize("in_array", [False, True])
def test_records_in_a_missing_tagged_struct_are_null(in_array: bool) -> None:
    """The default of a records field is null, even if no version allows null."""
    tagged = field("Part", "Part", tag=0, taggedVersions="0+", fields=[field("Batches", "records")])
    fields = [field("Rows", "[]Row", fields=[tagged])] if in_array else [tagged]
    cls = made_message(*fields, flexibleVersions="0+")
    plan = cls.CODEC.plan
    data = b"\2\0\0" if in_array else b"\0"
    message = cls.decode(data, version=0)
    assert (message.rows[0] if in_array else message).part.batches is None
    assert message.encode(version=0) == data
    batch = pa.array(decode_columns(plan, 0, pa.array([data])))
    row = batch.to_pylist()[0]
    assert (row["rows"][0] if in_array else row)["part"] == {"batches": None}
    assert pa.array(encode_columns(plan, pa.array([0]), batch)).to_pylist() == [{"value": data, "_error": None}]
