"""Creates the files of an output from its settings, in memory.

Each run renders everything, and reads no output of an earlier run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from messagegen import outputs
from messagegen.config import Settings, package_name
from messagegen.findings import Finding
from messagegen.generation.choosing import Choice
from messagegen.generation.loading import inputs_of
from messagegen.generation.runtimes import with_shared_runtime
from messagegen.generation.sources import read_sources
from messagegen.progress import counted, step
from messagegen.publish.header import headed

SPEC_LICENCE: Final = "LicenseRef-MessageSpecs"
"""The licence of generated code if none is configured: the licence of its specs, which is unknown."""


@dataclass(frozen=True, slots=True)
class Package:
    """An output folder in memory.

    ``files`` contains texts by relative POSIX path. ``warnings`` are about the specs of the package's messages.
    """

    files: Mapping[str, str]
    message_count: int
    warnings: tuple[Finding, ...] = ()


def build_package(settings: Settings) -> Package:
    """Read, plan and render everything; write nothing.

    Raise ``SpecError`` with all findings, ``UsageError``, and ``ConfigError`` for a folder whose name is not a valid
    package name.
    """
    options = with_shared_runtime(settings.options, settings.file)
    sources = read_sources(
        settings.require_specs(),
        choice=Choice.of(settings),
        error_codes=settings.error_codes,
    )
    with step("Planning messages"):
        files = outputs.files(inputs_of(sources), settings.include, options)
    if settings.output and any(path.endswith(".py") for path in files):
        # Check this before rendering, which is most of the work.
        package_name(settings.output)
    return Package(_texts(files, settings.licence or SPEC_LICENCE), len(sources.messages), sources.warnings)


def _texts(files: Mapping[str, outputs.File], licence: str) -> dict[str, str]:
    """Render the files, and return their texts by path."""
    rendered: dict[str, str] = {}
    for path in counted(list(files)):
        with step("Rendering files", path):
            rendered[path] = _file_text(path, files[path], licence)
    return rendered


def _file_text(path: str, file: outputs.File, licence: str) -> str:
    """Return the text of a file with its header. Raise ``SyntaxError`` if a module is not valid Python."""
    text = file.render()
    if path.endswith(".py") and not file.licence:
        compile(text, path, "exec", dont_inherit=True)
    return headed(path, text, file.licence or licence)
