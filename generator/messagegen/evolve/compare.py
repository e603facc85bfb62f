"""Compares two sets of specs, message by message."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from messagegen.evolve.changes import BreakingChange, Change
from messagegen.evolve.differ import changes_of
from messagegen.evolve.sides import Side
from messagegen.findings import Finding, SpecError
from messagegen.patterns import names_matching
from messagegen.spec import check_together, parse
from messagegen.spec.model import MessageKind, MessageSpec

Texts = Mapping[str, bytes]
"""The bytes of spec files, by their names in findings."""

_Identity = tuple[MessageKind, int]
"""The type and the API key of a message."""


@dataclass(frozen=True, slots=True)
class SpecSet:
    """A set of specs: its name, such as ``kafka:3.9.2``, and the texts, by their names in findings.

    ``paths`` are the paths of the texts in the work tree. ``official`` is true if all texts are specs of a Kafka
    release. ``own`` are the names of texts that users can still edit.
    """

    label: str
    texts: Texts
    paths: Mapping[str, Path] = field(default_factory=dict[str, Path])
    official: bool = False
    own: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class MessageChanges:
    """A message with all its changes; ``old`` or ``new`` is ``None`` if that side lacks the message."""

    old: Side | None
    new: Side | None
    changes: tuple[Change, ...]

    @property
    def is_on_one_side(self) -> bool:
        """Whether the message was added or removed."""
        return self.old is None or self.new is None

    @property
    def name(self) -> str:
        """The name of the message, or its new name if it was renamed."""
        side = self.new or self.old
        assert side is not None
        return side.spec.name


@dataclass(frozen=True, slots=True)
class Comparison:
    """The differences between two sets: added and removed messages first, then changed messages, each sorted by name.

    ``compared`` is the number of messages that are on both sides.
    """

    messages: list[MessageChanges]
    compared: int


def compare_sets(
    old: SpecSet, new: SpecSet, *, partial: bool = False, messages: Collection[str] = (), strict: bool = True
) -> Comparison:
    """Compare the ``old`` specs with the ``new`` specs.

    With ``partial``, messages that the new specs lack do not count as removed. ``messages`` are names and patterns;
    they restrict the comparison to messages that have such a name on either side. Unless ``strict`` is true, unstable
    versions of the old specs are compared, too. Raise ``SpecError`` if a spec has errors, even if it did not change,
    and ``UsageError`` for an unknown name.
    """
    after = parse_texts(new.texts, own=new.own)
    before = _parse_old(old.texts, {new.texts[spec.file]: spec for spec in after})
    pairs = list(pair_messages(before, after, strict=strict))
    if messages:
        wanted = names_matching(messages, {side.spec.name for sides in pairs for side in sides if side})
        pairs = [sides for sides in pairs if any(side and side.spec.name in wanted for side in sides)]

    differing: list[MessageChanges] = []
    for old_side, new_side in pairs:
        if _is_same(old_side, new_side) or (partial and new_side is None):
            continue
        changes = tuple(changes_of(old_side, new_side))
        if changes:
            differing.append(MessageChanges(old_side, new_side, changes))
    differing.sort(key=lambda message: (not message.is_on_one_side, message.name))

    compared = sum(old_side is not None and new_side is not None for old_side, new_side in pairs)
    return Comparison(differing, compared)


def _parse_old(texts: Texts, known: Mapping[bytes, MessageSpec]) -> list[MessageSpec]:
    """Return the old specs. Texts that are equal to a new text are not parsed again."""
    # An unstable version of a request is unstable in its response, too.
    changed = {name: text for name, text in texts.items() if text not in known or b"latestVersionUnstable" in text}
    unchanged = set(texts.values()) - set(changed.values())
    return [*parse_texts(changed), *(known[text] for text in sorted(unchanged))]


def _is_same(old: Side | None, new: Side | None) -> bool:
    return old is not None and new is not None and old.spec is new.spec and old.unstable == new.unstable


def breaking_changes(messages: Iterable[MessageChanges]) -> list[BreakingChange]:
    """Return the changes that break a rule, sorted by location."""
    return sorted(change.finding() for message in messages for change in message.changes if change.rule)


def compare_specs(old: Iterable[MessageSpec], new: Iterable[MessageSpec]) -> list[BreakingChange]:
    """Return all breaking changes from the ``old`` to the ``new`` specs, sorted by location."""
    pairs = pair_messages(list(old), list(new))
    return breaking_changes(MessageChanges(*sides, tuple(changes_of(*sides))) for sides in pairs)


def pair_messages(
    old: Collection[MessageSpec], new: Collection[MessageSpec], *, strict: bool = True
) -> Iterator[tuple[Side | None, Side | None]]:
    """Yield each message of the old specs with its counterpart, then the messages that only the new specs have.

    The counterpart has the same name. Otherwise, it is the only unmatched message with the same type and API key.
    """
    old_unstable = _unstable_requests(old if strict else ())
    new_unstable = _unstable_requests(new)
    matches = _matches(old, new)
    for spec in old:
        match = matches.get(spec.name)
        yield _side(spec, old_unstable), None if match is None else _side(match, new_unstable)

    matched = {match.name for match in matches.values()}
    for spec in new:
        if spec.name not in matched:
            yield None, _side(spec, new_unstable)


def _matches(old: Collection[MessageSpec], new: Collection[MessageSpec]) -> dict[str, MessageSpec]:
    """Return the new spec of each message that both sides have, by the message's old name."""
    new_by_name = {spec.name: spec for spec in new}
    matches = {spec.name: new_by_name[spec.name] for spec in old if spec.name in new_by_name}

    # Unmatched messages by type and API key. A message was renamed if each side has exactly one unmatched message with
    # the same type and API key.
    old_left: dict[_Identity, list[MessageSpec]] = defaultdict(list)
    for spec in old:
        if spec.name not in matches and spec.api_key is not None:
            old_left[spec.kind, spec.api_key].append(spec)
    new_left: dict[_Identity, list[MessageSpec]] = defaultdict(list)
    for spec in new:
        if spec.name not in matches and spec.api_key is not None:
            new_left[spec.kind, spec.api_key].append(spec)

    for identity, specs in old_left.items():
        others = new_left.get(identity, [])
        if len(specs) == 1 and len(others) == 1:
            matches[specs[0].name] = others[0]
    return matches


