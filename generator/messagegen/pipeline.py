"""The whole way in memory: spec files to the text of a package."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path
from typing import Final

from messagegen.findings import Finding, SpecError
from messagegen.format_cache import FormatCache, format_keys
from messagegen.plan.build import build_plan
from messagegen.plan.check import check_plan
from messagegen.plan.error_codes import MODULE as ERROR_CODES_MODULE
from messagegen.plan.error_codes import build_error_codes
from messagegen.plan.ops import MessagePlan
from messagegen.plan.partners import partners
from messagegen.publish import LINE_LENGTH, MANIFEST, Manifest, PublishError, black_mode, format_python, headed
from messagegen.render import render_error_codes, render_message, render_package, runtime_files
from messagegen.spec import ErrorCodesSpec, check_beside_error_codes, check_together, parse, parse_error_codes
from messagegen.spec.json_text import MAX_BYTES
from messagegen.spec.model import MessageSpec
from messagegen.versions import VersionRange

Progress = Callable[[int, int, str], None]
"""Called with the number of files done, the number of all, and the path of the last one."""

INDEX: Final = "__init__.py"
"""The file that has lines of every message, so that lines of several branches meet in it."""

SPEC_LICENCE: Final = "LicenseRef-MessageSpecs"
"""Generated code is under the licence of its specs, which is not known here unless somebody says it."""

RUNTIME_LICENCE: Final = "Apache-2.0 OR MIT-0"
"""The runtime may be vendored under either; LICENSE-OUTPUT says so at length."""

_LIKELY: Final = 0.7
_WORTH_A_POOL: Final = 8
"""Fewer texts than these are formatted sooner than other processes are started."""


class UsageError(ValueError):
    """A request that can't be carried out as it stands: a missing folder, an unknown message name."""


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


def spec_files(sources: Iterable[Path]) -> list[Path]:
    """The spec files in the given folders (at any depth) and the files given by name, sorted by path.

    The ``MANIFEST.json`` of an output is none, if the output lies in a folder of specs.

    Raises ``UsageError`` for what is not there and for a folder without specs.
    """
    found: list[Path] = []
    for source in sources:
        if source.is_file():
            found.append(source)
            continue
        if not source.is_dir():
            raise UsageError(f"there is no spec file or folder {source}")
        inside = sorted(file for file in source.rglob("*.json") if _is_spec(file))
        if not inside:
            raise UsageError(f"there is no *.json in {source}")
        found.extend(inside)
    return sorted(set(found))


def _is_spec(file: Path) -> bool:
    if file.is_dir():
        return False
    if file.exists() and not file.is_file():
        raise UsageError(f"{file} is a pipe, a socket or a device, not a spec; remove it")
    return file.name != MANIFEST or not _is_manifest(file)


def _is_manifest(file: Path) -> bool:
    if not file.is_file():
        return False
    try:
        Manifest.parse(file.read_bytes())
    except PublishError:
        return False
    return True


def read_specs(
    sources: Iterable[Path], *, messages: Sequence[str] = (), versions: Mapping[str, str] | None = None
) -> list[MessageSpec]:
    """The live messages of the given folders and files, by name; retired ones (``validVersions: "none"``) are left out.

    ``messages`` and ``versions`` restrict them. Raises ``SpecError`` with all findings, ``UsageError`` for unknown names.
    """
    return list(read_sources(sources, messages=messages, versions=versions).messages)


@dataclass(frozen=True, slots=True)
class Sources:
    """Everything that a package is made of: its live messages by name, its error codes if it has some, and warnings."""

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
    """What ``read_specs`` reads, and the file of error codes; raises the same, with the findings of all files at once."""
    specs: list[MessageSpec] = []
    findings: list[Finding] = []
    for path in spec_files(sources):
        parsed = parse(_read(path), path.as_posix())
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
    chosen = _chosen(specs, messages, versions or {})
    live = (spec for spec in chosen if not spec.valid_versions.empty)
    if messages:
        # Nobody who asks for some messages wants to hear of the others.
        concerned = {spec.file for spec in chosen}
        if error_codes is not None:
            concerned.add(error_codes.as_posix())
        findings = [finding for finding in findings if finding.file in concerned]
    return Sources(tuple(sorted(live, key=lambda spec: spec.name)), errors, tuple(sorted(findings)))


