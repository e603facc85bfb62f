"""Chooses partitions by names and patterns, as Kafka's ``GetOffsetShell`` does."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import click

from messagegen_client.admin import AsyncAdmin
from messagegen_client.offsets.partitions import TopicPartition
from messagegen_client.transport.deadlines import Deadline

_ALL: Final = range(2**31)
_NAME: Final = re.compile(r"[A-Za-z0-9._-]+")  # the characters of topic names
_NUMBER: Final = re.compile("[0-9]{1,10}")
_TOPIC_PARTITIONS: Final = re.compile(r"([^:,]*)(?::(?:([0-9]{1,10})|([0-9]{0,10})-([0-9]{0,10}))?)?")


@dataclass(frozen=True, slots=True)
class Filter:
    """Topics whose full name matches a pattern, and some of their partitions."""

    topic: re.Pattern[str]
    partitions: Container[int] = _ALL
    name: str | None = None
    """The topic name, if the pattern is a plain name."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The filters, and whether patterns include internal topics, such as ``__consumer_offsets``."""

    filters: tuple[Filter, ...]
    internal: bool = True

    async def partitions(self, admin: AsyncAdmin, deadline: Deadline) -> list[TopicPartition]:
        """Return the matching partitions, in order of the filters. Raises ``click.ClickException`` if none match.

        If all filters are names, only these topics are requested, and an unknown topic is an error.
        """
        names = [one.name for one in self.filters if one.name is not None]
        if len(names) < len(self.filters):
            topics = (await admin.cluster.metadata(None, deadline=deadline)).topics
            patterns = [one for one in self.filters if one.name is None]
            names += sorted(
                name
                for name, topic in topics.items()
                if (self.internal or not topic.is_internal) and any(one.topic.fullmatch(name) for one in patterns)
            )
        known = await admin.partitions_for(names, timeout=deadline)
        chosen = [partition for found in known.values() for partition in found if self._chooses(partition)]
        if not chosen:
            raise click.ClickException(
                "no partition matches; if no topic is named, only topics that the user may describe are searched"
            )
        return chosen

    def _chooses(self, partition: TopicPartition) -> bool:
        return any(
            one.topic.fullmatch(partition.topic) and partition.partition in one.partitions for one in self.filters
        )


def parse_selection(
    topics: Sequence[str], *, partitions: str | None, topic_partitions: Sequence[str], exclude_internal: bool
) -> Selection:
    """Parse ``--topic``, ``--partitions``, ``--topic-partitions`` and ``--exclude-internal-topics``.

    The default is all partitions of all topics. Raises ``click.UsageError``, which names the option.
    """
    if topic_partitions and (topics or partitions is not None):
        raise click.UsageError("--topic-partitions can't be used with --topic or --partitions.")
    numbers = _ALL if partitions is None else _numbers(partitions)
    filters = [_topic_partitions(item) for item in _items(topic_partitions)]
    for item in _items(topics):
        name = item if _NAME.fullmatch(item) else None
        filters.append(Filter(re.compile(re.escape(item)) if name else _pattern("--topic", item), numbers, name))
    return Selection(tuple(filters) or (Filter(re.compile(".*"), numbers),), internal=not exclude_internal)


def _items(texts: Iterable[str]) -> list[str]:
    return [item.strip() for text in texts for item in text.split(",")]


def _numbers(text: str) -> Container[int]:
    items = _items([text])
    for item in items:
        if not _NUMBER.fullmatch(item):
            raise click.UsageError(f"--partitions: invalid partition {item!r}; write numbers separated by commas.")
    return frozenset(map(int, items))


def _topic_partitions(item: str) -> Filter:
    """Parse an item of ``--topic-partitions``.

    As in Java, a range excludes its second number, and the topic and both ends of the range are optional.
    """
    option = "--topic-partitions"
    match = _TOPIC_PARTITIONS.fullmatch(item)
    if match is None:
        raise click.UsageError(
            f"{option}: invalid item {item!r}; write PATTERN, PATTERN:3, or PATTERN:0-3 for 0, 1 and 2."
        )
    topic, number, first, stop = match.groups()
    partitions = range(int(first or 0), int(stop or _ALL.stop))
    if number is not None:
        partitions = range(int(number), int(number) + 1)
    if not partitions:
        raise click.UsageError(f"{option}: the range of {item!r} is empty; it excludes its second number.")
    return Filter(_pattern(option, topic or ".*"), partitions)


def _pattern(option: str, text: str) -> re.Pattern[str]:
    problem = "it is empty"
    try:
        if text:
            return re.compile(text)
    except re.error as error:
        problem = error.msg
    raise click.UsageError(
        f"{option}: invalid regular expression {text!r} ({problem}); write a name, or for example orders-.*"
    )
