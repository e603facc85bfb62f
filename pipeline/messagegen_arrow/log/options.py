"""The options of ``kafka-log``: the native engine reads those about files, and ``ContentOptions`` those about messages."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from messagegen_arrow.content_options import CONTENT_OPTIONS, ContentOptions
from messagegen_arrow.engine import native_engine
from messagegen_arrow.files import normal
from messagegen_arrow.log.errors import engine_errors
from messagegen_arrow.malformed import Mode
from messagegen_arrow.options import OptionError, parse_options, without_table_properties

MIN: Final = -(1 << 63)
MAX: Final = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Bounds:
    """Offsets and timestamps in milliseconds; all are inclusive."""

    min_offset: int = MIN
    max_offset: int = MAX
    min_timestamp: int = MIN
    max_timestamp: int = MAX


@dataclass(frozen=True)
class LogOptions:
    """The options of ``kafka-log``; ``docs/spark.md`` explains them."""

    texts: tuple[tuple[str, str], ...] = ()
    """The options about files, as the engine reads them."""
    content: ContentOptions | None = None
    """What keys and values are decoded to; ``None``: they stay bytes."""
    topics: frozenset[str | None] | None = None
    """Topics that are read of those that are there; ``None`` among them means folders without a topic name."""
    bounds: Bounds = field(default_factory=Bounds)
    mode: Mode = "FAILFAST"
    columns: tuple[str, ...] | None = None
    include_headers: bool = True
    named_topics: frozenset[str] | None = None
    """Topics of the options, which have to be there."""
    max_bytes_per_trigger: int | None = None
    max_offsets_per_trigger: int | None = None

    @classmethod
    def parse(cls, options: Mapping[str, str], without: Collection[str] = ()) -> LogOptions:
        """The options as Spark passes them; case of names does not count. Options named in ``without`` are unknown.

        Raises ``OptionError``.
        """
        known = {name.lower(): name for name in CONTENT_OPTIONS if name not in without}
        given = without_table_properties(options)
        contents = {name: text for name, text in given.items() if name.lower() in known}
        texts = tuple((name, _normal(name, text)) for name, text in given.items() if name not in contents)
        values = parse_options(
            "kafka-log", contents, {known[name.lower()]: CONTENT_OPTIONS[known[name.lower()]] for name in contents}
        )
        return _read(cls(content=ContentOptions.of(values)), texts, known.values())

    def with_texts(self, **options: str) -> LogOptions:
        """The options with others, by their names."""
        changed = {name.lower() for name in options}
        kept = [(name, text) for name, text in self.texts if name.lower() not in changed]
        return _read(self, (*kept, *options.items()), ())


def _read(options: LogOptions, texts: tuple[tuple[str, str], ...], also: Collection[str]) -> LogOptions:
    """The options with what texts say of files; ``also`` are names of others, for suggestions."""
    with engine_errors():
        found = native_engine().log_options(texts, list(also))
    if found["topics_pattern"] is not None:
        _check_pattern(found["topics_pattern"])
    return replace(
        options,
        texts=texts,
        bounds=Bounds(*found["bounds"]),
        mode=found["mode"],
        columns=None if found["columns"] is None else tuple(found["columns"]),
        include_headers=found["include_headers"],
        named_topics=None if found["topics"] is None else frozenset(found["topics"]),
        max_bytes_per_trigger=found["max_bytes_per_trigger"],
        max_offsets_per_trigger=found["max_offsets_per_trigger"],
    )


def _normal(name: str, text: str) -> str:
    """The text of an option, with paths and URLs as files are opened by them. Raises ``FileUrlError``."""
    if name.lower() == "path":
        return normal(text)
    if name.lower() == "paths":
        paths = json.loads(text)
        return json.dumps([normal(each) for each in paths])
    return text


def _check_pattern(pattern: str) -> None:
    try:
        re.compile(pattern)
    except re.error as problem:
        raise OptionError(f"option topicsPattern: invalid regular expression {pattern!r}: {problem}") from None
