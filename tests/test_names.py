"""Python names that are made from Kafka's names."""

from __future__ import annotations

import keyword

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen.names import RESERVED, attribute_names, class_names, json_name, module_name, snake_case
from tests.support.profiles import examples

field_names = st.from_regex(r"[A-Za-z][A-Za-z0-9]{0,8}", fullmatch=True)
tricky_names = st.sampled_from(
    ["Class", "class", "None", "Self", "Size", "Encode", "Self1", "ABc", "Abc", "abc", "TopicID", "TopicId"]
)
struct_names = st.from_regex(r"[A-Z][A-Za-z0-9_]{0,8}", fullmatch=True)
tricky_structs = st.sampled_from(["None", "True", "KIND", "KIND_", "CODEC", "None_", "None__", "TYPE_CHECKING"])
laws = examples(200)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("LeaderId", "leader_id"),
        ("ISRNodes", "isr_nodes"),
        ("V2Name3", "v2_name3"),
        ("TopicID", "topic_id"),
        ("A", "a"),
        ("AB", "ab"),
        ("aB", "a_b"),
        ("lowerFirst", "lower_first"),
        ("ApiKeyVersion2Collection", "api_key_version2_collection"),
        ("already_snake", "already_snake"),
        ("With_Under", "with_under"),
    ],
)
def test_names_are_converted_to_snake_case(name: str, expected: str) -> None:
    assert snake_case(name) == expected


@pytest.mark.parametrize(("name", "key"), [("ISRNodes", "iSRNodes"), ("TopicId", "topicId"), ("x", "x"), ("", "")])
def test_json_names_begin_with_a_lower_case_letter(name: str, key: str) -> None:
    assert json_name(name) == key


class TestAttributes:
    @pytest.mark.parametrize(
        ("names", "expected"),
        [
            (["Class"], ["class_"]),
            (["Self"], ["self_"]),
            (["Size", "ToJson"], ["size_", "to_json_"]),
            (["TopicID", "TopicId"], ["topic_id", "topic_id_"]),
            (["TopicId", "TopicID", "TopicId2"], ["topic_id", "topic_id_", "topic_id2"]),
            (["Match", "Type", "Int"], ["match", "type", "int"]),
        ],
    )
    def test_clashing_attributes_get_underscores_in_order(self, names: list[str], expected: list[str]) -> None:
        assert attribute_names(names) == tuple(expected)

    @pytest.mark.slow
    @laws
    @given(st.lists(st.one_of(field_names, tricky_names), max_size=8))
    def test_attributes_are_distinct_identifiers(self, names: list[str]) -> None:
        found = attribute_names(names)
        assert len(set(found)) == len(names)
        assert all(name.isidentifier() and not keyword.iskeyword(name) for name in found)
        assert not RESERVED.intersection(found)


class TestClasses:
    @pytest.mark.parametrize(
        ("names", "expected"),
        [
            (["MetadataRequest", "Topic"], ["MetadataRequest", "Topic"]),
            (["None", "KIND", "CODEC"], ["None_", "KIND_", "CODEC_"]),
            (["None_", "None"], ["None_", "None__"]),
            (["Limits", "Record"], ["Limits_", "Record"]),
            (["Record", "Record_"], ["Record_", "Record__"]),
        ],
    )
    def test_clashing_classes_get_underscores(self, names: list[str], expected: list[str]) -> None:
        assert class_names(names) == tuple(expected)


class TestModules:
    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("ListOffsetsRequest", "list_offsets_request"),
            ("Class", "class_"),
            ("MessageClasses", "message_classes_"),
            ("ReadRecords", "read_records_"),
            ("ErrorCodes", "error_codes_"),
            ("Strategies", "strategies_"),
        ],
    )
    def test_module_names_do_not_clash_with_keywords_or_exports(self, name: str, expected: str) -> None:
        assert module_name(name) == expected
