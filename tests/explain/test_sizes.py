"""Bytes of each field, and what integers take in each encoding."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from messagegen.explain import explain_body
from messagegen.explain.sizes import FieldSize, encoding_of, field_sizes
from messagegen.runtime.varints import encoded_length, write_packed, write_upacked
from tests.explain.support import messages_of
from tests.support.profiles import examples
from tests.support.specs import OWN, PURPOSE_MADE, Subject, subjects
from tests.support.strategies import integers, messages

SUBJECTS = subjects(PURPOSE_MADE)


@given(bits=st.sampled_from([16, 32, 64]), data=st.data())
def test_lengths_are_those_of_what_is_written(bits: int, data: st.DataObject) -> None:
    value = data.draw(integers(bits))
    for form, write in (("packed", write_packed), ("upacked", write_upacked)):
        out = bytearray()
        write(out, value, bits)
        assert encoded_length(form, bits, value) == len(out)
    assert encoded_length("fixed", bits, value) == bits // 8


@examples(30)
@given(subject=st.sampled_from(SUBJECTS), data=st.data())
def test_sizes_are_all_bytes_and_the_present_encoding_is_what_is_there(subject: Subject, data: st.DataObject) -> None:
    encoded = data.draw(messages(subject)).encode(version=subject.version)
    plan = messages_of(subject.folder).plan(subject.plan.name)
    sizes = field_sizes(explain_body(encoded, plan, subject.version))
    assert sum(size.bytes for size in sizes) == len(encoded)
    for size in sizes:
        encoding = encoding_of(size.type)
        if encoding is not None:
            assert size.encodings[encoding] == size.bytes
            assert size.best is not None
            assert size.bytes_in_best == min(size.encodings.values())


def test_the_encodings_of_one_message_are_compared() -> None:
    cls = messages_of(OWN).cls("EncodedMetadataResponse")
    message = cls.from_json(cls().to_json(version=0), version=0)
    sizes: dict[str, dict[str, FieldSize]] = {}
    for version, form in enumerate(("fixed", "packed", "upacked")):
        data = message.encode(version=version)
        found = explain_body(data, messages_of(OWN).plan("EncodedMetadataResponse"), version)
        sizes[form] = {size.field: size for size in field_sizes(found) if size.encodings}
    for form, of_fields in sizes.items():
        for field, size in of_fields.items():
            # Version 2 widens two fields.
            name = f"{form}{size.type[-2:]}"
            assert sizes["fixed"][field].encodings.get(name, size.bytes) == size.bytes


def test_the_total_of_a_form_is_the_size_of_the_message_in_it() -> None:
    cls = messages_of(OWN).cls("EncodedMetadataResponse")
    message = cls.from_json(cls().to_json(version=0), version=0)
    plan = messages_of(OWN).plan("EncodedMetadataResponse")
    sizes = field_sizes(explain_body(message.encode(version=0), plan, 0))
    for form, version in (("fixed", 0), ("packed", 1)):
        assert sum(size.bytes_in(form) for size in sizes) == len(message.encode(version=version))


def test_the_best_is_the_present_one_among_equals() -> None:
    equal = {"fixed16": 2, "packed16": 2, "upacked16": 2}
    assert FieldSize("a", "int16", 1, 2, equal).best == "fixed16"
    assert FieldSize("a", "upacked16", 1, 2, equal).best == "upacked16"
    assert FieldSize("a", "int16", 1, 2, {**equal, "packed16": 1, "upacked16": 1}).best == "packed16"
    assert FieldSize("a", "string", 1, 2).best is None
