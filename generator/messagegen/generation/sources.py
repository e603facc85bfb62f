"""Texts of specs to specs that were checked together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final

from messagegen.findings import Finding, SpecError, UsageError
from messagegen.generation.files import read_texts, released_specs
from messagegen.spec import ErrorCodesSpec, check_beside_error_codes, check_together, parse, parse_error_codes
from messagegen.spec.model import MessageSpec
from messagegen.texts import read_text
from messagegen.versions import VersionRange

_LIKELY: Final = 0.7


@dataclass(frozen=True, slots=True)
class Sources:
    """The contents of a package: its live messages by name, its error codes if it has any, and warnings."""

    messages: tuple[MessageSpec, ...]
    error_codes: ErrorCodesSpec | None
    warnings: tuple[Finding, ...]


def read_sources(
    sources: Iterable[Path],
    *,
    messages: Sequence[str] = (),
    versions: Mapping[str, str] | None = None,
    error_codes: Path | None = None,
) -> Sources:
    """The live messages of the given folders and files, without retired ones (``validVersions: "none"``), and error codes.

    ``messages`` and ``versions`` restrict the messages. Warnings about the specs of a release are left out.
    Raises ``SpecError`` with the findings of all files, ``UsageError`` for unknown names.
    """
    return parse_sources(read_texts(sources), messages=messages, versions=versions, error_codes=error_codes)


def parse_sources(
    texts: Mapping[str, bytes],
    *,
    messages: Sequence[str] = (),
    versions: Mapping[str, str] | None = None,
    error_codes: Path | None = None,
    valid: Collection[str] = (),
) -> Sources:
    """Like ``read_sources``, for texts that were read (``read_texts``); ``valid`` are files that earlier runs found valid."""
    specs: list[MessageSpec] = []
    findings: list[Finding] = []
    released = released_specs(texts)
    for file, text in texts.items():
        parsed = parse(text, file, released=file in released, valid=file in valid)
        findings.extend(parsed.findings)
        if parsed.spec is not None:
            specs.append(parsed.spec)
    findings.extend(check_together(specs))
    errors = None
    if error_codes is not None:
        errors, found = _read_error_codes(error_codes, specs)
        findings.extend(found)
    if any(finding.severity == "error" for finding in findings):
        raise SpecError(findings)
    # Nobody can change the specs of a release, so a warning about them is of no use.
    findings = [finding for finding in findings if finding.file not in released]
    chosen = _chosen(specs, messages, versions or {})
    live = (spec for spec in chosen if not spec.valid_versions.empty)
    if messages:
        # Skip findings about messages that were not selected.
        concerned = {spec.file for spec in chosen}
        if error_codes is not None:
            concerned.add(error_codes.as_posix())
        findings = [finding for finding in findings if finding.file in concerned]
    return Sources(tuple(sorted(live, key=lambda spec: spec.name)), errors, tuple(sorted(findings)))


def _read_error_codes(file: Path, specs: Sequence[MessageSpec]) -> tuple[ErrorCodesSpec | None, Iterable[Finding]]:
    if not file.is_file():
        raise UsageError(f"no such file of error codes: {file}")
    parsed = parse_error_codes(read_text(file), file.as_posix())
    return parsed.spec, (*parsed.findings, *check_beside_error_codes(specs))


def _chosen(specs: list[MessageSpec], messages: Sequence[str], versions: Mapping[str, str]) -> list[MessageSpec]:
    names = {spec.name for spec in specs}
    for name in (*messages, *versions):
        if name not in names:
            raise unknown_message(name, names)
    kept = [spec for spec in specs if not messages or spec.name in messages]
    return [_restricted(spec, versions[spec.name]) if spec.name in versions else spec for spec in kept]


def unknown_message(name: str, names: Iterable[str]) -> UsageError:
    """What to raise for a message that is not among ``names``."""
    likely = _likely(name, names)
    return UsageError(f"unknown message {name}" + (f"; did you mean {likely}?" if likely else ""))


def _likely(name: str, names: Iterable[str]) -> str | None:
    """The message whose name, or the start of it, is most similar to ``name``."""
    word = name[:100].lower()

    def likeness(other: str) -> float:
        beginning = other[: len(word) + 1]
        return max(SequenceMatcher(None, word, text.lower()).ratio() for text in (other, beginning))

    best = max(sorted(names), key=likeness, default="")
    return best if best and likeness(best) >= _LIKELY else None


def _restricted(spec: MessageSpec, text: str) -> MessageSpec:
    try:
        wanted = VersionRange.parse(text).intersect(spec.valid_versions)
    except ValueError as error:
        raise UsageError(f"versions of {spec.name}: {error}") from None
    if wanted.empty:
        raise UsageError(f"{spec.name} has versions {spec.valid_versions}, none of {text}")
    requested = VersionRange.parse(text)
    beyond = requested.highest > wanted.highest and not requested.open_ended
    if requested.lowest < wanted.lowest or beyond:
        raise UsageError(f'{spec.name} has versions {spec.valid_versions}, not all of {text}; write "{wanted}"')
    return replace(spec, valid_versions=wanted)
