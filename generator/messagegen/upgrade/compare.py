"""Two sets of spec files in, a report out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from messagegen.evolve.changes import Action, Change, version_text
from messagegen.evolve.compare import SpecSet, Unstable, pair_messages, parse_texts, unstable_requests, unstable_version
from messagegen.evolve.fields import field_changes, path_of, summary
from messagegen.evolve.messages import message_changes
from messagegen.evolve.sides import MessagePair, Side, StructPair
from messagegen.findings import UsageError
from messagegen.spec.model import MessageSpec
from messagegen.upgrade.python import api_changes
from messagegen.upgrade.report import ApiChange, MessageChanges, Report


def compare_texts(old: SpecSet, new: SpecSet, *, partial: bool = False, messages: Collection[str] = ()) -> Report:
    """What changes from the ``old`` specs to the ``new`` ones.

    With ``partial``, old messages that the new specs do not have are left out. ``messages`` restricts the report to messages of
    these names, on either side. Raises ``SpecError`` where a file has errors,
    ``UsageError`` for a message that neither side has.
    """
    # No class is generated for a message without versions.
    before, after = ([spec for spec in parse_texts(one.texts) if not spec.valid_versions.empty] for one in (old, new))
    known = {spec.name for spec in (*before, *after)}
    for name in messages:
        if name not in known:
            raise UsageError(f"neither {old.label} nor {new.label} has a message {name}")
    found = [
        message
        for message in _messages(before, after, partial=partial)
        if not messages or {message.name, message.previous_name} & set(messages)
    ]
    return Report(old.label, new.label, tuple(sorted(found, key=lambda message: message.name)))


def _messages(old: Sequence[MessageSpec], new: Sequence[MessageSpec], *, partial: bool) -> Iterator[MessageChanges]:
    unstable, unstable_now, known = unstable_requests(old), unstable_requests(new), set[str]()
    for pair in pair_messages(old, new, unstable, strict=False):
        if isinstance(pair, MessagePair):
            before, after = pair.old.spec.name, pair.new.spec.name
            known.add(after)
            of_fields = (change for struct in pair.structs for change in _struct_changes(pair, struct))
            changes = tuple(dict.fromkeys((*message_changes(pair), *of_fields)))
            python = api_changes(pair)
            if changes or python or before != after:
                action: Action = "changed" if before == after else "renamed"
                previous = None if before == after else before
                yield MessageChanges(after, previous, action, _summary(pair.new.spec, unstable_now), changes, python)
        elif not partial:
            yield _lone("removed", pair.old, unstable)
    yield from (_lone("added", Side(spec), unstable_now) for spec in new if spec.name not in known)


def _struct_changes(pair: MessagePair, struct: StructPair) -> Iterator[Change]:
    """The changes of the fields of a struct; of a field that is new or gone, not those of its struct's fields."""
    old_path, new_path = path_of(pair.old, struct.old.name), path_of(pair.new, struct.new.name)
    paired = {id(one) for both in struct.fields for one in (both.old, both.new)}
    for field in struct.old.fields:
        if id(field) not in paired and not field.plan.versions.empty:
            yield Change("field", "removed", "removed", old_path + field.name, summary(pair.old, field))
    yield from (change for change in field_changes(pair, struct) if change.topic)
    for field in struct.new.fields:
        if id(field) not in paired and not field.plan.versions.empty:
            text = summary(pair.new, field)
            yield Change("field", "added", text, new_path + field.name, None, text, tuple(field.plan.versions))


def _lone(action: Action, side: Side, unstable: Unstable) -> MessageChanges:
    """A message that only one side has."""
    names = [f"class {struct.class_name}" for struct in side.structs]
    python = (ApiChange(action, *((None, name) if action == "added" else (name, None))) for name in names)
    return MessageChanges(side.spec.name, None, action, _summary(side.spec, unstable), (), tuple(python))


def _summary(spec: MessageSpec, unstable: Unstable) -> str:
    """A message in a line: type, API key, versions."""
    key = "" if spec.api_key is None else f" {spec.api_key}"
    latest = unstable_version(spec, unstable)
    note = "" if latest is None else f", version {latest} unstable"
    return f"{spec.kind.value}{key}, {version_text(spec.valid_versions)}{note}"
