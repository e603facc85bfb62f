"""Spec files to the files of outputs, in memory; as little as possible where the output is as an earlier run wrote it."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

import messagegen
from messagegen.build import BUILD
from messagegen.findings import Finding, UsageError
from messagegen.generation.files import read_texts
from messagegen.publish import LINE_LENGTH, Made, headed, read_as_written
from messagegen.templating import template_folder
from messagegen.texts import read_text

if TYPE_CHECKING:
    from messagegen.outputs import File

Progress = Callable[[int, int, str], None]
"""Called with the number of completed steps, the total, and the path of the last file; each file is rendered, then formatted."""

SPEC_LICENCE: Final = "LicenseRef-MessageSpecs"
"""Generated code has the licence of its specs, which is unknown unless configured."""

_ERROR_CODES: Final = "error codes"


@dataclass(frozen=True, slots=True)
class Package:
    """An output folder in memory: text by relative POSIX path, the number of messages, and the warnings about their specs.

    ``made`` says what it is made from.
    """

    files: dict[str, str]
    message_count: int
    warnings: tuple[Finding, ...] = ()
    made: Made = field(default_factory=Made)


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
    style: Style = field(default_factory=Style)

    def settings(self) -> str:
        """A digest of everything but specs that the files depend on: the settings, and the generator itself."""
        settings = asdict(replace(self, texts={}, error_codes=None))
        return _digest(json.dumps([_generator(), settings], sort_keys=True, default=str).encode())

    def digests(self) -> dict[str, str]:
        """The digest of each text by file name, that of the error codes among them."""
        digests = {file: _digest(text) for file, text in self.texts.items()}
        if self.error_codes is not None and self.error_codes.is_file():
            digests[_ERROR_CODES] = _digest(read_text(self.error_codes))
        return digests


def build_package(  # noqa: PLR0913 - options, each passed by its name
    specs: Sequence[Path],
    *,
    messages: Sequence[str] = (),
    versions: Mapping[str, str] | None = None,
    error_codes: Path | None = None,
    include: Sequence[str] = (),
    options: Mapping[str, Mapping[str, object]] | None = None,
    style: Style | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    output: Path | None = None,
) -> Package:
    """Reads, plans, renders and formats everything; writes nothing.

    ``error_codes`` is a file of error codes to include. ``include`` names the outputs; if it is empty, those that
    are written by default. ``options`` are their options. ``jobs`` is the number of processes for formatting (default: one per
    core). Files that ``output`` has already, made from the same specs and settings, are taken from there. Raises ``SpecError`` with
    all findings, and ``UsageError``.
    """
    request = Request(
        read_texts(specs), messages, versions or {}, error_codes, include, options or {}, style or Style()
    )
    made = Made(request.settings())
    digests = request.digests()
    manifest, present = read_as_written(output) if output else (None, {})
    if manifest is None or manifest.made.settings != made.settings:
        return _render(request, made, digests, Made(), {}, jobs, progress)
    before = manifest.made
    if present.keys() == manifest.files.keys() and before.others == _others(digests.values(), before.specs):
        return Package({path: data.decode() for path, data in present.items()}, len(before.specs), (), before)
    return _render(request, made, digests, before, present, jobs, progress)


def _render(
    request: Request,
    made: Made,
    digests: Mapping[str, str],
    before: Made,
    present: Mapping[str, bytes],
    jobs: int | None,
    progress: Progress | None,
) -> Package:
    """Renders all files but those of ``present`` that were made ``before`` from the same specs."""
    # Most runs have nothing to render.
    from messagegen import outputs  # noqa: PLC0415
    from messagegen.generation.loading import inputs_of  # noqa: PLC0415
    from messagegen.generation.sources import parse_sources  # noqa: PLC0415
    from messagegen.outputs.formatting import Formatting  # noqa: PLC0415

    known = {digest for digest, *_ in before.specs.values()}
    sources = parse_sources(
        request.texts,
        messages=request.messages,
        versions=request.versions,
        error_codes=request.error_codes,
        valid={file for file, digest in digests.items() if digest in known},
    )
    specs = {spec.name: [digests[spec.file]] for spec in sources.messages}
    inputs = inputs_of(sources.messages, sources.error_codes)
    chosen = list(outputs.files(inputs, request.include, request.options))
    names = {output.name for output, _ in chosen}
    if "strategies" in names and "python" not in names and not request.options.get("strategies", {}).get("package"):
        # Alone, they would import from a package whose files this run removes.
        raise UsageError(
            'the output strategies imports the classes of the output python; write include = ["python", "strategies"], '
            'or name the package that has them: options.strategies = { package = "kafka_messages" }'
        )
    rendered = {path: file for _, files in chosen for path, file in files.items() if file.plans and file.signed}
    for file in rendered.values():
        specs[file.plans[0]][1:] = file.plans[1:]
    same = {name for name, made_from in specs.items() if before.specs.get(name) == made_from}
    result = {
        path: present[path].decode()
        for path, file in rendered.items()
        if path in present and same.issuperset(file.plans)
    }
    total = 2 * sum(not file.copied and path not in result for _, files in chosen for path, file in files.items())
    steps = itertools.count(1)

    def step(path: str, text: str) -> str:
        if progress is not None:
            progress(next(steps), total, path)
        return text

    for output, files in chosen:
        wanted = {path: file for path, file in files.items() if path not in result}
        texts = {path: step(path, file.render()) for path, file in wanted.items() if not file.copied}
        formatted = output.formatter(texts, Formatting(request.style.line_length, jobs or os.cpu_count() or 1))
        done = {path: step(path, text) for path, text in formatted}
        done |= {path: file.render() for path, file in wanted.items() if file.copied}
        result |= {path: _headed(path, text, wanted[path], request.style) for path, text in done.items()}
    # Specs with warnings are read again by each run, so that it can repeat them.
    others = "" if sources.warnings else _others(digests.values(), specs)
    return Package(result, len(inputs.messages), sources.warnings, replace(made, specs=specs, others=others))


def _headed(path: str, text: str, file: File, style: Style) -> str:
    if not path.endswith(".py"):
        return text
    return headed(path, text, file.licence or style.licence, signed=file.signed)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _others(all_specs: Iterable[str], used: Mapping[str, Sequence[str]]) -> str:
    """The digest of those specs that no message of an output is made from, by the digests of both."""
    rest = Counter(all_specs)
    rest.subtract(digest for digest, *_ in used.values())
    return _digest(json.dumps(sorted(one for one in rest.items() if one[1])).encode())


@cache
def _generator() -> str:
    """A digest of the generator: its version, its code and templates, and the version of black, which formats the rest."""
    digest = hashlib.sha256(f"{BUILD} {version('black')}".encode())
    for folder in (Path(messagegen.__file__).parent, template_folder()):
        # Code in a zip file has its version only.
        for path in sorted(folder.rglob("*")) if isinstance(folder, Path) else ():
            if path.is_file() and path.suffix != ".pyc":
                digest.update(f"{path.name}\0".encode() + path.read_bytes())
    return digest.hexdigest()
