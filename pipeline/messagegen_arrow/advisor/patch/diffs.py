"""Changes of specs as unified diffs."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from messagegen_arrow.advisor.patch.new_version import patch_spec
from messagegen_arrow.advisor.patch.text import SpecText, property_text
from messagegen_arrow.advisor.patch.wire_format import FieldEncodings

_NO_LINE_BREAK: Final = "\n\\ No newline at end of file\n"
"""What diffs have after a last line without a line break."""
_REQUEST: Final = "Request"
_RESPONSE: Final = "Response"


def diff_of_specs(message: str, encodings: FieldEncodings, sources: Sequence[Path]) -> str:
    """The change of a message's spec, and of the spec of its request or response, as a unified diff.

    ``sources`` are folders or files. Raises ``LookupError`` for a message without a spec there, and what ``patch_spec``
    raises.
    """
    texts = {file: file.read_bytes().decode() for file in _spec_files(sources)}
    file = _file_of(message, texts)
    if file is None:
        raise LookupError(f"no spec in --specs defines the message {message}")
    diff = _diff(file, texts[file], patch_spec(texts[file], encodings))

    # Request and response of an API have the same versions in Kafka.
    partner = _partner(message)
    partner_file = None if partner is None else _file_of(partner, texts)
    if partner_file is not None:
        diff += _diff(partner_file, texts[partner_file], patch_spec(texts[partner_file], {}))
    return diff


def _spec_files(sources: Sequence[Path]) -> list[Path]:
    files: list[Path] = []
    for source in sources:
        if source.is_file():
            files.append(source)
        else:
            files += sorted(source.rglob("*.json"))
    return files


def _partner(message: str) -> str | None:
    """The name of the response of a request, and of the request of a response."""
    if message.endswith(_REQUEST):
        return message.removesuffix(_REQUEST) + _RESPONSE
    if message.endswith(_RESPONSE):
        return message.removesuffix(_RESPONSE) + _REQUEST
    return None


def _file_of(message: str, texts: Mapping[Path, str]) -> Path | None:
    """The file whose spec has this name."""
    for file, text in texts.items():
        # Parsing all files would take seconds.
        if f'"{message}"' in text and property_text(SpecText(text).root, "name") == message:
            return file
    return None


def _diff(file: Path, before: str, after: str) -> str:
    """The change as a unified diff, for ``patch`` and ``git apply`` in the current folder."""
    here = Path.cwd()
    relative = file.relative_to(here) if file.is_relative_to(here) else file
    name = relative.as_posix().lstrip("/")
    lines = difflib.unified_diff(
        before.splitlines(keepends=True),
        after.splitlines(keepends=True),
        f"a/{name}",
        f"b/{name}",
    )
    # A file may lack its last line break, which would join two lines of the diff.
    return "".join(line if line.endswith("\n") else line + _NO_LINE_BREAK for line in lines)
