"""Spec files to the files of outputs, in memory; as little as possible if earlier runs have recorded the result."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

from messagegen.findings import Finding
from messagegen.generation.files import read_texts
from messagegen.generation.identity import generator_identity
from messagegen.generation.record import Record, RecordedFile, Run, digest_of, digest_of_text
from messagegen.publish import LINE_LENGTH
from messagegen.texts import read_text

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


@dataclass(frozen=True, slots=True)
class Request:
    """What to generate: the texts of specs by file name, and settings. See ``build_package``."""

    texts: Mapping[str, bytes]
    messages: Sequence[str] = ()
    versions: Mapping[str, str] = field(default_factory=dict[str, str])
    error_codes: Path | None = None
    include: Sequence[str] = ()
    options: Mapping[str, Mapping[str, object]] = field(default_factory=dict[str, Mapping[str, object]])
    style: Style = Style()

    def digest(self, generator: str) -> str:
        """A digest of everything that the files depend on: the inputs, and the identity of the generator."""
        codes = self.error_codes and self.error_codes.is_file() and digest_of_text(read_text(self.error_codes))
        texts = [(file, digest_of_text(text)) for file, text in self.texts.items()]
        settings = replace(self, texts={}, error_codes=None)
        return digest_of((generator, texts, self.error_codes, codes, asdict(settings)))


Known = Callable[[Mapping[str, str]], Mapping[str, str]]
"""Gives the texts that are known of files, by path; the argument has the digests of what they are made from."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A package, and the digests of what its files are made from, of those that are made from a part of the request."""

    package: Package
    inputs: Mapping[str, str]

    def run(self, inputs: str) -> Run:
        """What to record of it; ``inputs`` is the digest of the request."""
        files = {
            path: RecordedFile(self.inputs.get(path, ""), digest_of_text(text))
            for path, text in self.package.files.items()
        }
        return Run(inputs, self.package.message_count, self.package.warnings, files)


def build_package(  # noqa: PLR0913 - options, each passed by its name
    specs: Sequence[Path],
    *,
    messages: Sequence[str] = (),
    versions: Mapping[str, str] | None = None,
    error_codes: Path | None = None,
    include: Sequence[str] = (),
    options: Mapping[str, Mapping[str, object]] | None = None,
    style: Style = Style(),
    jobs: int | None = None,
    progress: Progress | None = None,
    record: Record | None = None,
) -> Package:
    """Reads, plans, renders and formats everything; only writes to the ``record`` of earlier runs.

    ``error_codes`` is a file of error codes to include. ``include`` names the outputs; if it is empty, those that
    are written by default. ``options`` are their options. ``jobs`` is the number of processes for formatting (default: one per
    core). Raises ``SpecError`` with all findings, and ``UsageError``.
    """
    request = Request(read_texts(specs), messages, versions or {}, error_codes, include, options or {}, style)
    generator = generator_identity() if record else None
    if record is None or generator is None:
        return _render(request, "", lambda _: {}, jobs, progress).package
    inputs, last = request.digest(generator), record.read()
    if last.inputs == inputs and len(texts := record.texts(last.files)) == len(last.files):
        return Package(texts, last.message_count, last.warnings)

    def known(wanted: Mapping[str, str]) -> Mapping[str, str]:
        files = {path: file for path, file in last.files.items() if file.inputs and file.inputs == wanted.get(path)}
        return record.texts(files)

    made = _render(request, generator, known, jobs, progress)
    run = made.run(inputs)
    if run != last:
        record.write(run)
    return made.package


def _render(request: Request, generator: str, known: Known, jobs: int | None, progress: Progress | None) -> Rendered:
    from messagegen.generation.rendering import render  # noqa: PLC0415 - most runs have nothing to render

    return render(request, generator, known, jobs or os.cpu_count() or 1, progress)
