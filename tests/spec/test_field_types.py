from __future__ import annotations

import pytest

from messagegen.spec import ArrayType, Encoding, EncodingForm, EntityType, FieldType, PrimitiveType, StructType
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
        *((type_.value, type_) for type_ in PrimitiveType),
        ("double", PrimitiveType.FLOAT64),
        (" int32 ", PrimitiveType.INT32),
        ("[]double", ArrayType(PrimitiveType.FLOAT64)),
        ("[]string", ArrayType(PrimitiveType.STRING)),
        ("[] int8", ArrayType(PrimitiveType.INT8)),
        ("TopicData", StructType("TopicData")),
        ("[]Topic_2", ArrayType(StructType("Topic_2"))),
    ],
)
def test_reads_types(text: str, type_: FieldType) -> None:
    assert parse_type(text) == (type_, None)


@pytest.mark.parametrize(
    ("text", "type_", "form", "bits"),
    [
        ("varint16", PrimitiveType.INT16, EncodingForm.PACKED, 16),
        ("varint64", PrimitiveType.INT64, EncodingForm.PACKED, 64),
        ("unsigned_varint32", PrimitiveType.INT32, EncodingForm.UPACKED, 32),
        ("[]unsigned_varint16", ArrayType(PrimitiveType.INT16), EncodingForm.UPACKED, 16),
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
    nullable = {type_ for type_ in PrimitiveType if can_be_nullable(type_)}
    assert nullable == {PrimitiveType.STRING, PrimitiveType.BYTES, PrimitiveType.RECORDS}
    assert can_be_nullable(StructType("Row"))
    assert can_be_nullable(ArrayType(PrimitiveType.INT8))
    assert struct_name(ArrayType(StructType("Row"))) == struct_name(StructType("Row")) == "Row"
    assert struct_name(ArrayType(PrimitiveType.INT8)) is None
    assert [type_text(type_) for type_ in (PrimitiveType.INT8, ArrayType(StructType("Row")))] == ["int8", "[]Row"]


def test_entity_types_have_the_types_of_their_identifiers() -> None:
    assert {entity.value: base.value for entity in EntityType if (base := entity_base(entity))} == {
        "transactionalId": "string",
        "producerId": "int64",
        "groupId": "string",
        "topicName": "string",
        "brokerId": "int32",
    }
