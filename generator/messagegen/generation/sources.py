"""Parses specs from files, and checks them together."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from messagegen.findings import Finding, SpecError
from messagegen.generation.choosing import EVERYTHING, Choice, chosen
from messagegen.generation.files import error_code_file, read_texts, released_specs
from messagegen.progress import counted, step
from messagegen.spec import ErrorCodesSpec, check_beside_error_codes, check_together, parse, parse_error_codes
from messagegen.spec.model import MessageSpec


@dataclass(frozen=True, slots=True)
class Sources:
    """The contents of a package: its live messages by name, its error codes if it has any, and warnings."""

    messages: tuple[MessageSpec, ...]
    error_codes: ErrorCodesSpec | None = None
    warnings: tuple[Finding, ...] = ()


def read_sources(
    specs: Sequence[Path],
    *,
    choice: Choice = EVERYTHING,
    error_codes: Path | None = None,
    matching: re.Pattern[bytes] | None = None,
) -> Sources:
    """Read the live messages of folders, files and releases; drop retired messages (``validVersions: "none"``).

    ``choice`` contains the messages and versions to keep. ``error_codes`` is a file of error codes, or ``kafka``. With
    ``matching``, other texts are not parsed. Warnings about the specs of a release are omitted.

    Raise ``SpecError`` with the findings of all files, or ``UsageError`` for a choice that the specs lack.
    """
    error_codes = error_codes and error_code_file(error_codes)
    texts = read_texts(specs, error_codes)
    released = released_specs(texts)
    codes: ErrorCodesSpec | None = None
    codes_file = error_codes.as_posix() if error_codes else None
    findings: list[Finding] = []
    if codes_file:
        parsed_codes = parse_error_codes(texts.pop(codes_file), codes_file)
        codes = parsed_codes.spec
        findings.extend(parsed_codes.findings)
    if matching is not None:
        texts = {file: text for file, text in texts.items() if matching.search(text)}
    found = _parsed(texts, released, findings)
    findings.extend(check_together(found))
    if codes_file:
        findings.extend(check_beside_error_codes(found))
    if any(finding.severity == "error" for finding in findings):
        raise SpecError(findings)

    kept = chosen(found, choice)
    # The specs of a release can't be changed, and messages that were not chosen don't matter.
    concerned = {spec.file for spec in kept if spec.file not in released} | {codes_file}
    warnings = sorted(finding for finding in findings if finding.file in concerned)
    live = [spec for spec in kept if not spec.valid_versions.empty]
    live.sort(key=lambda spec: spec.name)
    return Sources(tuple(live), codes, tuple(warnings))


def _parsed(texts: Mapping[str, bytes], released: Collection[str], findings: list[Finding]) -> list[MessageSpec]:
    """Return the messages of spec texts, and add the findings about them."""
    found: list[MessageSpec] = []
    for file in counted(list(texts)):
        with step("Checking specs", file):
            parsed = parse(texts[file], file, released=file in released)
        findings.extend(parsed.findings)
        if parsed.spec is not None:
            found.append(parsed.spec)
    return found
