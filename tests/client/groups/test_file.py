"""Files of offsets: what they mean, and what is wrong with them."""

from __future__ import annotations

import pytest

from messagegen_client.groups.calls import OffsetAndMetadata
from messagegen_client.groups.file.formats import FileFormat, format_of, offset_file_text, read_offset_file
from messagegen_client.groups.file.model import GroupOffsets, OffsetFile, OffsetFileError
from messagegen_client.offsets.partitions import TopicPartition

ORDERS = TopicPartition("orders", 0)
PAYMENTS = TopicPartition("payments", 3)


def test_a_line_is_an_offset_of_a_group() -> None:
    text = "billing,orders,0,17\r\nbilling,payments,3,4\nshipping,orders,0,9223372036854775807\n"
    assert read_offset_file(text, "a.csv").offsets == {
        "billing": {ORDERS: 17, PAYMENTS: 4},
        "shipping": {ORDERS: 2**63 - 1},
    }


def test_a_file_of_one_group_needs_no_column_for_it() -> None:
    assert read_offset_file("orders,0,17\n", "a.csv", group_id="billing").offsets == {"billing": {ORDERS: 17}}
    with pytest.raises(ValueError, match="a file in JSON names its groups itself"):
        read_offset_file("{}", "a.json", form="json", group_id="billing")


def test_what_is_written_can_be_read() -> None:
    offsets = {'a "group", with\na line break': {ORDERS: 0, PAYMENTS: 4}, " ü ": {ORDERS: 1}}
    text = offset_file_text(offsets)
    assert read_offset_file(f"\ufeff{text}\n", "a.csv") == OffsetFile(offsets)


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_documents_have_metadata_and_leader_epochs(form: FileFormat) -> None:
    offsets: GroupOffsets = {
        'a "group", with\na line break': {ORDERS: OffsetAndMetadata(0), PAYMENTS: OffsetAndMetadata(4, "\u202e17", 0)},
        "💥": {ORDERS: 1, PAYMENTS: OffsetAndMetadata(2**63 - 1, "on", 2**31 - 1)},
        "nothing": {},
    }
    text = offset_file_text(offsets, form)
    assert "\u202e" not in text
    kept = {group: places for group, places in offsets.items() if places}
    assert read_offset_file(text, "a", form=form) == OffsetFile(kept)
    assert read_offset_file(offset_file_text({}, form), "a", form=form) == OffsetFile({})
    # Lines have the offsets alone.
    in_lines = read_offset_file(offset_file_text(offsets), "a.csv").offsets
    assert in_lines["💥"] == {ORDERS: 1, PAYMENTS: 2**63 - 1}


def test_formats_are_those_of_names() -> None:
    names = ["a.csv", "a", "a.JSON", "b/a.yaml", "a.yml", "<stdin>"]
    assert [*map(format_of, names)] == ["csv", "csv", "json", "yaml", "yaml", "csv"]


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_a_document_that_is_read_as_csv_is_one_error(form: FileFormat) -> None:
    text = offset_file_text({"billing": {ORDERS: 1, PAYMENTS: 2}}, form)
    with pytest.raises(OffsetFileError) as caught:
        read_offset_file(text, "<stdin>")
    assert caught.value.problems == ("<stdin>: expected CSV, found JSON or YAML; --format reads it",)
    assert read_offset_file("{a},orders,0,1\n", "a.csv").offsets == {"{a}": {ORDERS: 1}}


STATE = """
groups:
- group: billing
  groupType: classic
  commits:
  - topic: orders
    partition: 0
    offset: 9
    topicId: AAAAAAAAAAAAAAAAAAAAAQ
    leaderEpoch: 4
    metadata: ""
    commitTimestamp: "2023-11-14T22:13:40.000Z"
    expireTimestamp: "2023-11-14T22:13:40.000Z"
  - {topic: payments, partition: 3, offset: null, isKnown: false}
- group: "17"
  groupType: null
  commits:
  - {topic: orders, partition: 0, offset: null, metadata: "x"}
- group: workers
  groupType: share
  commits:
  - {topic: null, topicId: AAAAAAAAAAAAAAAAAAAAAQ, partition: 0, offset: 9}
"""


