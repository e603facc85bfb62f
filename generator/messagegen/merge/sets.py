"""Sets of specs as one set: for each message all versions that any of them has."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Final, cast

from messagegen.evolve.changes import BreakingChange
from messagegen.evolve.compare import compare_specs, parse_texts
from messagegen.findings import Finding
from messagegen.fmt import format_spec
from messagegen.merge.message import Source, merge_messages
from messagegen.merge.ranges import CannotMergeError
from messagegen.merge.raw import COMMENT, Raw, raw_of
from messagegen.spec import parse
from messagegen.spec.model import MessageKind, MessageSpec
from messagegen.spec.report import finding_at

CANNOT_MERGE: Final = "SPECS_CAN_MERGE"
"""The rule of what the spec language can't express."""
_ABSENCES: Final = frozenset({"MESSAGE_VERSIONS_NOT_REMOVED", "MESSAGE_NOT_REMOVED"})
"""Rules about what a newer set lacks, which is what merging puts back."""


@dataclass(frozen=True, slots=True)
class SpecSet:
    """Specs by file, and the name of the set, such as ``kafka:3.9.2``."""

    label: str
    texts: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Merged:
    """The merged specs by file.

    ``refused`` are messages whose older versions could not be merged, and are left out. ``differences`` are bytes of a version on
    which two neighbouring sets disagree; the merged specs have those of the newer one.
    """

    texts: Mapping[str, bytes]
    refused: tuple[Finding, ...]
    differences: tuple[BreakingChange, ...]


@dataclass(slots=True)
class _Message:
    file: str
    source: Source


_Parsed = tuple[SpecSet, Mapping[str, MessageSpec]]


def merge_sets(sets: Sequence[SpecSet]) -> Merged:
    """Merges sets, from the oldest to the newest. Raises ``SpecError`` for specs that can't be read."""
    parsed: list[_Parsed] = [(each, {spec.name: spec for spec in parse_texts(each.texts)}) for each in sets]
    messages: dict[str, _Message] = {}
    refused: list[Finding] = []
    for each, specs in reversed(parsed):
        for name, spec in specs.items():
            older = Source(spec, partial(_raw, each.texts[spec.file]), each.label)
            known = messages.get(name) or _renamed(spec, specs, messages)
            if known is None:
                messages[name] = _Message(spec.file, older)
                continue
            try:
                raw = merge_messages(known.source, older)
                if raw is not None:
                    known.source = _read(raw, known.file)
            except CannotMergeError as error:
                refused.append(_refused(spec, each.label, str(error)))
    texts = {each.file: format_spec(text_of(each.source.raw), each.file) for each in messages.values()}
    return Merged(texts, tuple(refused), tuple(_differences(parsed)))


def _renamed(spec: MessageSpec, specs: Mapping[str, MessageSpec], messages: Mapping[str, _Message]) -> _Message | None:
    """The request or response that has the API key of ``spec`` under a newer name."""
    if spec.kind not in (MessageKind.REQUEST, MessageKind.RESPONSE):
        return None
    for name, known in messages.items():
        if name not in specs and (known.source.spec.kind, known.source.spec.api_key) == (spec.kind, spec.api_key):
            return known
    return None


def _read(raw: Raw, file: str) -> Source:
    read = parse(text_of(raw), file)
    if read.spec is None:
        errors = "; ".join(finding.message for finding in read.findings if finding.severity == "error")
        raise CannotMergeError(errors)
    return Source(read.spec, lambda: raw, "the merged specs")


def _raw(text: bytes) -> Raw:
    """The value of a spec; what old releases leave out is written."""
    return {"flexibleVersions": "none"} | raw_of(text)


def _refused(spec: MessageSpec, label: str, reason: str) -> Finding:
    return finding_at(spec, "name", CANNOT_MERGE, f"cannot merge {spec.name} of {label}: {reason}", "")


def _differences(parsed: Iterable[_Parsed]) -> Iterator[BreakingChange]:
    """Where a set and the next one disagree about the bytes of a version that both have, or that was renumbered."""
    for (older, old), (newer, new) in pairwise(parsed):
        same = set(older.texts.values()) & set(newer.texts.values())
        before = [spec for spec in old.values() if older.texts[spec.file] not in same]
        after = [spec for spec in new.values() if newer.texts[spec.file] not in same]
        for change in compare_specs(before, after, partial=True, beside=old.values()):
            if "WIRE" in change.categories and change.rule not in _ABSENCES:
                yield change


def text_of(raw: Raw) -> bytes:
    """The JSON text of a value, with its comments."""
    return "\n".join(_lines(raw)).encode()


def _lines(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        fields = cast("Raw", value)
        yield from (f"// {line}" for line in str(fields.get(COMMENT) or "").splitlines() if line)
        yield "{"
        items = [(key, each) for key, each in fields.items() if key != COMMENT]
        yield from _items((f"{json.dumps(key)}: ", each) for key, each in items)
        yield "}"
    elif isinstance(value, list):
        yield "["
        yield from _items(("", each) for each in cast("list[object]", value))
        yield "]"
    else:
        yield json.dumps(value, ensure_ascii=False)


def _items(items: Iterable[tuple[str, object]]) -> Iterator[str]:
    every = list(items)
    for number, (start, value) in enumerate(every):
        *before, first = _until_value(lines := list(_lines(value)))
        rest = lines[len(before) + 1 :]
        yield from before
        following = [start + first, *rest]
        following[-1] += "," if number < len(every) - 1 else ""
        yield from following


def _until_value(lines: Sequence[str]) -> Sequence[str]:
    """The comments in front of a value, and the first line of the value."""
    count = next(number for number, line in enumerate(lines) if not line.startswith("// "))
    return lines[: count + 1]
