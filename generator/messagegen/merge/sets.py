"""Sets of specs as one set: for each message all versions that any of them has."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Final

from messagegen.evolve.changes import BreakingChange
from messagegen.evolve.compare import SpecSet, compare_specs, parse_texts
from messagegen.findings import Finding
from messagegen.fmt import format_spec
from messagegen.merge.message import Source, merge_messages
from messagegen.merge.ranges import CannotMergeError
from messagegen.merge.raw import Raw, raw_of
from messagegen.spec import parse
from messagegen.spec.model import MessageKind, MessageSpec
from messagegen.spec.report import finding_at

CANNOT_MERGE: Final = "SPECS_CAN_MERGE"
"""The rule of what the spec language can't express."""
_ABSENCES: Final = frozenset({"MESSAGE_VERSIONS_NOT_REMOVED", "MESSAGE_NOT_REMOVED"})
"""Rules about what a newer set lacks, which is what merging puts back."""


@dataclass(frozen=True, slots=True)
class Merged:
    """The merged specs by file.

    ``refused`` are messages whose older versions could not be merged, and are left out. ``differences`` are bytes of a version on
    which two neighbouring sets disagree; the merged specs have those of the newer one.
    """

    texts: Mapping[str, bytes]
    refused: tuple[Finding, ...]
    differences: tuple[BreakingChange, ...]


_Parsed = tuple[SpecSet, Mapping[str, MessageSpec]]


def merge_sets(sets: Sequence[SpecSet]) -> Merged:
    """Merges sets, from the oldest to the newest. Raises ``SpecError`` for specs that can't be read."""
    parsed: list[_Parsed] = [(each, {spec.name: spec for spec in parse_texts(each.texts)}) for each in sets]
    messages: dict[str, tuple[str, Source]] = {}
    refused: list[Finding] = []
    for each, specs in reversed(parsed):
        for name, spec in specs.items():
            older = Source(spec, partial(raw_of, each.texts[spec.file]))
            known = name if name in messages else _renamed(spec, specs, messages)
            if known is None:
                messages[name] = spec.file, older
                continue
            file, newer = messages[known]
            try:
                raw = merge_messages(newer, older)
                if raw is not None:
                    messages[known] = file, _read(raw, file)
            except CannotMergeError as error:
                text = f"cannot merge {name} of {each.label}: {error}"
                refused.append(finding_at(spec, "name", CANNOT_MERGE, text, "", file=spec.file))
    texts = {file: format_spec(_text(source.raw), file) for file, source in messages.values()}
    return Merged(texts, tuple(refused), tuple(_differences(parsed)))


def _renamed(
    spec: MessageSpec, specs: Mapping[str, MessageSpec], messages: Mapping[str, tuple[str, Source]]
) -> str | None:
    """The newer name of the request or response that has the API key of ``spec``."""
    if spec.kind not in (MessageKind.REQUEST, MessageKind.RESPONSE):
        return None
    for name, (_, known) in messages.items():
        if name not in specs and (known.spec.kind, known.spec.api_key) == (spec.kind, spec.api_key):
            return name
    return None


def _read(raw: Raw, file: str) -> Source:
    read = parse(_text(raw), file)
    if read.spec is None:
        errors = "; ".join(finding.message for finding in read.findings if finding.severity == "error")
        raise CannotMergeError(errors)
    return Source(read.spec, lambda: raw)


def _text(raw: Raw) -> bytes:
    return json.dumps(raw, ensure_ascii=False).encode()


def _differences(parsed: Iterable[_Parsed]) -> Iterator[BreakingChange]:
    """Where a set and the next one disagree about the bytes of a version that both have, or that was renumbered."""
    for (older, old), (newer, new) in pairwise(parsed):
        same = set(older.texts.values()) & set(newer.texts.values())
        before = [spec for spec in old.values() if older.texts[spec.file] not in same]
        after = [spec for spec in new.values() if newer.texts[spec.file] not in same]
        for change in compare_specs(before, after, partial=True, beside=old.values()):
            if "WIRE" in change.categories and change.rule not in _ABSENCES:
                yield change
