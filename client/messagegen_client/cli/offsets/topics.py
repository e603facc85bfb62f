"""Parses the options for partitions: names, and patterns as in Kafka's ``GetOffsetShell``."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from messagegen_client.cli.offsets.input import OptionError, parse_topics
from messagegen_client.net.metadata import TopicMetadata
from messagegen_client.net.partitions import TopicPartition

_ALL: Final = range(2**31)
_NAME: Final = re.compile(r"[A-Za-z0-9._-]+")  # the characters of topic names
_NUMBER: Final = re.compile("[0-9]{1,10}")
_TOPIC_PARTITIONS: Final = re.compile(r"([^:,]*)(?::(?:([0-9]{1,10})|([0-9]{0,10})-([0-9]{0,10}))?)?")


@dataclass(frozen=True, slots=True)
class Filter:
    """Topics whose full name matches a pattern, and some of their partitions."""

    topic: re.Pattern[str]
    partitions: Container[int]


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen partitions: topics by name (``None``: all partitions), and filters."""

    named: dict[str, tuple[int, ...] | None]
    filters: tuple[Filter, ...] = ()
    internal: bool = True
    """Whether filters include internal topics, such as ``__consumer_offsets``."""

    @property
    def whole_topics(self) -> list[str]:
        """The named topics with all their partitions."""
        return [name for name, numbers in self.named.items() if numbers is None]

    def matching(self, topics: Iterable[TopicMetadata]) -> list[str]:
        """The topics that match a filter, sorted by name."""
        return sorted(
            topic.name
            for topic in topics
            if (self.internal or not topic.internal) and any(one.topic.fullmatch(topic.name) for one in self.filters)
        )

    def chooses(self, partition: TopicPartition) -> bool:
        """Whether a filter includes a partition."""
        return any(
            one.topic.fullmatch(partition.topic) and partition.partition in one.partitions for one in self.filters
        )


def parse_choice(
    topics: Sequence[str], *, partitions: str | None, topic_partitions: Sequence[str], exclude_internal: bool
) -> Choice:
    """Parses ``--topic``, ``--partitions``, ``--topic-partitions`` and ``--exclude-internal-topics``.

    A name with characters that topic names can't have, such as ``orders-.*``, is a pattern. The default is all partitions of
    all topics. Raises ``OptionError``, which names the option.
    """
    if topic_partitions:
        if topics or partitions is not None:
            raise OptionError("--topic-partitions can't be used with --topic or --partitions")
        return Choice({}, tuple(_topic_partitions(topic_partitions)), internal=not exclude_internal)
    numbers = None if partitions is None else _numbers(partitions)
    named: dict[str, tuple[int, ...] | None] = {}
    filters: list[Filter] = []
    items = [item.strip() for text in topics for item in text.split(",")]
    try:
        plain = [item for item in items if _NAME.fullmatch(item.partition(":")[0])]
        named = parse_topics(plain)
        for item in items:
            if item not in plain:
                filters += [Filter(_pattern(name), found or _ALL) for name, found in parse_topics([item]).items()]
    except OptionError as problem:
        raise OptionError(f"--topic: {problem}") from None
    if numbers is not None:
        if any(":" in item for item in items):
            raise OptionError("--partitions can't be used with partitions in --topic")
        named = dict.fromkeys(named, numbers)
        filters = [Filter(one.topic, numbers) for one in filters]
    if not items:
        filters = [Filter(re.compile(".*"), numbers or _ALL)]
    return Choice(named, tuple(filters), internal=not exclude_internal)


def _numbers(text: str) -> tuple[int, ...]:
    items = [item.strip() for item in text.split(",")]
    for item in items:
        if not _NUMBER.fullmatch(item):
            raise OptionError(f"--partitions: invalid partition {item!r}; write numbers separated by commas")
    return tuple(map(int, items))


def _topic_partitions(texts: Iterable[str]) -> Iterable[Filter]:
    """The filters of ``--topic-partitions``. As in Java, a range excludes its second number, and a part may be missing."""
    for item in (item.strip() for text in texts for item in text.split(",")):
        match = _TOPIC_PARTITIONS.fullmatch(item)
        if match is None:
            raise OptionError(
                f"--topic-partitions: invalid item {item!r}; write PATTERN, PATTERN:3, or PATTERN:0-3 for 0, 1 and 2"
            )
        topic, number, first, stop = match.groups()
        partitions = range(int(first or 0), int(stop or _ALL.stop))
        if number is not None:
            partitions = range(int(number), int(number) + 1)
        if not partitions:
            raise OptionError(f"--topic-partitions: the range of {item!r} is empty; it excludes its second number")
        try:
            yield Filter(_pattern(topic or ".*"), partitions)
        except OptionError as problem:
            raise OptionError(f"--topic-partitions: {problem}") from None


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as problem:
        raise OptionError(f"invalid regular expression {text!r} ({problem.msg}); write for example orders-.*") from None
