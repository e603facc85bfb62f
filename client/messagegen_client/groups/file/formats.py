"""The formats of files of offsets: which one a file has, and how it is read and written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Final, Literal, get_args

from messagegen_client.groups.file.document import json_text, read_document, yaml_text
from messagegen_client.groups.file.lines import lines_text, read_lines
from messagegen_client.groups.file.model import GroupOffsets, OffsetFile, OffsetFileError

FileFormat = Literal["csv", "json", "yaml"]
FILE_FORMATS: Final[tuple[FileFormat, ...]] = get_args(FileFormat)
_BY_SUFFIX: Final[Mapping[str, FileFormat]] = {".json": "json", ".yaml": "yaml", ".yml": "yaml"}
_BEGIN_OF_DOCUMENTS: Final = ("{", "groups:")
"""How documents of offsets begin. Names of groups may begin like that, so a file that is valid CSV is CSV."""
_TEXT: Final[Mapping[FileFormat, Callable[[GroupOffsets], str]]] = {
    "csv": lines_text,
    "json": json_text,
    "yaml": yaml_text,
}


def format_of(name: str) -> FileFormat:
    """The format of a file by its name: CSV unless it ends with .json, .yaml or .yml."""
    return _BY_SUFFIX.get(PurePath(name).suffix.lower(), "csv")


def read_offset_file(text: str, name: str, *, form: FileFormat = "csv", group_id: str | None = None) -> OffsetFile:
    """The offsets in the text of a file; ``name`` is for errors.

    A file of CSV for one group may leave out the first column: then ``group_id`` is the group. Raises
    ``OffsetFileError`` with all errors, and ``ValueError`` for a document with ``group_id``.
    """
    if form == "csv":
        try:
            return read_lines(text, name, group_id=group_id)
        except OffsetFileError:
            if text.lstrip().startswith(_BEGIN_OF_DOCUMENTS):
                raise OffsetFileError([f"{name}: expected CSV, found JSON or YAML; --format reads it"]) from None
            raise
    if group_id is not None:
        raise ValueError(f"a file in {form.upper()} names its groups itself")
    return read_document(text, name)


def offset_file_text(offsets: GroupOffsets, form: FileFormat = "csv") -> str:
    """The text of a file with these offsets. CSV has no metadata and no leader epochs."""
    return _TEXT[form](offsets)
