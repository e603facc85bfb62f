"""MANIFEST.json: the generated files of an output folder, what they were made from, and the messagegen that made them.

Later runs use it to distinguish their own files from others, and to see that nothing changed. Signed files prove their
content themselves (``header``), other files have a digest here. No line depends on all specs, so branches that change
different messages merge.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from messagegen.publish.files import read

MANIFEST: Final = "MANIFEST.json"
FORMAT: Final = 3

_PATH: Final = re.compile(r"[\w-]+(\.[\w-]+)*(/[\w-]+(\.[\w-]+)*)*")
_LINE: Final = re.compile(r'^( +)"([^"\\]+)": "?([^"\\[{,\r\n]*)"?,?\r?$', re.MULTILINE)
_SPEC: Final = re.compile(r'^    "(\w+)": \[([^\]]*)\]', re.MULTILINE)
_RESTORE: Final = "restore it from version control, or delete the output folder and generate it again"


class PublishError(ValueError):
    """Raised if writing would lose or overwrite files that are not ours; the message says what to do instead."""


@dataclass(frozen=True, slots=True)
class Made:
    """What files are made from, as digests: settings and generator, and all specs that no message of the output is made from.

    ``specs`` has for each message the digest of its spec, and the names of other messages that its files are made from, too.
    """

    settings: str = ""
    specs: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    others: str = ""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The generated files of a folder by relative POSIX path, and the version of the messagegen that wrote them.

    ``files`` has the digest of each file, which is empty for signed files.
    """

    generator: str
    files: Mapping[str, str]
    made: Made = Made()

    @classmethod
    def parse(cls, data: bytes) -> Manifest:
        """Parses a manifest line by line; if a merge left conflicts or lines of both sides, lists the files of both.

        Raises ``PublishError`` for anything that neither messagegen nor a merge writes, including paths that lead out of the
        folder.
        """
        text = data.decode(errors="replace")
        lines = _LINE.findall(text)
        head = {key: value for indent, key, value in lines if len(indent) == 2}
        files = {path: digest for indent, path, digest in lines if len(indent) == 4}
        if not {"format", "generator"} <= head.keys():
            raise PublishError(f"{MANIFEST} was not written by messagegen; {_RESTORE}")
        if head["format"] != str(FORMAT):
            raise PublishError(
                f"{MANIFEST} has format {head['format']}, this version of messagegen supports format {FORMAT}; "
                "install the version that wrote it, or delete the output folder and generate it again"
            )
        check_paths(files)
        specs = {name: re.findall(r"\w+", digests) for name, digests in _SPEC.findall(text)}
        return cls(head["generator"], files, Made(head.get("settings", ""), specs, head.get("others", "")))

    def render(self) -> bytes:
        """The file content: sorted JSON which merges line by line; between the digests of two specs, there are lines that stay."""
        value = {
            "format": FORMAT,
            "generator": self.generator,
            "settings": self.made.settings,
            "others": self.made.others,
            "specs": dict(sorted(self.made.specs.items())),
            # Folders last: the last line, which has no comma, is then a runtime file, so new messages don't change it.
            "files": dict(sorted(self.files.items(), key=lambda file: ("/" in file[0], file[0]))),
        }
        return (json.dumps(value, indent=2) + "\n").encode()


def read_manifest(folder: Path) -> tuple[Manifest | None, bytes]:
    """The manifest of ``folder`` and its text, or ``None`` if it has none. Raises ``PublishError`` if something else has its name."""
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
