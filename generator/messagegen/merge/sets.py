"""Sets of specs as one set: for each message all versions that any of them has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from messagegen.evolve import BreakingChange, SpecSet, compare_specs
from messagegen.evolve.compare import parse_texts
from messagegen.findings import Finding
from messagegen.fmt import format_spec
from messagegen.merge.message import CannotMergeError, Source, merge_messages
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


_Parsed = tuple[SpecSet, Sequence[MessageSpec]]


def merge_sets(sets: Sequence[SpecSet]) -> Merged:
    """Merges sets, from the oldest to the newest. Raises ``SpecError`` for specs that can't be read."""
    parsed: list[_Parsed] = [(each, parse_texts(each.texts)) for each in sets]
    messages: dict[str, tuple[str, Source]] = {}
    refused: list[Finding] = []
    for each, specs in reversed(parsed):
        own = {spec.name for spec in specs}
        for spec in specs:
            older = Source(each.texts[spec.file], spec)
            known = spec.name if spec.name in messages else _renamed(spec, own, messages)
            if known is None:
                messages[spec.name] = spec.file, older
                continue
            file, newer = messages[known]
            try:
                messages[known] = file, merge_messages(newer, older) or newer
            except CannotMergeError as error:
                text = f"cannot merge {spec.name} of {each.label}: {error}"
                refused.append(finding_at(spec, "name", CANNOT_MERGE, text, "", file=spec.file))
    texts = {file: format_spec(source.plain, file) for file, source in messages.values()}
    return Merged(texts, tuple(refused), tuple(_differences(parsed)))


def _renamed(spec: MessageSpec, own: Iterable[str], messages: Mapping[str, tuple[str, Source]]) -> str | None:
    """The newer name of the request or response that has the API key of ``spec``."""
    if spec.kind not in (MessageKind.REQUEST, MessageKind.RESPONSE):
        return None
    for name, (_, known) in messages.items():
        if name not in own and (known.spec.kind, known.spec.api_key) == (spec.kind, spec.api_key):
            return name
    return None


def _differences(parsed: Iterable[_Parsed]) -> Iterator[BreakingChange]:
    """Where a set and the next one disagree about the bytes of a version that both have, or that was renumbered."""
    for old, new in pairwise(parsed):
        same = set(old[0].texts.values()) & set(new[0].texts.values())
        # The version of a response is unstable if that of its request is.
        before, after = (
            [spec for spec in specs if spec.latest_version_unstable or each.texts[spec.file] not in same]
            for each, specs in (old, new)
        )
        for change in compare_specs(before, after):
            if "WIRE" in change.categories and change.rule not in _ABSENCES:
                yield change
