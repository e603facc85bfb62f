"""The decoding options of sources: message or record types, fields, and names and types of columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from messagegen_arrow.catalog import Catalog, MessageTable, catalog_with_specs, default_catalog
from messagegen_arrow.columns.model import ColumnOptions, Names, UuidType
from messagegen_arrow.options import OptionError, flag, listed, number_ranges, whole_number

_MOST_VERSION: Final = (1 << 15) - 1
_NOT_IN_RECORDS: Final = ("Request", "Response")
"""Suffixes of messages that are never in internal topics."""


@dataclass(frozen=True)
class ContentOptions:
    """How bytes are decoded; ``docs/spark.md`` explains the options."""

    message: str | None = None
    version: int | None = None
    """The version of all messages; ``None`` if each begins with its version."""
    types: tuple[str, ...] | None = None
    versions: tuple[range, ...] | None = None
    """The versions that values must have; others are not decoded, and their rows are left out."""
    key_types: tuple[range, ...] | None = None
    """The same for the int16 that keys begin with."""
    fields: tuple[str, ...] | None = None
    names: Names = "kafka"
    uuid: UuidType = "string"
    unknown_tagged_fields: bool = False
    include_secrets: bool = False
    specs: tuple[str, ...] = ()

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> ContentOptions | None:
        """Creates options from values by the names of ``CONTENT_OPTIONS``; ``None`` if nothing is decoded.

        Raises ``OptionError`` for options that cannot be combined.
        """
        if not values:
            return None
        if ("message" in values) == ("types" in values):
            what = "only one of them says what records hold" if "types" in values else "name what records hold"
            given = ", ".join(sorted(values))
            raise OptionError(f"options {given}: {what}, message=OffsetCommitValue or types=OffsetCommit")
        unfit = _NOT_WITH_TYPES & values.keys() if "types" in values else set()
        if unfit:
            raise OptionError(f"option {min(unfit)}: {_WHY_NOT[min(unfit)]}")
        if "version" in values and "versions" in values:
            raise OptionError("options version and versions: with version=3 all messages have that version; remove one")
        return cls(**{_attribute(name): value for name, value in values.items()})

    def with_fields(self, paths: Mapping[str, Sequence[str]]) -> ContentOptions:
        """The options for these fields alone, given by the names of their columns."""
        fields = [path if self.types is None else f"{name}.{path}" for name, each in paths.items() for path in each]
        return replace(self, fields=tuple(fields))

    @property
    def column_options(self) -> ColumnOptions:
        """The options of the columns of a message."""
        return {"names": self.names, "uuid": self.uuid, "unknown_tagged_fields": self.unknown_tagged_fields}

    def table(self) -> MessageTable:
        """The message. Raises ``LookupError`` for one that does not exist. For drivers."""
        assert self.message is not None
        if self.specs:
            return catalog_with_specs(*self.specs).message(self.message)
        # New processes may plan each query, and loading all messages takes ten times as long as loading one.
        alone = Catalog.of_package(wanted=lambda name: name == self.message)
        return (alone if self.message in alone else default_catalog()).message(self.message)

    def catalog_of_records(self) -> Catalog:
        """The messages that can be in internal topics. For drivers."""
        if self.specs:
            return catalog_with_specs(*self.specs)
        return Catalog.of_package(wanted=lambda name: not name.endswith(_NOT_IN_RECORDS))


def _attribute(option: str) -> str:
    return re.sub(r"(?<=[a-z])([A-Z])", lambda match: "_" + match[1].lower(), option)


def _word(*allowed: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in allowed:
            raise ValueError(f"expected {' or '.join(allowed)}, not {text!r}")
        return text

    return parse


def _version(text: str) -> int:
    return whole_number(text, least=0)


def _numbers(text: str) -> tuple[range, ...]:
    return number_ranges(text, _MOST_VERSION)


CONTENT_OPTIONS: Final[dict[str, Callable[[str], Any]]] = {
    "message": str,
    "version": _version,
    "types": listed,
    "versions": _numbers,
    "keyTypes": _numbers,
    "fields": listed,
    "names": _word("kafka", "snake"),
    "uuid": _word("string", "binary"),
    "unknownTaggedFields": flag,
    "includeSecrets": flag,
    "specs": listed,
}
"""The options by name, each with the parser of its text."""

_WHY_NOT: Final = {
    "version": "records of internal topics have versions of their own; versions=0-3 chooses among them",
    "keyTypes": "types=OffsetCommit chooses records by what their keys say",
    "unknownTaggedFields": "it needs message=; records of internal topics have no columns for unknown tagged fields",
    "includeSecrets": "it needs message=; secrets in internal topics are never decoded",
}
_NOT_WITH_TYPES: Final = _WHY_NOT.keys()
