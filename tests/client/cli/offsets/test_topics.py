"""Which partitions the options of ``kafka-offsets`` mean."""

from __future__ import annotations

import pytest
from messagegen_client.cli.offsets.input import OptionError
from messagegen_client.cli.offsets.topics import Choice, parse_choice

from messagegen_client.offsets.partitions import TopicPartition


def choice(*topics: str, partitions: str | None = None, topic_partitions: tuple[str, ...] = ()) -> Choice:
    return parse_choice(topics, partitions=partitions, topic_partitions=topic_partitions, exclude_internal=False)


def test_names_are_asked_for_as_they_are() -> None:
    assert choice("a,b:0-1", "c") == Choice({"a": None, "b": (0, 1), "c": None})
    assert choice("a", partitions="0,3") == Choice({"a": (0, 3)})


def test_patterns_match_whole_names() -> None:
    filters = choice("a.*:2-3")
    assert filters.named == {}
    assert [filters.chooses(TopicPartition(*pair)) for pair in (("ab", 2), ("ab", 1), ("ba", 2))] == [
        True,
        False,
        False,
    ]


def test_a_range_of_java_ends_before_its_second_number() -> None:
    filters = choice(topic_partitions=("a:1-3",))
    assert [filters.chooses(TopicPartition("a", number)) for number in range(4)] == [False, True, True, False]


@pytest.mark.parametrize(
    ("topics", "partitions", "topic_partitions", "expected"),
    [
        (("a,,b",), None, (), "--topic: invalid topic ''; write NAME"),
        (
            ("[a",),
            None,
            (),
            "--topic: invalid regular expression '\\[a' .* write for example orders",
        ),
        (("a*:x",), None, (), "--topic: invalid topic 'a\\*:x'; write NAME"),
        ((), "1-2", (), "--partitions: invalid partition '1-2'; write numbers separated by commas"),
        ((), "", (), "--partitions: invalid partition ''"),
        (("a:1",), "1", (), "--partitions can't be used with partitions in --topic"),
        ((), "1", ("a",), "--topic-partitions can't be used with --topic or --partitions"),
        (("a",), None, ("a",), "--topic-partitions can't be used with --topic or --partitions"),
        ((), None, ("a:x",), "--topic-partitions: invalid item 'a:x'; write PATTERN"),
        (
            (),
            None,
            ("a:2-2",),
            "--topic-partitions: the range of 'a:2-2' is empty; it excludes its second number",
        ),
        ((), None, ("(:1",), "--topic-partitions: invalid regular expression '\\('"),
    ],
)
def test_what_can_not_be_read_says_what_to_write(
    topics: tuple[str, ...], partitions: str | None, topic_partitions: tuple[str, ...], expected: str
) -> None:
    with pytest.raises(OptionError, match=expected):
        choice(*topics, partitions=partitions, topic_partitions=topic_partitions)