def _read(path: Path) -> bytes:
    """The bytes of a spec, as far as they are looked at."""
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def _read_error_codes(file: Path, specs: Sequence[MessageSpec]) -> tuple[ErrorCodesSpec | None, Iterable[Finding]]:
    if not file.is_file():
        raise UsageError(f"there is no file of error codes {file}")
    parsed = parse_error_codes(_read(file), file.as_posix())
    return parsed.spec, (*parsed.findings, *check_beside_error_codes(specs))


def _chosen(specs: list[MessageSpec], messages: Sequence[str], versions: Mapping[str, str]) -> list[MessageSpec]:
    names = {spec.name for spec in specs}
    for name in (*messages, *versions):
        if name not in names:
            likely = _likely(name, names)
            raise UsageError(f"no spec defines the message {name}" + (f"; did you mean {likely}?" if likely else ""))
    kept = [spec for spec in specs if not messages or spec.name in messages]
    return [_restricted(spec, versions[spec.name]) if spec.name in versions else spec for spec in kept]


def _likely(name: str, names: Iterable[str]) -> str | None:
    """The message whose name, or its beginning, resembles ``name`` most."""
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
        raise UsageError(f"{spec.name} has the versions {spec.valid_versions}, none of {text}")
    asked = VersionRange.parse(text)
    if asked.lowest < wanted.lowest or (asked.highest > wanted.highest and not asked.open_ended):
        raise UsageError(f'{spec.name} has the versions {spec.valid_versions}, not all of {text}; write "{wanted}"')
    return replace(spec, valid_versions=wanted)


def checked_plan(spec: MessageSpec) -> MessagePlan:
    """The plan of a spec, with its invariants checked."""
    plan = build_plan(spec)
    check_plan(plan)
    return plan


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
    texts = {f"{plan.module}.py": render_message(plan, partner_of.get(plan.name)) for plan in plans}
    texts[INDEX] = render_package(plans, with_error_codes=sources.error_codes is not None)
    if sources.error_codes is not None:
        texts[f"{ERROR_CODES_MODULE}.py"] = render_error_codes(build_error_codes(sources.error_codes))
    files = {path: headed(path, text, RUNTIME_LICENCE) for path, text in runtime_files().items()} | {"py.typed": ""}
    for done, (path, text) in enumerate(_formatted(texts, style.line_length, jobs or os.cpu_count() or 1, cache), 1):
        files[path] = headed(path, text, style.licence, signed=path != INDEX)
        if progress is not None:
            progress(done, len(texts), path)
    return Package(files, len(plans), sources.warnings)


def _formatted(
    texts: Mapping[str, str], line_length: int, jobs: int, cache: FormatCache | None
) -> Iterator[tuple[str, str]]:
    """The texts as black formats them, those that the cache knows first."""
    keys = format_keys(texts, black_mode(line_length)) if cache else {}
    known = cache.read({keys[path]: text for path, text in texts.items()}) if cache else {}
    missing: dict[str, str] = {}
    for path, text in texts.items():
        if keys.get(path) in known:
            yield path, known[keys[path]]
        else:
            missing[path] = text
    fresh: dict[str, str] = {}
    for path, text in zip(missing, _format_all(list(missing.values()), line_length, jobs), strict=True):
        fresh[path] = text
        yield path, text
    if cache and fresh:
        cache.write({keys[path]: (texts[path], text) for path, text in fresh.items()})


def _format_all(texts: list[str], line_length: int, jobs: int) -> Iterator[str]:
    format_one = partial(format_python, line_length=line_length)
    if jobs <= 1 or len(texts) < _WORTH_A_POOL:
        yield from map(format_one, texts)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(format_one, texts, chunksize=4)
