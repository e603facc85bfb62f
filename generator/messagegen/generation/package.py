"""Spec files to the files of outputs, in memory."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from messagegen import outputs
from messagegen.findings import Finding
from messagegen.generation.plans import inputs_of
from messagegen.generation.sources import read_sources
from messagegen.outputs.formatting import Formatting
from messagegen.publish import LINE_LENGTH, headed
from messagegen.publish.format_cache import FormatCache

Progress = Callable[[int, int, str], None]
"""Called with the number of completed steps, the total, and the path of the last file; each file is rendered, then formatted."""

SPEC_LICENCE: Final = "LicenseRef-MessageSpecs"
"""Generated code has the licence of its specs, which is unknown unless configured."""


@dataclass(frozen=True, slots=True)
class Package:
    """An output folder in memory: text by relative POSIX path, the number of messages, and the warnings about their specs."""

    files: dict[str, str]
    message_count: int
    warnings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Style:
    """The style of generated code: the maximum line length, and the SPDX expression for everything but the runtime."""

    line_length: int = LINE_LENGTH
    licence: str = SPEC_LICENCE


def build_package(  # noqa: PLR0913 - options, each passed by its name
    specs: Sequence[Path],
    *,
    messages: Sequence[str] = (),
    versions: Mapping[str, str] | None = None,
    error_codes: Path | None = None,
    include: Sequence[str] = (),
    options: Mapping[str, outputs.Options] | None = None,
    style: Style = Style(),
    jobs: int | None = None,
    progress: Progress | None = None,
    cache: FormatCache | None = None,
) -> Package:
    """Reads, plans, renders and formats everything; only writes to the ``cache`` of formatted texts.

    ``error_codes`` is a file of error codes to include. ``include`` names the outputs; if it is empty, those that
    are written by default. ``options`` are their options. ``jobs`` is the number of processes for formatting (default: one per
    core). Raises ``SpecError`` with all findings, and ``UsageError``.
    """
    sources = read_sources(specs, messages=messages, versions=versions, error_codes=error_codes)
    inputs = inputs_of(sources.messages, sources.error_codes)
    made = list(outputs.files(inputs, include, options))
    total = 2 * sum(not file.copied for _, files in made for file in files.values())
    how = Formatting(style.line_length, jobs or os.cpu_count() or 1, cache)
    result: dict[str, str] = {}
    steps = itertools.count(1)

    def step(path: str, text: str) -> str:
        if progress is not None:
            progress(next(steps), total, path)
        return text

    for output, files in made:
        result |= {path: _headed(path, file.render(), file, style) for path, file in files.items() if file.copied}
        texts = {path: step(path, file.render()) for path, file in files.items() if not file.copied}
        for path, text in output.formatter(texts, how):
            result[path] = _headed(path, step(path, text), files[path], style)
    return Package(result, len(inputs.messages), sources.warnings)


def _headed(path: str, text: str, file: outputs.File, style: Style) -> str:
    if not path.endswith(".py"):
        return text
    return headed(path, text, file.licence or style.licence, signed=file.signed)
