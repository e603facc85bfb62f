from __future__ import annotations

import pytest

from messagegen_arrow.plans import nested_layouts, read_plan, root_layouts, without_abouts
from messagegen_kafka import ListOffsetsRequest
from tests.arrow.support.messages import all_tables


def test_layouts_say_what_lies_on_the_wire() -> None:
    plan = next(table for table in all_tables() if table.name == "OffsetCommitValue").parsed_plan
    assert [field.attribute for field, _ in plan.roots[3].steps] == [
        *("offset", "leader_epoch", "metadata", "commit_timestamp"),
    ]
    ((tag, (field, codec)),) = plan.roots[4].tagged.items()
    assert (tag, field.attribute, codec.text) == (0, "topic_id", "uuid")
    assert plan.roots[4].flexible
    assert plan.roots[4].codecs["metadata"].text == "compact_string"
    assert "expire_timestamp" not in plan.roots[4].codecs
    assert plan.roots[0] is plan.roots[2]


def test_a_version_that_is_not_there_is_named() -> None:
    plan = next(table for table in all_tables() if table.name == "OffsetCommitValue").parsed_plan
    with pytest.raises(LookupError, match="OffsetCommitValue has the versions 0 to 4, not 5"):
        root_layouts(plan, [4, 5])


def test_layouts_are_given_once() -> None:
    plan = read_plan(ListOffsetsRequest.CODEC.plan)
    assert root_layouts(plan, [2, 3, 4]) == (plan.roots[2], plan.roots[4])
    topics, _ = nested_layouts([plan.roots[2], plan.roots[3], plan.roots[4]], "topics")
    assert topics.struct.class_name == "ListOffsetsTopic"
    assert nested_layouts([plan.roots[2]], "replica_id") == ()


def test_abouts_can_be_left_out() -> None:
    text = ListOffsetsRequest.CODEC.plan
    short = read_plan(without_abouts(text))
    assert len(without_abouts(text)) < len(text)
    assert {field.about for struct in short.structs.values() for field in struct.fields.values()} == {""}
    assert short.roots.keys() == read_plan(text).roots.keys()
