"""Compares two sets of spec files and returns all breaking changes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from messagegen.evolve.align import align
from messagegen.evolve.changes import Break, BreakingChange
from messagegen.evolve.fields import field_changes, python_type_change
from messagegen.evolve.messages import message_changes, removed_message, renamed_message
from messagegen.evolve.sides import MessagePair, RemovedMessage, Side
from messagegen.evolve.structs import lone_fields
from messagegen.findings import Finding, SpecError
from messagegen.spec import check_together, parse
from messagegen.spec.model import MessageKind, MessageSpec

Texts = Mapping[str, bytes]
"""Spec files by the name that findings use."""


@dataclass(frozen=True, slots=True)
class SpecSet:
    """A set of specs: its name, such as ``kafka:3.9.2``, the texts by the name that findings use, and their places in the work tree.

    ``official`` says that they are all specs of a Kafka release.
    """

    label: str
    texts: Texts
    paths: Mapping[str, Path] = field(default_factory=dict[str, Path])
    official: bool = False


Unstable = Mapping[int | None, int]
"""The unstable version of requests that have one, by API key."""

_UNSTABLE: Final = re.compile(rb'"latestVersionUnstable"\s*:\s*"?true', re.IGNORECASE)


def compare_texts(
    old: Texts, new: Texts, *, partial: bool = False, messages: Collection[str] = ()
) -> list[BreakingChange]:
    """All breaking changes from the ``old`` specs to the ``new`` ones, sorted by location.

    Files with the same bytes on both sides are not read. With ``partial``, the new specs need not have all messages
    of the old ones. ``messages`` restricts the comparison to messages with these names, on either side. Raises ``SpecError``
    if a file that is read has errors.
    """
    same = set(old.values()) & set(new.values())
    old_texts, new_texts = ({name: text for name, text in one.items() if text not in same} for one in (old, new))
    beside = {name: text for name, text in old.items() if name not in old_texts and _UNSTABLE.search(text)}
    old_specs, new_specs = parse_texts(old_texts), parse_texts(new_texts)
    return compare_specs(
        [spec for spec in old_specs if not messages or spec.name in messages],
        [spec for spec in new_specs if not messages or spec.name in messages],
        partial=partial,
        beside=(*old_specs, *parse_texts(beside)),
    )


def compare_specs(
    old: Iterable[MessageSpec],
    new: Iterable[MessageSpec],
    *,
    partial: bool = False,
    beside: Iterable[MessageSpec] = (),
) -> list[BreakingChange]:
    """The same for parsed specs; ``beside`` are other old specs, which may say which responses are unstable."""
    old, new = list(old), list(new)
    pairs = pair_messages(old, new, unstable_requests((*old, *beside)))
    return sorted(
        each.finding() for pair in pairs if not (partial and isinstance(pair, RemovedMessage)) for each in _breaks(pair)
    )


def _breaks(pair: MessagePair | RemovedMessage) -> Iterator[Break]:
    """All that a message breaks."""
    if isinstance(pair, RemovedMessage):
        yield from removed_message(pair)
        return
    yield from renamed_message(pair)
    changes = [*message_changes(pair), *(change for struct in pair.structs for change in field_changes(pair, struct))]
    yield from (change.breaks for change in changes if change.breaks is not None)
    for struct in pair.structs:
        yield from lone_fields(struct)
        for both in struct.fields:
            yield from python_type_change(both)


def pair_messages(
    old: Sequence[MessageSpec], new: Sequence[MessageSpec], unstable: Unstable, *, strict: bool = True
) -> Iterator[MessagePair | RemovedMessage]:
    """Each message of the old specs with its counterpart in the new ones.

    That is the message with the same name, otherwise the only unmatched one with the same type and API key. ``unstable`` maps
    the API key of a request to its unstable version in the old specs, which also applies to the response. With ``strict``, released
    versions are compared with themselves; otherwise all versions are, and new ones with the latest one.
    """
    by_name = {spec.name: spec for spec in new}
    known = {spec.name for spec in old}
    unstable_now = unstable_requests(new)
    left_old = Counter(_identity(spec) for spec in old if spec.name not in by_name)
    left_new: dict[object, list[MessageSpec]] = {}
    for spec in new:
        if spec.name not in known:
            left_new.setdefault(_identity(spec), []).append(spec)
    for spec in old:
        side = Side(spec, unstable_version(spec, unstable), strict)
        same = left_new.get(_identity(spec), [])
        other = by_name.get(spec.name)
        if other is None and spec.api_key is not None and left_old[_identity(spec)] == len(same) == 1:
            other = same[0]
        if other is None:
            yield RemovedMessage(side)
        else:
            yield align(side, Side(other, unstable_version(other, unstable_now), strict))


def unstable_requests(specs: Iterable[MessageSpec]) -> Unstable:
    """The unstable version of each request that has one, which is that of its response too, by API key."""
    return {spec.api_key: spec.valid_versions.highest for spec in specs if spec.latest_version_unstable}


def unstable_version(spec: MessageSpec, unstable: Unstable) -> int | None:
    """The version of a message that may change, if it has one."""
    latest = unstable.get(spec.api_key) if spec.kind in (MessageKind.REQUEST, MessageKind.RESPONSE) else None
    return latest if latest in spec.valid_versions else None


def _identity(spec: MessageSpec) -> tuple[object, int | None]:
    return spec.kind, spec.api_key


def parse_texts(texts: Texts) -> list[MessageSpec]:
    """The specs of some files. Raises ``SpecError`` with all errors that they have."""
    findings: list[Finding] = []
    specs: list[MessageSpec] = []
    for name, data in sorted(texts.items()):
        # Specs of old releases and commits are compared, too.
        parsed = parse(data, name, released=True)
        findings.extend(finding for finding in parsed.findings if finding.severity == "error")
        if parsed.spec is not None:
            specs.append(parsed.spec)
    findings.extend(check_together(specs))
    if findings:
        raise SpecError(findings)
    return specs
