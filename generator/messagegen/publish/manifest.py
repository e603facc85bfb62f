"""MANIFEST.json: the generated files of an output folder, what they were made from, and the messagegen that made them.

Later runs use it to distinguish their own files from others, and to see that nothing changed. Python files prove their
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

_UNSAFE_CHARACTER: Final = re.compile(r'[\x00-\x1f\x7f\\:*?"<>|]')
_FORMAT_LINE: Final = re.compile(r'^\s*"format": ([0-9]{1,9}),\r?$', re.MULTILINE)
_GENERATOR_LINE: Final = re.compile(r'^\s*"generator": "([^"\\]{1,100})",\r?$', re.MULTILINE)
_FILE_LINE: Final = re.compile(r'^\s*"([^"\\]+\.[^"\\]+)": "([0-9a-f]*)",?\r?$', re.MULTILINE)
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

    ``files`` has the digest of each file, which is empty for files that prove themselves. ``source`` is the text that was read.
    If it is not ``clean``, it had conflicts or differs from what would be written.
    """

    generator: str
    files: Mapping[str, str]
    made: Made = Made()
    source: bytes = b""
    clean: bool = True

    @classmethod
    def parse(cls, data: bytes) -> Manifest:
        """Parses a manifest; if a merge left conflicts or lines of both sides, lists the files of both.

        Raises ``PublishError`` for anything that neither messagegen nor a merge writes, including paths that lead out of the
        folder.
        """
        text = data.decode(errors="replace")
        forms, generators = _FORMAT_LINE.findall(text), _GENERATOR_LINE.findall(text)
        if not forms or not generators:
            raise PublishError(f"{MANIFEST} was not written by messagegen; {_RESTORE}")
        if {*forms} != {str(FORMAT)}:
            raise PublishError(
                f"{MANIFEST} has format {max(forms)}, this version of messagegen supports format {FORMAT}; "
                "install the version that wrote it, or delete the output folder and generate it again"
            )
        try:
            value = json.loads(data)
            specs = {str(name): list(map(str, parts)) for name, parts in value["specs"].items()}
            made = Made(str(value["settings"]), specs, str(value["others"]))
            files = {str(path): str(digest) for path, digest in value["files"].items()}
            found = cls(generators[0], files, made, data)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            found = None
        # Only a text that is as it was written is taken at its word.
        if found is None or found.render() != data:
            found = cls(generators[0], dict(_FILE_LINE.findall(text)), source=data, clean=False)
        check_paths(found.files)
        return found

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


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of ``folder``, or ``None`` if it has none. Raises ``PublishError`` if something else has its name."""
    try:
        return Manifest.parse(read(folder, MANIFEST))
    except FileNotFoundError:
        return None
    except OSError:
        raise PublishError(f"{folder / MANIFEST} is not a plain file; {_RESTORE}") from None
    except PublishError as error:
        raise PublishError(f"{folder}: {error}") from None


def check_paths(paths: Iterable[str]) -> None:
    """Raises ``PublishError`` for an absolute path, ``..``, a separator of another system, and a reserved name."""
    for path in paths:
        parts = path.split("/")
        if _UNSAFE_CHARACTER.search(path) or any(part in ("", ".", "..") or part[-1] in " ." for part in parts):
            raise PublishError(f"{path!r} is not a path below the output folder; write parts of names joined by /")
        if path.casefold() == MANIFEST.casefold() or "__pycache__" in parts:
            raise PublishError(f"{path!r} is reserved; use another file name")
