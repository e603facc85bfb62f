"""Files of offsets: what they mean, and what is wrong with them."""

from __future__ import annotations

import pytest

from messagegen_client.groups.file import OffsetFileError, offset_file_text, read_offset_file
from messagegen_client.offsets.partitions import TopicPartition

ORDERS = TopicPartition("orders", 0)
PAYMENTS = TopicPartition("payments", 3)


def test_a_line_is_an_offset_of_a_group() -> None:
    text = "billing,orders,0,17\r\nbilling,payments,3,4\nshipping,orders,0,9223372036854775807\n"
    assert read_offset_file(text, "a.csv") == {
        "billing": {ORDERS: 17, PAYMENTS: 4},
        "shipping": {ORDERS: 2**63 - 1},
    }


def test_a_file_of_one_group_needs_no_column_for_it() -> None:
    assert read_offset_file("orders,0,17\n", "a.csv", group_id="billing") == {"billing": {ORDERS: 17}}


def test_what_is_written_can_be_read() -> None:
    offsets = {'a "group", with\na line break': {ORDERS: 0, PAYMENTS: 4}, " ü ": {ORDERS: 1}}
    text = offset_file_text(offsets)
    assert read_offset_file(f"\ufeff{text}\n", "a.csv") == offsets


def test_all_errors_are_reported_with_their_lines() -> None:
    text = "group,topic,partition,offset\norders,0,17\nbilling,,0,1\nbilling,orders,0,1\nbilling,orders,0,1\n"
    text += "billing,orders,-1,1\nbilling,orders,1,9223372036854775808\n"
    with pytest.raises(OffsetFileError) as caught:
        read_offset_file(text, "a.csv")
    assert caught.value.problems == [
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
