"""Ways to run ``messagegen generate`` as some version: in this process, or in one of its own."""

from __future__ import annotations

import contextlib
import functools
import io
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Protocol
from unittest import mock

from messagegen import outputs
from messagegen.cli import run
from messagegen.generation import loading, package, sources
from tests.cli.drift.versions import pretended

REPOSITORY: Final = Path(__file__).parents[3]


class Command(Protocol):
    """Runs messagegen as a version with arguments, in the current folder, and returns its exit code."""

    def __call__(self, version: str, arguments: Sequence[str]) -> int: ...


def in_process(version: str, arguments: Sequence[str]) -> int:
    """Run messagegen in this process. What depends on specs alone is computed once: see ``remembered``."""
    with pretended(version), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return run(arguments)


def by_process(version: str, arguments: Sequence[str]) -> int:
    """Run messagegen in a process of its own."""
    command = [sys.executable, "-m", "tests.cli.drift.versions", version, *arguments]
    environment = {"PYTHONPATH": str(REPOSITORY), "PATH": "/usr/bin:/bin", "MESSAGEGEN_PROGRESS": "0"}
    return subprocess.run(command, check=False, capture_output=True, env=environment).returncode


@contextlib.contextmanager
def remembered() -> Iterator[None]:
    """Remember parsed specs, plans and rendered texts for a ``with`` block, so that a run takes milliseconds.

    Their functions see neither the output folder nor the version.
    """
    files = outputs.files
    found: dict[object, Any] = {}

    def once(key: object, make: Callable[[], Any]) -> Any:
        if key not in found:
            found[key] = make()
        return found[key]

    def read_sources(specs: Sequence[Path], **others: Any) -> sources.Sources:
        codes = others["error_codes"]
        places = [file for folder in specs for file in sorted(folder.glob("*.json"))] + ([codes] if codes else [])
        texts = tuple((place, place.read_bytes()) for place in places)
        read: sources.Sources = once(("sources", texts), lambda: sources.read_sources(specs, **others))
        return read

    def inputs_of(read: sources.Sources) -> outputs.Inputs:
        # The key keeps the sources, so their identity stays theirs.
        inputs: outputs.Inputs = once(("inputs", id(read)), lambda: (read, loading.inputs_of(read)))[1]
        return inputs

    def files_of(inputs: outputs.Inputs, include: Sequence[str], options: Any) -> dict[str, outputs.File]:
        key = ("files", id(inputs), tuple(include), repr(options))
        made: dict[str, outputs.File] = once(key, lambda: files(inputs, include, options))
        return made

    text = package._file_text  # noqa: SLF001 - the slowest step
    with (
        mock.patch.object(package, "read_sources", read_sources),
        mock.patch.object(package, "inputs_of", inputs_of),
        mock.patch.object(outputs, "files", files_of),
        mock.patch.object(package, "_file_text", functools.cache(text)),
    ):
        yield


