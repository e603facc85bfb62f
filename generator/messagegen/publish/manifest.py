"""MANIFEST.json: the generated files of an output folder, and the messagegen that wrote them.

Later runs use the manifest to find files that are no longer generated, and to distinguish hand edits from changes due
to specs. They never rely on the manifest to decide that a file is up to date. A signed file has its digest in its
header (``header``). The manifest contains the digests of all other files.

Each file has a line of its own, so branches that change different messages merge. If a merge leaves text that is not
JSON, ``parse`` still finds the files of both sides.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from messagegen.publish.files import read

MANIFEST: Final = "MANIFEST.json"
FORMAT: Final = 3

_INDENT: Final = 2
"""The number of spaces per JSON level: keys of the manifest are on the first level, its files on the second."""
_PATH: Final = re.compile(r"[\w-]+(\.[\w-]+)*(/[\w-]+(\.[\w-]+)*)*")
_DIGESTS: Final = re.compile(r"([0-9a-f]{16}( [0-9a-f]{16})?)?")
_VERSION: Final = re.compile(
    r"[0-9]+(\.[0-9]+)*((a|b|rc)[0-9]+)?(\.post[0-9]+)?(\.dev[0-9]+)?(\+[a-z0-9]+(\.[a-z0-9]+)*)?"
)
_VERSION_LENGTH: Final = 64
_RESTORE: Final = "restore it from version control, or delete the output folder and generate it again"


class PublishError(ValueError):
    """Raised if writing would lose or overwrite files of users; the message contains the advice."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The generated files of a folder, by relative POSIX path, and the version of messagegen that wrote them.

    ``files`` has the digest of each file: 16 hexadecimal digits, or an empty string for a signed file. During a run, a
    file may have two digests, separated by a space: one for the content on disk and one for the new content.
    """

    generator: str
    files: Mapping[str, str]

    @classmethod
    def parse(cls, data: bytes) -> Manifest:
        """Parse a manifest. After a merge with conflicts, read it line by line and list the files of both sides.

        Raise ``PublishError`` for anything else that messagegen does not write, including paths that lead out of the
        folder.
        """
        text = data.decode(errors="replace")
        document = _json_object(text)
        if document is None:
            document = _merged_document(text)
        number = document.get("format")
        # Compare the type, because True == 1 in Python.
        if not _is_version(document.get("generator")) or type(number) is not int:
            raise PublishError(f"{MANIFEST} was not written by messagegen; {_RESTORE}")
        if number != FORMAT:
            raise PublishError(
                f"{MANIFEST} has format {number}, but this version of messagegen supports format {FORMAT}; "
                "install the version that wrote it, or delete the output folder and generate it again"
            )
        try:
            manifest = _from_document(document)
        except (AttributeError, TypeError, ValueError):
            raise PublishError(f"{MANIFEST} was not written by messagegen; {_RESTORE}") from None
        check_paths(manifest.files)
        return manifest

    def render(self) -> bytes:
        """Return the file content: sorted JSON that merges line by line."""
        document = {
            "format": FORMAT,
            "generator": self.generator,
            # Files in folders come last, because JSON has no comma after the last entry. So a new message, which is a
            # file at the top, adds a line and changes no other line.
            "files": dict(sorted(self.files.items(), key=lambda file: ("/" in file[0], file[0]))),
        }
        return (json.dumps(document, indent=_INDENT) + "\n").encode()


def read_manifest(folder: Path) -> tuple[Manifest | None, bytes]:
    """Return the manifest of ``folder`` (``None`` if it has none), and its bytes.

    Raise ``PublishError`` if a folder, a link or a file that is not a manifest has the manifest's name.
    """
    try:
        data = read(folder, MANIFEST)
        return Manifest.parse(data), data
    except FileNotFoundError:
        return None, b""
    except OSError:
        raise PublishError(f"{folder / MANIFEST} is not a plain file; {_RESTORE}") from None
    except PublishError as error:
        raise PublishError(f"{folder}: {error}") from None


def is_manifest(data: bytes) -> bool:
    """Whether the bytes of a file ``MANIFEST.json`` are a manifest, perhaps after a merge, and not a message spec."""
    return b'"generator"' in data and b'"validVersions"' not in data


def check_paths(paths: Iterable[str]) -> None:
    """Raise ``PublishError`` if a path is not plain names joined by slashes, or is the manifest's own path."""
    for path in paths:
        if not _PATH.fullmatch(path) or path.casefold() == MANIFEST.casefold():
            raise PublishError(f"{path!r} is not the path of a generated file; write plain names joined by /")


def _from_document(document: Mapping[str, Any]) -> Manifest:
    """Return the manifest in a document. Raise ``TypeError`` or other exceptions for unexpected values."""
    files = {path: _digests(digests) for path, digests in document.get("files", {}).items()}
    return Manifest(document["generator"], files)


def _digests(value: object) -> str:
    if not isinstance(value, str) or not _DIGESTS.fullmatch(value):
        raise TypeError("expected zero to two digests")
    return value


def _is_version(value: object) -> bool:
    """Whether a value looks like a version of messagegen, so that reports can print it."""
    return isinstance(value, str) and len(value) <= _VERSION_LENGTH and _VERSION.fullmatch(value) is not None


def _json_object(text: str) -> dict[str, Any] | None:
    """Parse a text as a JSON object; return ``None`` if it is not one."""
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _merged_document(text: str) -> dict[str, Any]:
    """Return the contents of a manifest after a merge that left conflicts or lines of both sides; keep all files."""
    head: dict[str, Any] = {}
    files: dict[str, Any] = {}
    for indent, key, value in _pairs(text):
        if indent == _INDENT and key in ("format", "generator"):
            head[key] = value
        elif indent == 2 * _INDENT:
            files[key] = value
    return {**head, "files": files}


def _pairs(text: str) -> Iterator[tuple[int, str, object]]:
    """Yield the indentation, key and value of each line that is a complete property.

    Other lines, such as conflict markers, are omitted.
    """
    for line in text.splitlines():
        pair = line.strip().removesuffix(",")
        found = _json_object(f"{{{pair}}}") or {}
        for key, value in found.items():
            yield len(line) - len(line.lstrip()), key, value
