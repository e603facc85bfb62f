"""Parses specs from files, and checks them together."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from messagegen.findings import Finding, SpecError, UsageError, nearest
from messagegen.generation.files import error_code_file, read_texts, released_specs
from messagegen.progress import counted, step
from messagegen.spec import ErrorCodesSpec, check_beside_error_codes, check_together, parse, parse_error_codes
from messagegen.spec.model import MessageSpec
from messagegen.versions import VersionRange


@dataclass(frozen=True, slots=True)
class Sources:
    """The contents of a package: its live messages by name, its error codes if it has any, and warnings."""

    messages: tuple[MessageSpec, ...]
    error_codes: ErrorCodesSpec | None = None
    warnings: tuple[Finding, ...] = ()


def read_sources(
    specs: Sequence[Path],
    *,
    error_codes: Path | None = None,
    messages: Collection[str] = (),
    versions: Mapping[str, str] | None = None,
    matching: re.Pattern[bytes] | None = None,
) -> Sources:
    """Read the live messages of folders, files and releases; drop retired messages (``validVersions: "none"``).

    ``error_codes`` is a file of error codes, or ``kafka``. ``messages`` names the messages to keep, or is empty to keep
    all; ``versions`` limits the versions of messages. With ``matching``, other texts are not parsed. Warnings about the
    specs of a release are omitted.

    Raise ``SpecError`` with the findings of all files, or ``UsageError`` for unknown names.
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

    chosen = list(_chosen(found, messages, versions or {}))
    # The specs of a release can't be changed, and messages that were not chosen don't matter.
    concerned = {spec.file for spec in chosen if spec.file not in released} | {codes_file}
    warnings = sorted(finding for finding in findings if finding.file in concerned)
    live = [spec for spec in chosen if not spec.valid_versions.empty]
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


def _chosen(
    specs: Collection[MessageSpec], messages: Collection[str], versions: Mapping[str, str]
) -> Iterable[MessageSpec]:
    """Yield the named messages (all if no names are given), limited to ``versions``. Raise ``UsageError``."""
    names = {spec.name for spec in specs}
    for name in (*messages, *versions):
        if name not in names:
            raise unknown_message(name, names)
    for spec in specs:
        if messages and spec.name not in messages:
            continue
        wanted = versions.get(spec.name)
        yield spec if wanted is None else _restricted(spec, wanted)


def unknown_message(name: str, names: Iterable[str]) -> UsageError:
    """Return the error about a message that is not among ``names``."""
    near = nearest(name, sorted(names))
    advice = f"; did you mean {near}?" if near else ""
    return UsageError(f"unknown message {name}{advice}")


def _restricted(spec: MessageSpec, text: str) -> MessageSpec:
    """Return a message with only the versions in ``text``, which is in Kafka's notation.

    Raise ``UsageError`` for versions that the message lacks.
    """
    try:
        requested = VersionRange.parse(text)
    except ValueError as error:
        raise UsageError(f"versions of {spec.name}: {error}") from None
    wanted = requested.intersect(spec.valid_versions)
    beyond = requested.highest > wanted.highest and not requested.open_ended
    if wanted.empty or requested.lowest < wanted.lowest or beyond:
        raise UsageError(f"{spec.name} has versions {spec.valid_versions}, not all of {text}")
    return replace(spec, valid_versions=wanted)
