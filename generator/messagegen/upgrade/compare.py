"""Two sets of spec files in, a report out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from messagegen.evolve.changes import version_text
from messagegen.evolve.compare import Texts, Unstable, pair_messages, parse_texts, unstable_requests, unstable_version
from messagegen.evolve.sides import MessagePair, Side
from messagegen.findings import UsageError
from messagegen.spec.model import MessageSpec
from messagegen.upgrade.fields import field_changes
from messagegen.upgrade.messages import message_changes
from messagegen.upgrade.python import api_changes
from messagegen.upgrade.report import Action, ApiChange, MessageChanges, Report


def compare_texts(
    old: tuple[str, Texts], new: tuple[str, Texts], *, partial: bool = False, messages: Collection[str] = ()
) -> Report:
    """What changes from the ``old`` specs to the ``new`` ones, each given as what it is called and its files by name.

    With ``partial``, old messages that the new specs do not have are left out. ``messages`` restricts the report to messages of
    these names, on either side. Raises ``SpecError`` where a file has errors,
    ``UsageError`` for a message that neither side has.
    """
    # No class is generated for a message without versions.
    before, after = ([spec for spec in parse_texts(one[1]) if not spec.valid_versions.empty] for one in (old, new))
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


def _messages(old: Sequence[MessageSpec], new: Sequence[MessageSpec], *, partial: bool) -> Iterator[MessageChanges]:
    unstable, known = (unstable_requests(old), unstable_requests(new)), set[str]()
    # Unstable versions are compared as all others: who uses them wants to know.
    for pair in pair_messages(old, new, {}):
        if isinstance(pair, MessagePair):
            known.add(pair.new.spec.name)
            changes = (*message_changes(pair, *map(unstable_version, _specs(pair), unstable)), *field_changes(pair))
            python = api_changes(pair)
            before, after = (spec.name for spec in _specs(pair))
            if changes or python or before != after:
                action: Action = "changed" if before == after else "renamed"
                previous = None if before == after else before
                yield MessageChanges(after, previous, action, _summary(pair.new.spec, unstable[1]), changes, python)
        elif not partial:
            yield _lone("removed", pair.old, unstable[0])
    yield from (_lone("added", Side(spec), unstable[1]) for spec in new if spec.name not in known)


def _lone(action: Action, side: Side, unstable: Unstable) -> MessageChanges:
    """A message that only one side has."""
    names = [f"class {struct.class_name}" for struct in side.structs]
    python = (ApiChange(action, *((None, name) if action == "added" else (name, None))) for name in names)
    return MessageChanges(side.spec.name, None, action, _summary(side.spec, unstable), (), tuple(python))


def _specs(pair: MessagePair) -> tuple[MessageSpec, MessageSpec]:
    return pair.old.spec, pair.new.spec


def _summary(spec: MessageSpec, unstable: Unstable) -> str:
    """A message in a line: type, API key, versions."""
    key = "" if spec.api_key is None else f" {spec.api_key}"
    latest = unstable_version(spec, unstable)
    note = "" if latest is None else f", version {latest} unstable"
    return f"{spec.kind.value}{key}, {version_text(spec.valid_versions)}{note}"
