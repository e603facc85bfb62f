"""Renders and formats the files of a package, except those whose texts are known."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import asdict

from messagegen import outputs
from messagegen.generation.package import Known, Package, Progress, Rendered, Request, Style
from messagegen.generation.plans import inputs_of
from messagegen.generation.record import digest_of, digest_of_text
from messagegen.generation.sources import Sources, parse_sources
from messagegen.outputs.formatting import Formatting
from messagegen.publish import headed


def render(request: Request, generator: str, known: Known, jobs: int, progress: Progress | None) -> Rendered:
    """The files of a request, formatted by ``jobs`` processes; ``generator`` is the identity of the generator.

    Raises ``SpecError`` with all findings, and ``UsageError``.
    """
    sources = parse_sources(
        request.texts, messages=request.messages, versions=request.versions, error_codes=request.error_codes
    )
    inputs = inputs_of(sources.messages, sources.error_codes)
    made = list(outputs.files(inputs, request.include, request.options))
    digests = _digests(request, generator, sources, {path: file for _, files in made for path, file in files.items()})
    result = dict(known(digests))
    total = 2 * sum(not file.copied and path not in result for _, files in made for path, file in files.items())
    steps = itertools.count(1)

    def step(path: str, text: str) -> str:
        if progress is not None:
            progress(next(steps), total, path)
        return text

    for output, files in made:
        wanted = {path: file for path, file in files.items() if path not in result}
        copied = {path: file.render() for path, file in wanted.items() if file.copied}
        texts = {path: step(path, file.render()) for path, file in wanted.items() if not file.copied}
        for path, text in output.formatter(texts, Formatting(request.style.line_length, jobs)):
            copied[path] = step(path, text)
        result |= {path: _headed(path, text, wanted[path], request.style) for path, text in copied.items()}
    return Rendered(Package(result, len(inputs.messages), sources.warnings), digests)


def _digests(
    request: Request, generator: str, sources: Sources, files: Mapping[str, outputs.File]
) -> Mapping[str, str]:
    """Digests of what files are made from, of those that are made from the plans of some messages."""
    messages = {
        spec.name: (digest_of_text(request.texts[spec.file]), str(spec.valid_versions)) for spec in sources.messages
    }
    common = (generator, asdict(request.style))
    return {
        path: digest_of((common, path, [messages[name] for name in file.plans]))
        for path, file in files.items()
        if file.plans
    }


def _headed(path: str, text: str, file: outputs.File, style: Style) -> str:
    if not path.endswith(".py"):
        return text
    return headed(path, text, file.licence or style.licence, signed=file.signed)