def _unstable_requests(specs: Iterable[MessageSpec]) -> Mapping[int | None, int]:
    """Return the unstable version of each request, by API key. It is unstable in the response, too."""
    return {spec.api_key: spec.valid_versions.highest for spec in specs if spec.latest_version_unstable}


def _side(spec: MessageSpec, unstable: Mapping[int | None, int]) -> Side:
    latest = unstable.get(spec.api_key) if spec.kind in (MessageKind.REQUEST, MessageKind.RESPONSE) else None
    return Side(spec, latest if latest in spec.valid_versions else None)


def parse_texts(
    texts: Texts, own: Collection[str] = (), *, known: Mapping[bytes, MessageSpec] = MappingProxyType({})
) -> list[MessageSpec]:
    """Return the specs of some files. Raise ``SpecError`` with the errors of all files.

    ``own`` are the names of files that users can still edit. Other files may contain mistakes of old releases, and are
    not parsed again if their text is ``known``.
    """
    findings: list[Finding] = []
    specs: list[MessageSpec] = []
    for name, data in sorted(texts.items()):
        if data in known and name not in own:
            specs.append(replace(known[data], file=name))
            continue
        parsed = parse(data, name, released=name not in own)
        findings.extend(finding for finding in parsed.findings if finding.severity == "error")
        if parsed.spec is not None:
            specs.append(parsed.spec)
    findings.extend(finding for finding in check_together(specs) if finding.severity == "error")
    if findings:
        raise SpecError(findings)
    return specs
