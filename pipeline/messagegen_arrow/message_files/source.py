"""What ``kafka-messages`` gives under its options: which columns there are, and a reader of some of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.files import shown
from messagegen_arrow.log.message_content import MessageContent
from messagegen_arrow.log.types_content import TypesContent
from messagegen_arrow.malformed import ERROR_ARROW_TYPE, ERROR_NAME, RAW_NAME
from messagegen_arrow.message_files.inputs import VERSION, Inputs, check_names
from messagegen_arrow.message_files.options import NAME, MessageFileOptions
from messagegen_arrow.message_files.parquet import opened_parquet
from messagegen_arrow.message_files.reading import PartReader
from messagegen_arrow.named_columns import NamedColumn, chosen_names

_LAST: Final = (ERROR_NAME, RAW_NAME)
_MESSAGE_ERRORS: Final = (
    NamedColumn(ERROR_NAME, ERROR_ARROW_TYPE, "Why the message can't be read; null for valid ones."),
    NamedColumn(RAW_NAME, pa.binary(), "The bytes of a message that can't be read."),
)


@dataclass(frozen=True)
class MessageFileSource:
    """Columns of what bytes in files are decoded to, and columns of the files beside them."""

    options: MessageFileOptions
    content: MessageContent | TypesContent
    inputs: Inputs
    kept: pa.Schema
    """The columns of files that are kept, with the types that they get."""

    @classmethod
    def of(cls, options: MessageFileOptions, first: str) -> MessageFileSource:
        """The source with these options; the columns of the first file, at this path, stand for those of all.

        Raises ``MessageFileError`` and ``OSError`` for the file, ``LookupError`` and ``ValueError`` for messages, types, fields and columns
        that do not exist.
        """
        content = _content(options)
        with opened_parquet(first) as file:
            schema = file.columns
        inputs = Inputs.of(options, content, schema, shown(first))
        made = cls(options, content, inputs, _kept(options, schema, shown(first)))
        names = [*made.kept.names, *(column.name for column in made._decoded)]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(
                f"the result would have two columns named {' and two named '.join(twice)}; leave those of the files out with keep="
            )
        return made

    def with_kept_types(self, kept: pa.Schema) -> MessageFileSource:
        """The source with other types of the kept columns."""
        return replace(self, kept=kept)

    def with_fields(self, paths: Mapping[str, Sequence[str]]) -> MessageFileSource:
        """The source with these fields alone of columns of decoded structs, by the names of the columns."""
        own = {column.name for column in self._decoded} - set(_LAST)
        decoded = {name: each for name, each in paths.items() if name in own}
        if not decoded:
            return self
        options = replace(self.options, content=self.options.content.with_fields(decoded))
        return replace(self, options=options, content=_content(options))

    @property
    def columns(self) -> dict[str, NamedColumn]:
        """All columns by name, in their order."""
        kept = [NamedColumn(field.name, field.type, "") for field in self.kept]
        return {column.name: column for column in (*kept, *self._decoded)}

    @property
    def default_names(self) -> tuple[str, ...]:
        """The columns of a query that names none; only PERMISSIVE has something to say of malformed rows."""
        left_out = () if self.options.mode == "PERMISSIVE" else _LAST
        return tuple(name for name in self.columns if name not in left_out)

    def reader(self, names: Sequence[str], wanted: pc.Expression | None = None) -> PartReader:
        """A reader of the named columns; of row groups that have no row that is ``wanted``, as their statistics say, it reads nothing.

        Raises ``ValueError`` for a column that does not exist.
        """
        chosen = tuple(chosen_names(NAME, self.columns, names))
        kept = pa.schema([field for field in self.kept if field.name in chosen])
        return PartReader(chosen, tuple(names), self.content, self.inputs, kept, self.options, wanted)

    @property
    def _decoded(self) -> tuple[NamedColumn, ...]:
        return self.content.columns + (_MESSAGE_ERRORS if isinstance(self.content, MessageContent) else ())


def _content(options: MessageFileOptions) -> MessageContent | TypesContent:
    if options.content.types is not None:
        return TypesContent.of(options.content)
    return MessageContent.of(options.content, None if options.version_column is None else VERSION)


def _kept(options: MessageFileOptions, schema: pa.Schema, name: str) -> pa.Schema:
    if options.keep is None:
        decoded = {options.column} if options.content.types is None else {options.column, options.key_column}
        return pa.schema([field for field in schema if field.name not in decoded])
    chosen = chosen_names(name, schema.names, options.keep)
    check_names(schema, name, chosen)
    return pa.schema([schema.field(column) for column in chosen])
