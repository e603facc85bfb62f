"""The options of ``kafka-messages``, as texts and as values."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from messagegen_arrow.content_options import CONTENT_OPTIONS, ContentOptions
from messagegen_arrow.malformed import Mode, check_mode
from messagegen_arrow.options import OptionError, byte_count, count, flag, listed, parse_options
from messagegen_arrow.task_size import MEBIBYTE

NAME: Final = "kafka-messages"


@dataclass(frozen=True)
class MessageFileOptions:
    """The options of ``kafka-messages``; ``docs/messages-in-spark.md`` explains them."""

    paths: tuple[str, ...]
    content: ContentOptions
    column: str = "value"
    """The column of bytes."""
    key_column: str = "key"
    """The column of keys, for what is decoded or chosen by keys."""
    version_column: str | None = None
    """The column that has the version of each row."""
    keep: tuple[str, ...] | None = None
    """The columns of files that are kept; ``None``: all but those that are decoded."""
    mode: Mode = "PERMISSIVE"
    push_filters: bool = False
    max_partition_bytes: int = 128 * MEBIBYTE
    min_partitions: int = 1
    max_records_per_batch: int = 32_768

    @classmethod
    def parse(cls, options: Mapping[str, str]) -> MessageFileOptions:
        """The options as Spark hands them over; case of names does not count. Raises ``OptionError``."""
        values = parse_options(NAME, options, _OPTIONS)
        paths = (*values.pop("path", ()), *values.pop("paths", ()))
        if not paths:
            raise OptionError('missing path of the files: load("/data/commits/*.parquet")')
        content = ContentOptions.of({name: values.pop(name) for name in CONTENT_OPTIONS if name in values})
        if content is None:
            raise OptionError(
                "missing option message or types: name what the bytes hold, message=OffsetCommitValue or types=OffsetCommit"
            )
        if "versionColumn" in values and (content.types is not None or content.version is not None):
            other = (
                "version: all messages have that version" if content.types is None else "types: records have their own"
            )
            raise OptionError(f"options versionColumn and {other}; remove one")
        return cls(paths=paths, content=content, **{_attribute(name): value for name, value in values.items()})

    @property
    def inputs(self) -> dict[str, str]:
        """The columns of files that decoding needs, by what records call them."""
        found = {"value": self.column}
        if self.content.types is not None or self.content.key_types is not None:
            found["key"] = self.key_column
        if self.version_column is not None:
            found["version"] = self.version_column
        return found


def _attribute(option: str) -> str:
    return re.sub(r"(?<=[a-z])([A-Z])", lambda match: "_" + match[1].lower(), option)


def _path(text: str) -> tuple[str, ...]:
    return (text,)


def _paths(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


def _kept(text: str) -> tuple[str, ...]:
    return listed(text) if text.strip() else ()


_OPTIONS: Final[dict[str, Callable[[str], Any]]] = {
    "path": _path,
    "paths": _paths,
    "column": str,
    "keyColumn": str,
    "versionColumn": str,
    "keep": _kept,
    "mode": check_mode,
    "pushFilters": flag,
    "maxPartitionBytes": byte_count,
    "minPartitions": count,
    "maxRecordsPerBatch": count,
    **CONTENT_OPTIONS,
}
