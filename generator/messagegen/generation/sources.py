"""Texts of specs to specs that were checked together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from messagegen.config import Settings
from messagegen.findings import Finding, SpecError, UsageError, nearest
from messagegen.generation.files import read_texts, released_specs
from messagegen.spec import ErrorCodesSpec, check_beside_error_codes, check_together, parse, parse_error_codes
from messagegen.spec.model import MessageSpec
from messagegen.versions import VersionRange


@dataclass(frozen=True, slots=True)
class Sources:
    """The contents of a package: its live messages by name, its error codes if it has any, and warnings."""

    messages: tuple[MessageSpec, ...]
    error_codes: ErrorCodesSpec | None = None
    warnings: tuple[Finding, ...] = ()


def read_sources(settings: Settings) -> Sources:
    """The live messages that the settings select, without retired ones (``validVersions: "none"``), and error codes.

    Warnings about the specs of a release are left out. Raises ``SpecError`` with the findings of all files, ``UsageError`` for
    unknown names.
    """
    return parse_sources(read_texts(settings.require_specs(), settings.error_codes), settings)


def parse_sources(texts: Mapping[str, bytes], settings: Settings, valid: Collection[str] = ()) -> Sources:
    """Like ``read_sources``, for texts that were read (``read_texts``); ``valid`` are files that earlier runs found valid."""
    specs: list[MessageSpec] = []
    findings: list[Finding] = []
    errors = None
    of_errors = settings.error_codes.as_posix() if settings.error_codes else None
    released = released_specs(texts)
    for file, text in texts.items():
        if file == of_errors:
            codes = parse_error_codes(text, file)
            errors = codes.spec
            findings.extend(codes.findings)
            continue
        parsed = parse(text, file, released=file in released, valid=file in valid)
        findings.extend(parsed.findings)
        if parsed.spec is not None:
            specs.append(parsed.spec)
    findings.extend(check_together(specs))
    if of_errors:
        findings.extend(check_beside_error_codes(specs))
    if any(finding.severity == "error" for finding in findings):
        raise SpecError(findings)
    chosen = list(_chosen(specs, settings))
    # Nobody can change the specs of a release, so a warning about them is of no use, nor is one about messages that were not selected.
    concerned = {spec.file for spec in chosen if spec.file not in released} | {of_errors}
    warnings = sorted(finding for finding in findings if finding.file in concerned)
    live = (spec for spec in chosen if not spec.valid_versions.empty)
    return Sources(tuple(sorted(live, key=lambda spec: spec.name)), errors, tuple(warnings))


def _chosen(specs: Collection[MessageSpec], settings: Settings) -> Iterable[MessageSpec]:
    names = {spec.name for spec in specs}
    for name in (*settings.messages, *settings.versions):
        if name not in names:
            raise unknown_message(name, names)
    for spec in specs:
        if not settings.messages or spec.name in settings.messages:
            yield _restricted(spec, settings.versions[spec.name]) if spec.name in settings.versions else spec


def unknown_message(name: str, names: Iterable[str]) -> UsageError:
    """What to raise for a message that is not among ``names``."""
    near = nearest(name, sorted(names))
    return UsageError(f"unknown message {name}" + (f"; did you mean {near}?" if near else ""))


def _restricted(spec: MessageSpec, text: str) -> MessageSpec:
    try:
        requested = VersionRange.parse(text)
    except ValueError as error:
        raise UsageError(f"versions of {spec.name}: {error}") from None
    wanted = requested.intersect(spec.valid_versions)
    beyond = requested.highest > wanted.highest and not requested.open_ended
    if wanted.empty or requested.lowest < wanted.lowest or beyond:
        raise UsageError(f"{spec.name} has versions {spec.valid_versions}, not all of {text}")
    return replace(spec, valid_versions=wanted)
