"""Records of internal topics, each decoded by its type and version where it is read; other types are left out before that."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.content_options import ContentOptions
from messagegen_arrow.internal_topics.contents import Contents, Types
from messagegen_arrow.internal_topics.reading import RecordBatch, RecordReader
from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME
from messagegen_arrow.named_columns import NamedColumn
from messagegen_arrow.options import OptionError

_COMMENT: Final = b"comment"


@dataclass(frozen=True)
class TypesContent:
    """Decodes the records of some types; it pickles."""

    reader: RecordReader
    options: ContentOptions
    schema: pa.Schema = field(repr=False, compare=False)

    @classmethod
    def of(cls, options: ContentOptions) -> TypesContent:
        """What the options say. Raises ``LookupError`` for types and ``ValueError`` for fields that do not exist."""
        catalog = options.catalog_of_records()
        contents = Contents.of(_wanted(options), catalog, names=options.names, uuid=options.uuid)
        schema = contents.arrow_schema(with_errors=True, catalog=catalog)
        return cls(RecordReader(contents), options, schema)

    @property
    def replaced(self) -> tuple[str, ...]:
        """The columns of the log that there are not beside the content."""
        return ("key", "value", ERROR_NAME, RAW_NAME)

    @property
    def needed(self) -> tuple[str, ...]:
        """The columns of the log that decoding needs."""
        return ("key", "value", "topic", "isControl")

    @property
    def columns(self) -> tuple[NamedColumn, ...]:
        """The columns that decoding adds."""
        return tuple(NamedColumn(each.name, each.type, _comment(each)) for each in self.schema)

    def limited(self, options: LogOptions) -> LogOptions:
        """The options with the topics that may hold records of these types."""
        families = self.reader.contents.wanted_families
        if any(each.framing == "control" for each in families):
            return options.with_texts(includeControl="true")
        # The folder of a copy may not say the topic.
        topics = frozenset([None, *(each.name for each in families)])
        if options.named_topics is not None and not topics & options.named_topics:
            types, places = ", ".join(self.options.types or ()), ", ".join(sorted(each.name for each in families))
            raise OptionError(f"options topics and types: records of {types} are in {places}; remove topics")
        return replace(options, topics=topics)

    def decode(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """The rows that are wanted, with the content of their keys and values, and why some can't be read."""
        decoded, chosen = self.reader.read_chosen(self._records(rows), self.options.versions)
        if chosen is not None:
            rows = rows.take(pa.array(chosen))
        columns = dict(zip(rows.schema.names, rows.columns, strict=True))
        found = dict(zip(decoded.type.names, decoded.flatten(), strict=True))
        return pa.RecordBatch.from_pydict({**columns, **found})

    def _records(self, rows: pa.RecordBatch) -> RecordBatch:
        names = rows.schema.names
        topics = rows.column("topic")
        families = [each.name for each in self.reader.contents.wanted_families if each.framing != "control"]
        if len(families) == 1 and topics.null_count:
            # A copy of a file may be in a folder with any name.
            topics = pc.fill_null(topics, families[0])
        return RecordBatch(
            rows.column("key"),
            rows.column("value"),
            topics,
            rows.column("isControl"),
            rows.column(ERROR_NAME) if ERROR_NAME in names else None,
            rows.column(RAW_NAME) if RAW_NAME in names else None,
        )


def _comment(each: pa.Field) -> str:
    metadata: dict[bytes, bytes] = each.metadata or {}
    return metadata.get(_COMMENT, b"").decode()


def _wanted(options: ContentOptions) -> Types:
    """The types, with the paths of fields of those that have some; other types have all their fields."""
    assert options.types is not None
    types = options.types
    if options.fields is None:
        return types
    paths: dict[str, list[str]] = {}
    for path in options.fields:
        name, _, rest = path.partition(".")
        if name not in types or not rest:
            raise OptionError(
                f"option fields: expected TYPE.PATH with one of the types {', '.join(types)}, such as {types[0]}.value, not {path!r}"
            )
        paths.setdefault(name, []).append(rest)
    return {name: paths.get(name) for name in types}
