"""MANIFEST.json: the generated files of an output folder, what they were made from, and the messagegen that made them.

Later runs use it to distinguish their own files from others, and to see that nothing changed. Signed files prove their
content themselves (``header``), other files have a digest here.

Each fact has a line of its own, and no line depends on all specs, so branches that change different messages merge. If
a merge leaves something else than JSON, ``parse`` still finds the files of both sides.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from messagegen.publish.files import read

MANIFEST: Final = "MANIFEST.json"
FORMAT: Final = 3

_INDENT: Final = 2
"""The spaces of each level of the JSON: the keys of the manifest have one level, its files two."""
_PATH: Final = re.compile(r"[\w-]+(\.[\w-]+)*(/[\w-]+(\.[\w-]+)*)*")
_RESTORE: Final = "restore it from version control, or delete the output folder and generate it again"


class PublishError(ValueError):
    """Raised if writing would lose or overwrite files that are not ours; the message says what to do instead."""


@dataclass(frozen=True, slots=True)
class MessageInputs:
    """What the files of a message are made from: the digest of its spec, and the names of other messages."""

    spec: str
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InputDigests:
    """What an output is made from, as digests.

    ``settings`` is that of the settings and the generator, ``other_specs`` that of the specs that no message is made
    from.
    """

    settings: str = ""
    messages: Mapping[str, MessageInputs] = field(default_factory=dict[str, MessageInputs])
    other_specs: str = ""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The generated files of a folder by relative POSIX path, and the version of the messagegen that wrote them.

    ``files`` has the digest of each file, which is empty for signed files.
    """

    generator: str
    files: Mapping[str, str]
    inputs: InputDigests = InputDigests()

    @classmethod
    def parse(cls, data: bytes) -> Manifest:
        """Parses a manifest; one that a merge left is read line by line, and lists the files of both sides.

        Raises ``PublishError`` for anything that neither messagegen nor a merge writes, including paths that lead out
        of the folder.
        """
        text = data.decode(errors="replace")
        document = _json_object(text)
        if document is None:
            document = _merged_document(text)
        if not isinstance(document.get("generator"), str) or "format" not in document:
            raise PublishError(f"{MANIFEST} was not written by messagegen; {_RESTORE}")
        if document["format"] != FORMAT:
            raise PublishError(
                f"{MANIFEST} has format {document['format']}, this version of messagegen supports format {FORMAT}; "
                "install the version that wrote it, or delete the output folder and generate it again"
            )
        try:
            manifest = _from_document(document)
        except (AttributeError, TypeError, ValueError):
            raise PublishError(f"{MANIFEST} was not written by messagegen; {_RESTORE}") from None
        check_paths(manifest.files)
        return manifest

    def render(self) -> bytes:
        """The file content: sorted JSON that merges line by line.

        Between the digests of two specs there are lines that stay.
        """
        specs = {name: [inputs.spec, *inputs.others] for name, inputs in self.inputs.messages.items()}
        document = {
            "format": FORMAT,
            "generator": self.generator,
            "settings": self.inputs.settings,
            "others": self.inputs.other_specs,
            "specs": dict(sorted(specs.items())),
            # Folders last: the last line, which has no comma, is then a runtime file, so new messages don't change it.
            "files": dict(sorted(self.files.items(), key=lambda file: ("/" in file[0], file[0]))),
        }
        return (json.dumps(document, indent=_INDENT) + "\n").encode()


def read_manifest(folder: Path) -> tuple[Manifest | None, bytes]:
    """The manifest of ``folder`` and its text; without a manifest, ``None``.

    Raises ``PublishError`` if something else has its name.
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


def check_paths(paths: Iterable[str]) -> None:
    """Raises ``PublishError`` for a path that is not plain names joined by slashes, and for that of the manifest."""
    for path in paths:
        if not _PATH.fullmatch(path) or path.casefold() == MANIFEST.casefold():
            raise PublishError(f"{path!r} is not the path of a generated file; write plain names joined by /")


def _from_document(document: Mapping[str, Any]) -> Manifest:
    """The manifest that a document describes. Raises ``TypeError`` and others if the values are not of its types."""
    files = {path: _text(digest) for path, digest in document.get("files", {}).items()}
    messages: dict[str, MessageInputs] = {}
    for name, (spec, *others) in document.get("specs", {}).items():
        messages[name] = MessageInputs(_text(spec), tuple(map(_text, others)))
    inputs = InputDigests(_text(document.get("settings", "")), messages, _text(document.get("others", "")))
    return Manifest(document["generator"], files, inputs)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected text, not {value!r}")
    return value


def _json_object(text: str) -> dict[str, Any] | None:
    """The JSON object that a text is, or ``None``."""
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _merged_document(text: str) -> dict[str, Any]:
    """What a manifest says that has conflicts, or lines of both sides: its own keys, and the files of both sides.

    It does not say what the files were made from, so a run generates all of them.
    """
    head: dict[str, Any] = {}
    files: dict[str, Any] = {}
    for indent, key, value in _pairs(text):
        if indent == _INDENT and key in ("format", "generator"):
            head[key] = value
        elif indent == 2 * _INDENT:
            files[key] = value
    return {**head, "files": files}


def _pairs(text: str) -> Iterator[tuple[int, str, object]]:
    """The indentation, key and value of each line that is a whole property.

    Other lines, such as marks of conflicts, are left out.
    """
    for line in text.splitlines():
        pair = line.strip().removesuffix(",")
        found = _json_object(f"{{{pair}}}") or {}
        for key, value in found.items():
            yield len(line) - len(line.lstrip()), key, value
