"""Two sets of spec files in, a report out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from messagegen.evolve.compare import pair_messages, parse_texts, unstable_requests
from messagegen.evolve.sides import MessagePair, RemovedMessage, Side
from messagegen.findings import UsageError
from messagegen.spec.model import MessageSpec
from messagegen.upgrade.api import added_classes, api_changes, removed_classes
from messagegen.upgrade.messages import message_changes, summary
from messagegen.upgrade.report import Action, MessageChanges, Report

Texts = Mapping[str, bytes]


def compare_texts(
    old: tuple[str, Texts], new: tuple[str, Texts], *, partial: bool = False, messages: Collection[str] = ()
) -> Report:
    """What changes from the ``old`` specs to the ``new`` ones, each given as what it is called and its files by name.

    With ``partial``, old messages that the new specs do not have are left out. ``messages`` restricts the report to messages of
    these names, on either side. Raises ``SpecError`` where a file has errors,
    ``UsageError`` for a message that neither side has.
    """
    before, after = _live(parse_texts(old[1])), _live(parse_texts(new[1]))
    known = {spec.name for spec in (*before, *after)}
    for name in messages:
        if name not in known:
            raise UsageError(f"neither {old[0]} nor {new[0]} has a message {name}")
    found = [
        message
        for message in _messages(before, after, partial=partial)
        if not messages or {message.name, message.previous_name} & set(messages)
    ]
    return Report(old[0], new[0], tuple(sorted(found, key=lambda message: message.name)))


def _live(specs: Sequence[MessageSpec]) -> list[MessageSpec]:
    """The messages that have versions: no class is generated for the others."""
    return [spec for spec in specs if not spec.valid_versions.empty]


def _messages(old: Sequence[MessageSpec], new: Sequence[MessageSpec], *, partial: bool) -> Iterator[MessageChanges]:
    unstable = unstable_requests(old), unstable_requests(new)
    known: set[str] = set()
    # Unstable versions are compared as all others: who uses them wants to know.
    for pair in pair_messages(old, new, {}):
        if isinstance(pair, MessagePair):
            known.add(pair.new.spec.name)
            if changed := _changed(pair, unstable):
                yield changed
        elif not partial:
            yield _removed(pair, unstable[0])
    for spec in new:
        if spec.name not in known:
            side = Side(spec)
            yield MessageChanges(spec.name, None, "added", summary(spec, unstable[1]), (), added_classes(side))


def _changed(
    pair: MessagePair, unstable: tuple[Mapping[int | None, int], Mapping[int | None, int]]
) -> MessageChanges | None:
    changes, api = message_changes(pair, *unstable), api_changes(pair)
    old, new = pair.old.spec.name, pair.new.spec.name
    if not changes and not api and old == new:
        return None
    action: Action = "changed" if old == new else "renamed"
    return MessageChanges(new, None if old == new else old, action, summary(pair.new.spec, unstable[1]), changes, api)


def _removed(message: RemovedMessage, unstable: Mapping[int | None, int]) -> MessageChanges:
    spec = message.old.spec
    return MessageChanges(spec.name, None, "removed", summary(spec, unstable), (), removed_classes(message.old))
