from __future__ import annotations

import pytest

from messagegen.primitives import PRIMITIVES
from messagegen.spec import ArrayType, Encoding, EncodingForm, EntityType, FieldType, StructType
from messagegen.spec.field_types import (
    ElementTypeError,
    can_be_nullable,
    entity_base,
    parse_type,
    struct_name,
    type_text,
)
from messagegen.spec.report import RefusedError


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        *((name, type_) for name, type_ in PRIMITIVES.items()),
        ("double", PRIMITIVES["float64"]),
        (" int32 ", PRIMITIVES["int32"]),
        ("[]double", ArrayType(PRIMITIVES["float64"])),
        ("[]string", ArrayType(PRIMITIVES["string"])),
        ("[] int8", ArrayType(PRIMITIVES["int8"])),
        ("TopicData", StructType("TopicData")),
        ("[]Topic_2", ArrayType(StructType("Topic_2"))),
    ],
)
def test_reads_types(text: str, type_: FieldType) -> None:
    assert parse_type(text) == (type_, None)


@pytest.mark.parametrize(
    ("text", "type_", "form", "bits"),
    [
        ("varint16", PRIMITIVES["int16"], EncodingForm.PACKED, 16),
        ("varint64", PRIMITIVES["int64"], EncodingForm.PACKED, 64),
        ("unsigned_varint32", PRIMITIVES["int32"], EncodingForm.UPACKED, 32),
        ("[]unsigned_varint16", ArrayType(PRIMITIVES["int16"]), EncodingForm.UPACKED, 16),
    ],
)
def test_reads_varints_as_integers_with_an_encoding(text: str, type_: FieldType, form: EncodingForm, bits: int) -> None:
    parsed, encoding = parse_type(text)
    assert parsed == type_
    assert isinstance(encoding, Encoding)
    assert (encoding.form, encoding.bits) == (form, bits)


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("Int32", None),
        ("strng", 'did you mean "string"?'),
        ("uint64", 'did you mean "int64"?'),
        ("varint", 'did you mean "varint32"?'),
        ("int", 'did you mean "int32"?'),
        ("long", 'did you mean "int64"?'),
        ("string[]", 'write "[]string"'),
        ("int[]", 'write "[]int32"'),
        ("Row []", 'write "[]Row"'),
        ("", "write one of bool"),
        ("Topic.Data", "use letters, digits and underscores only"),
        ("Ünicode", "use letters, digits and underscores only"),
    ],
)
def test_refuses_other_names(text: str, instead: str | None) -> None:
    if instead is None:
        # A capital makes it the name of a struct, whatever it resembles.
        assert parse_type(text) == (StructType(text), None)
        return
    with pytest.raises(RefusedError) as refused:
        parse_type(text)
    assert refused.value.instead.startswith(instead)


@pytest.mark.parametrize("text", ["[]", "[][]int32", "[]bytes", "[]records", "[] [] Row"])
def test_refuses_arrays_that_kafka_does_not_have(text: str) -> None:
    with pytest.raises(ElementTypeError):
        parse_type(text)


def test_tells_types_by_their_properties() -> None:
    nullable = {type_ for type_ in PRIMITIVES.values() if can_be_nullable(type_)}
    assert nullable == {PRIMITIVES["string"], PRIMITIVES["bytes"], PRIMITIVES["records"]}
    assert can_be_nullable(StructType("Row"))
    assert can_be_nullable(ArrayType(PRIMITIVES["int8"]))
    assert struct_name(ArrayType(StructType("Row"))) == struct_name(StructType("Row")) == "Row"
    assert struct_name(ArrayType(PRIMITIVES["int8"])) is None
    assert [type_text(type_) for type_ in (PRIMITIVES["int8"], ArrayType(StructType("Row")))] == ["int8", "[]Row"]


def test_entity_types_have_the_types_of_their_identifiers() -> None:
    assert {entity.value: base.name for entity in EntityType if (base := entity_base(entity))} == {
        "transactionalId": "string",
        "producerId": "int64",
        "groupId": "string",
        "topicName": "string",
        "brokerId": "int32",
    }
