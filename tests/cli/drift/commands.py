"""Runs ``messagegen generate`` as a given version of messagegen, in this process or in a new one."""

from __future__ import annotations

import contextlib
import functools
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Protocol
from unittest import mock

from messagegen import outputs
from messagegen.config import load_outputs
from messagegen.generation import loading, package, sources
from messagegen.publish import output
from messagegen.publish.manifest import PublishError
from tests.cli.drift.versions import pretended

REPOSITORY: Final = Path(__file__).parents[3]


class Command(Protocol):
    """Generates or checks the output of the current folder, as a given version. Returns the exit code."""

    def __call__(self, version: str, *, check: bool) -> int: ...


def in_process(version: str, *, check: bool) -> int:
    """Run the command in this process."""
    (settings,) = load_outputs(Path("pyproject.toml"))
    settings = replace(settings, file=None)
    with pretended(version):
        try:
            built = package.build_package(settings)
            act = output.check if check else output.publish
            changes = act(built.files, settings.require_output())
        except (PublishError, OSError):
            return 2
    return int(check and bool(changes.files or changes.loaded))


def by_process(version: str, *, check: bool) -> int:
    """Run the command in a new process."""
    arguments = ["generate", "--check"] if check else ["generate"]
    command = [sys.executable, "-m", "tests.cli.drift.versions", version, *arguments]
    path = os.pathsep.join([str(REPOSITORY / "generator"), str(REPOSITORY)])
    environment = {"PYTHONPATH": path, "PATH": "/usr/bin:/bin", "MESSAGEGEN_PROGRESS": "0"}
    return subprocess.run(command, check=False, capture_output=True, env=environment).returncode


@contextlib.contextmanager
def remembered() -> Iterator[None]:
    """Cache parsed specs, plans and rendered text for a ``with`` block, so that a run takes milliseconds.

    The cached functions do not depend on the output folder or the version.
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
        # The cached value keeps `read` alive, so no other object gets its id.
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
