"""What the last runs generated from which inputs, in the user's cache; ``docs/design/022-start-up.md`` says what is trusted.

A record has digests only. A text is taken from the output folder, if it still has the digest that is recorded for the same
inputs; so an edited, deleted or half-written file is generated anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from messagegen.findings import Finding
from messagegen.publish import read_unchanged

_FORMAT: Final = 1
_KEPT: Final = 100
"""Records of other outputs, of which the oldest are deleted."""


@dataclass(frozen=True, slots=True)
class RecordedFile:
    """A generated file: the digest of all that its text is made from, empty if that is everything, and that of its content."""

    inputs: str
    content: str


@dataclass(frozen=True, slots=True)
class Run:
    """A run: the digest of its inputs, the number of messages, warnings about their specs, and files by path."""

    inputs: str = ""
    message_count: int = 0
    warnings: tuple[Finding, ...] = ()
    files: Mapping[str, RecordedFile] = field(default_factory=dict[str, RecordedFile])


class Record:
    """The record of one output folder; ``folder`` is the one of all records.

    A record that can't be read or written counts as missing; it never makes a run fail.
    """

    def __init__(self, folder: Path, output: Path) -> None:
        name = hashlib.sha256(os.fsencode(output.absolute())).hexdigest()
        self._file = folder / f"{name}.json"
        self._output = output

    def read(self) -> Run:
        """The last run that was recorded, or an empty one."""
        try:
            return _run(json.loads(self._file.read_bytes()))
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return Run()

    def texts(self, files: Mapping[str, RecordedFile]) -> dict[str, str]:
        """The texts of those of ``files`` that the output folder has with the recorded content."""
        found = read_unchanged(self._output, {path: file.content for path, file in files.items()})
        return {path: content.decode() for path, content in found.items()}

    def write(self, run: Run) -> None:
        """Replaces the record in one step."""
        value = {"format": _FORMAT, **asdict(run)}
        temporary = self._file.with_suffix(f".{os.getpid()}")
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            try:
                temporary.write_text(json.dumps(value), encoding="utf-8")
                temporary.replace(self._file)
            finally:
                temporary.unlink(missing_ok=True)
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        records = sorted(self._file.parent.glob("*.json"), key=lambda file: file.stat().st_mtime_ns)
        for file in records[:-_KEPT]:
            file.unlink(missing_ok=True)


def digest_of(parts: Iterable[object]) -> str:
    """A digest of values of JSON and others with a stable ``repr``, that differs where any of them does."""
    return hashlib.sha256(json.dumps(list(parts), sort_keys=True, default=repr).encode()).hexdigest()


def digest_of_text(text: str | bytes) -> str:
    """SHA-256 of a text in UTF-8."""
    data = text if isinstance(text, bytes) else text.encode(errors="surrogatepass")
    return hashlib.sha256(data).hexdigest()


def _run(value: dict[str, Any]) -> Run:
    """The run of a record; raises an error of Python for anything that ``Record.write`` does not write."""
    if value["format"] != _FORMAT:
        return Run()
    return Run(
        str(value["inputs"]),
        int(value["message_count"]),
        tuple(Finding(**finding) for finding in value["warnings"]),
        {path: RecordedFile(str(file["inputs"]), str(file["content"])) for path, file in value["files"].items()},
    )