def test_what_a_state_does_not_know_is_left_out() -> None:
    assert read_offset_file(STATE, "a.yaml", form="yaml") == OffsetFile(
        {"billing": {ORDERS: OffsetAndMetadata(9, "", 4)}},
        (
            "group billing: the commit of payments-3 is not known; left out",
            "group 17: no offset of orders-0 was committed; left out",
            "group workers: the start offsets of share groups can't be committed; left out",
        ),
    )


def test_all_errors_of_a_document_are_reported_with_their_lines() -> None:
    text = """groups:
- {commits: []}
- group: 17
  commits:
  - {topic: orders, partition: 0, offset: -1}
  - {topic: orders, partition: 0, offset: 1, note: x}
- group: billing
  commits:
  - {topic: orders, partition: 0}
  - {topic: "", partition: 1.5, offset: "7", metadata: 7, leaderEpoch: true}
  - orders
"""
    with pytest.raises(OffsetFileError) as caught:
        read_offset_file(text, "a.yaml", form="yaml")
    name = "expected text that is not empty, in quotes if it is a number"
    keys = "topic, partition, offset, metadata, leaderEpoch, topicId, commitTimestamp, expireTimestamp and isKnown"
    number = "expected a whole number from 0 to"
    assert caught.value.problems == (
        "a.yaml:2: groups[0]: missing key group",
        f"a.yaml:3: groups[1].group: invalid name 17; {name}",
        f"a.yaml:5: groups[1].commits[0].offset: invalid offset -1: {number} 9223372036854775807",
        f"a.yaml:6: groups[1].commits[1].note: unknown key; expected {keys}",
        "a.yaml:6: groups[1].commits[1]: duplicate offset of orders-0 in group ''",
        "a.yaml:9: groups[2].commits[0]: missing key offset",
        f"a.yaml:10: groups[2].commits[1].topic: invalid name ''; {name}",
        f"a.yaml:10: groups[2].commits[1].partition: invalid partition 1.5: {number} 2147483647",
        f"a.yaml:10: groups[2].commits[1].offset: invalid offset '7': {number} 9223372036854775807",
        "a.yaml:10: groups[2].commits[1].metadata: invalid metadata 7; put it in quotes",
        f"a.yaml:10: groups[2].commits[1].leaderEpoch: invalid leaderEpoch True: {number} 2147483647",
        f"a.yaml:11: groups[2].commits[2]: expected a mapping with {keys}, not 'orders'",
    )
    with pytest.raises(OffsetFileError, match=r"^a\.json:2: invalid YAML"):
        read_offset_file("{", "a.json", form="json")


def test_all_errors_are_reported_with_their_lines() -> None:
    text = "group,topic,partition,offset\norders,0,17\nbilling,,0,1\nbilling,orders,0,1\nbilling,orders,0,1\n"
    text += "billing,orders,-1,1\nbilling,orders,1,9223372036854775808\n"
    with pytest.raises(OffsetFileError) as caught:
        read_offset_file(text, "a.csv")
    assert list(caught.value.problems) == [
        "a.csv, line 1: invalid partition 'partition': expected a whole number from 0 to 2147483647",
        "a.csv, line 2: expected group,topic,partition,offset, found 3 columns",
        "a.csv, line 3: the name of a group or topic is empty",
        "a.csv, line 5: duplicate offset of orders-0 in group 'billing'",
        "a.csv, line 6: invalid partition '-1': expected a whole number from 0 to 2147483647",
        "a.csv, line 7: invalid offset '9223372036854775808': expected a whole number from 0 to 9223372036854775807",
    ]


def test_text_that_is_not_csv() -> None:
    with pytest.raises(OffsetFileError, match="line 1: invalid CSV: "):
        read_offset_file(f"{'x' * 200_000},orders,0,1\n", "a.csv")
