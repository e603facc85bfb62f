"""Settings to the files of an output, in memory; as little as possible where the output is as an earlier run wrote it."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from messagegen.build import code_digest
from messagegen.config import Settings
from messagegen.findings import Finding
from messagegen.generation.files import read_texts
from messagegen.generation.formatting import formatted
from messagegen.publish.header import headed
from messagegen.publish.manifest import Made
from messagegen.publish.output import read_as_written

SPEC_LICENCE: Final = "LicenseRef-MessageSpecs"
"""Generated code has the licence of its specs, which is unknown unless configured."""


@dataclass(frozen=True, slots=True)
class Package:
    """An output folder in memory: text by relative POSIX path, the number of messages, and the warnings about their specs.

    ``made`` says what it is made from.
    """

    files: dict[str, str]
    message_count: int
    warnings: tuple[Finding, ...] = ()
    made: Made = field(default_factory=Made)


def build_package(settings: Settings) -> Package:
    """Reads, plans and renders everything; writes nothing.

    Files that the output folder of the settings has already, made from the same specs and settings, are taken from there. Raises
    ``SpecError`` with all findings, ``UsageError``, and ``ConfigError`` for a folder whose name cannot be that of a package.
    """
    texts = read_texts(settings.require_specs(), settings.error_codes)
    # Of the error codes, the text counts, and not the path.
    kept = replace(settings, specs=(), output=None, file=None, error_codes=settings.error_codes and Path())
    made = Made(_digest([code_digest(), repr(kept)]))
    manifest, present = read_as_written(settings.output) if settings.output else (None, {})
    before = manifest.made if manifest and manifest.made.settings == made.settings else Made()
    digests = {file: _digest([text]) for file, text in texts.items()}
    whole = manifest is not None and present.keys() == manifest.files.keys()
    if whole and before.settings and before.others == _others(digests.values(), before.specs):
        return Package(present, len(before.specs), (), before)
    package = _render(settings, texts, digests, before, present, made)
    if settings.output and any(path.endswith(".py") for path in package.files):
        settings.require_package()
    return package


def _render(
    settings: Settings,
    texts: Mapping[str, bytes],
    digests: Mapping[str, str],
    before: Made,
    present: Mapping[str, str],
    made: Made,
) -> Package:
    """Renders all files but those of ``present`` that were made ``before`` from the same specs."""
    # Most runs have nothing to render.
    from messagegen import outputs  # noqa: PLC0415
    from messagegen.generation.loading import inputs_of  # noqa: PLC0415
    from messagegen.generation.sources import parse_sources  # noqa: PLC0415

    known = {digest for digest, *_ in before.specs.values()}
    sources = parse_sources(texts, settings, valid={file for file, digest in digests.items() if digest in known})
    inputs = inputs_of(sources)
    specs = {spec.name: [digests[spec.file]] for spec in sources.messages}
    result: dict[str, str] = {}
    files = outputs.files(inputs, settings.include, settings.options)
    for path, file in files.items():
        made_from = [*specs[file.plans[0]][:1], *file.plans[1:]] if file.plans else []
        if path in present and made_from and made_from == before.specs.get(file.plans[0]):
            result[path] = present[path]
        else:
            result[path] = text = file.render()
            if path.endswith(".py"):
                licence = file.licence or settings.licence or SPEC_LICENCE
                # Files with a licence of their own are copied as they are.
                code = text if file.licence else formatted(text)
                result[path] = headed(path, code, licence, signed=file.signed)
        if made_from:
            specs[file.plans[0]] = made_from
    # Specs with warnings are read again by each run, so that it can repeat them.
    others = "" if sources.warnings else _others(digests.values(), specs)
    return Package(result, len(inputs.messages), sources.warnings, replace(made, specs=specs, others=others))


def _digest(parts: Iterable[bytes | str]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part if isinstance(part, bytes) else part.encode())
    return digest.hexdigest()[:16]


def _others(all_specs: Iterable[str], used: Mapping[str, Sequence[str]]) -> str:
    """The digest of those specs that no message of an output is made from, by the digests of both."""
    rest = Counter(all_specs)
    rest.subtract(digest for digest, *_ in used.values())
    return _digest(json.dumps(sorted(one for one in rest.items() if one[1])))
