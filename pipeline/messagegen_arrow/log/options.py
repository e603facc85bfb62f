"""The options of ``read_log``, which the native engine also parses for Spark's source ``kafka-log``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from messagegen_arrow.engine import native_engine
from messagegen_arrow.files import normal
from messagegen_arrow.log.columns import LOG_COLUMNS
from messagegen_arrow.log.errors import engine_errors
from messagegen_arrow.malformed import Mode
from messagegen_arrow.named_columns import chosen_names
from messagegen_arrow.options import OptionError

MIN: Final = -(1 << 63)
MAX: Final = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds for offsets, and for timestamps in milliseconds. All are inclusive."""

    min_offset: int = MIN
    max_offset: int = MAX
    min_timestamp: int = MIN
    max_timestamp: int = MAX


@dataclass(frozen=True)
class LogOptions:
    """The options; ``docs/spark.md`` explains them."""

    text: str = "{}"
    """The options in the form that the engine reads: a JSON object."""
    bounds: Bounds = field(default_factory=Bounds)
    mode: Mode = "FAILFAST"
    columns: tuple[str, ...] | None = None
    include_headers: bool = True

    @classmethod
    def parse(cls, options: Mapping[str, str]) -> LogOptions:
        """Return the options, given as strings by name; names are case-insensitive.

        Raises ``OptionError``, and ``FileUrlError`` for a path.
        """
        text = json.dumps({name: _normal(name, value) for name, value in options.items()})
        with engine_errors():
            bounds, mode, columns, include_headers = native_engine().log_options(text)
        return cls(text, Bounds(*bounds), mode, None if columns is None else tuple(columns), include_headers)

    def with_texts(self, **options: str) -> LogOptions:
        """Return the options with some of them replaced or added."""
        changed = {name.lower() for name in options}
        kept = {name: text for name, text in json.loads(self.text).items() if name.lower() not in changed}
        return LogOptions.parse({**kept, **options})

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that are read. Raises ``ValueError`` for an unknown column."""
        if self.columns is not None:
            return tuple(chosen_names("read_log", LOG_COLUMNS, self.columns))
        return tuple(name for name in LOG_COLUMNS if name != "headers" or self.include_headers)


def time_text(moment: datetime) -> str:
    """Return a time as the string of an option. Raises ``OptionError`` if it has no time zone."""
    if moment.tzinfo is None:
        raise OptionError(
            f"missing time zone in {moment!r}: write datetime(..., tzinfo=UTC), or use .astimezone() for local time"
        )
    return moment.isoformat()


def _normal(name: str, text: str) -> str:
    """Return the string of an option, with normalized paths and URLs."""
    if name.lower() == "path":
        return normal(text)
    if name.lower() == "paths":
        paths = json.loads(text)
        return json.dumps([normal(each) for each in paths])
    return text
