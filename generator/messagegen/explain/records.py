"""Keys and values of the records of internal topics, which begin with numbers that say their type and version."""

from __future__ import annotations

from messagegen.explain.explanation import Explanation, Stop, explained
from messagegen.explain.parts import Messages, versions_text
from messagegen.record_types import FAMILIES, FRAME_VERSION, KEY_VERSION, RecordType
from messagegen.runtime.plans import Plan


def explain_key(data: bytes, messages: Messages, family: str) -> Explanation:
    """Explains the key of a record of a family whose keys say something (see ``record_types.FAMILIES``)."""

    def read(found: Explanation) -> None:
        kind = _type_of_key(found, messages, family)
        if kind.key is not None:
            found.message(messages.plan(kind.key), KEY_VERSION)

    return explained(data, read)


def explain_value(data: bytes, messages: Messages, family: str, key: bytes | None = None) -> Explanation:
    """Explains the value of a record of a family; metadata name their type themselves, others in the ``key``.

    Raises ``UsageError`` where there is no spec of the value.
    """

    def read(found: Explanation) -> None:
        if FAMILIES[family] in ("metadata", "remote-log-metadata"):
            kind, version = _type_and_version(found, messages, family)
        else:
            kind = _type_of(key, messages, family)
            # Some messages of control records have the version at the start of the value as a field.
            is_field = FAMILIES[family] == "control" and "version" in messages.plan(kind.value).root.fields
            version = _peeked(found) if is_field else found.number("version", "int16")
        _message(found, messages.plan(kind.value), version)

    return explained(data, read)


def explain_named(data: bytes, plan: Plan) -> Explanation:
    """Explains a key or value of a coordinator's record, of a known message: its type or its version and the message."""

    def read(found: Explanation) -> None:
        if plan.kind != "coordinator-key":
            _message(found, plan, found.number("version", "int16"))
            return
        number = found.number("type", "int16")
        if number != plan.cls.API_KEY:
            raise _unreadable(found, f"the record has type {number}, but {plan.name} has type {plan.cls.API_KEY}")
        found.message(plan, KEY_VERSION)

    return explained(data, read)


def _type_of_key(found: Explanation, messages: Messages, family: str) -> RecordType:
    if FAMILIES[family] == "control":
        found.number("version", "int16")
    return _known(found, messages, family, found.number("type", "int16"))


def _type_of(key: bytes | None, messages: Messages, family: str) -> RecordType:
    """The type that a key names; raises ``ValueError`` for a key that names none."""
    of_key = Explanation(key or b"")
    try:
        return _type_of_key(of_key, messages, family)
    except Stop:
        raise ValueError(f"the key: {of_key.problem}") from None


def _type_and_version(found: Explanation, messages: Messages, family: str) -> tuple[RecordType, int]:
    if FAMILIES[family] == "metadata":
        frame = found.number("frame version", "uvarint")
        if frame != FRAME_VERSION:
            raise _unreadable(found, f"unsupported frame version {frame}; expected {FRAME_VERSION}")
    kind = _known(found, messages, family, found.number("API key", "uvarint"))
    return kind, found.number("version", "uvarint")


def _peeked(found: Explanation) -> int:
    first = Explanation(found.data, found.limits)
    try:
        return first.number("version", "int16")
    except Stop:
        found.problem = first.problem
        raise


def _known(found: Explanation, messages: Messages, family: str, number: int) -> RecordType:
    for kind in messages.record_types(family):
        if kind.number == number:
            return kind
    raise _unreadable(found, f"unknown type {number} in {family}")


def _message(found: Explanation, plan: Plan, version: int) -> None:
    if version not in plan.valid_versions:
        raise _unreadable(found, f"{versions_text(plan)}, not {version}")
    found.message(plan, version)


def _unreadable(found: Explanation, reason: str) -> Stop:
    """What to raise for a record of an unknown type, which may hold a password."""
    found.rest_is_sensitive = True
    return found.stop(reason, found.nodes[-1].offset)
