"""Specs to the text of a package, in memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from messagegen.findings import Finding
from messagegen.generation.formatting import formatted
from messagegen.generation.plans import checked_plan
from messagegen.generation.sources import read_sources
from messagegen.generation.texts import error_codes_text, message_text, package_text
from messagegen.plan.error_codes import MODULE as ERROR_CODES_MODULE
from messagegen.plan.error_codes import build_error_codes
from messagegen.plan.partners import partners
from messagegen.publish import LINE_LENGTH, headed
from messagegen.publish.format_cache import FormatCache
from messagegen.render import runtime_files

Progress = Callable[[int, int, str], None]
"""Called with the number of files done, the number of all, and the path of the last one."""

INDEX: Final = "__init__.py"
"""The file that has lines of every message, so that lines of several branches meet in it."""

SPEC_LICENCE: Final = "LicenseRef-MessageSpecs"
"""Generated code is under the licence of its specs, which is not known here unless somebody says it."""

RUNTIME_LICENCE: Final = "Apache-2.0 OR MIT-0"
"""The runtime may be vendored under either; LICENSE-OUTPUT says so at length."""


@dataclass(frozen=True, slots=True)
class Package:
    """A package in memory: text by relative POSIX path, how many messages it holds, and what was found in their specs."""

    files: dict[str, str]
    message_count: int
    warnings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Style:
    """How generated code looks: its longest line, and the SPDX expression in the header of everything but the runtime."""

    line_length: int = LINE_LENGTH
    licence: str = SPEC_LICENCE


def build_package(  # noqa: PLR0913 - options, each passed by its name
    specs: Sequence[Path],
    *,
    messages: Sequence[str] = (),
    versions: Mapping[str, str] | None = None,
    error_codes: Path | None = None,
    style: Style = Style(),
    jobs: int | None = None,
    progress: Progress | None = None,
    cache: FormatCache | None = None,
) -> Package:
    """Reads, plans, renders and formats everything; writes nothing but the ``cache`` of formatted texts.

    ``error_codes`` is the file of error codes for a package that is to offer them. ``jobs`` processes share the
    formatting (default: one a core). Raises ``SpecError`` with all findings and ``UsageError``.
    """
    sources = read_sources(specs, messages=messages, versions=versions, error_codes=error_codes)
    plans = [checked_plan(spec) for spec in sources.messages]
    partner_of = partners(plans)
    texts = {f"{plan.module}.py": message_text(plan, partner_of.get(plan.name)) for plan in plans}
    texts[INDEX] = package_text(plans, with_error_codes=sources.error_codes is not None)
    if sources.error_codes is not None:
        texts[f"{ERROR_CODES_MODULE}.py"] = error_codes_text(build_error_codes(sources.error_codes))
    files = {path: headed(path, text, RUNTIME_LICENCE) for path, text in runtime_files().items()} | {"py.typed": ""}
    for done, (path, text) in enumerate(formatted(texts, style.line_length, jobs or os.cpu_count() or 1, cache), 1):
        files[path] = headed(path, text, style.licence, signed=path != INDEX)
        if progress is not None:
            progress(done, len(texts), path)
    return Package(files, len(plans), sources.warnings)
