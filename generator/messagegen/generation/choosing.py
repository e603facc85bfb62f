"""Chooses messages, and the versions that they have in an output."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from messagegen.brokers.needed import needed_versions
from messagegen.brokers.supported import supported_versions
from messagegen.config import Settings
from messagegen.findings import UsageError
from messagegen.patterns import names_matching
from messagegen.spec.model import MessageKind, MessageSpec
from messagegen.spec.narrowing import narrowed, without_highest
from messagegen.versions import VersionRange

_OF_APIS = (MessageKind.REQUEST, MessageKind.RESPONSE)


@dataclass(frozen=True, slots=True)
class Choice:
    """The messages and versions to keep; by default all.

    - ``messages`` are names and patterns of messages. If it is empty, all messages are kept.
    - ``exclude`` are names and patterns of messages to leave out.
    - ``brokers`` are releases of Kafka. Requests and responses keep the versions that a client needs for them. If it is
      empty, they keep all versions.
    - ``versions`` are the versions of messages by name or pattern, in Kafka's notation. A name overrides patterns. For
      these messages, ``brokers`` is ignored.
    """

    messages: Collection[str] = ()
    exclude: Collection[str] = ()
    brokers: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def of(cls, settings: Settings) -> Choice:
        """Return the choice in the settings of an output."""
        return cls(settings.messages, settings.exclude, settings.brokers, settings.versions)


EVERYTHING = Choice()


def chosen(specs: Collection[MessageSpec], choice: Choice) -> list[MessageSpec]:
    """Return the chosen messages, in the order of ``specs``.

    A message that no release of ``brokers`` supports is left out, but raise ``UsageError`` if ``messages`` contains its
    name. Also raise it for names and patterns that match no message, for patterns that give a message different
    versions, for versions that a message lacks, and if no message is left.
    """
    names = {spec.name for spec in specs}
    wanted = names_matching(choice.messages, names) if choice.messages else names
    kept = wanted - names_matching(choice.exclude, names)
    if names and not kept:
        raise UsageError("exclude leaves no message; name fewer messages in it")
    # A version that is unstable in a request is unstable in its response, too.
    unstable = {spec.api_key for spec in specs if spec.latest_version_unstable}
    by_name = replace(choice, versions=_versions_by_name(choice.versions, names))
    found = list(_with_versions([spec for spec in specs if spec.name in kept], by_name, unstable))
    if kept and not found:
        raise UsageError(f"brokers of Kafka {_shown(choice.brokers)} support none of these messages")
    return found


def _versions_by_name(versions: Mapping[str, str], names: Collection[str]) -> dict[str, str]:
    """Return the versions of each message that a name or pattern in ``versions`` matches.

    Raise ``UsageError`` for a name or pattern that matches none of ``names``, and for two patterns that give a message
    different versions. A message's own name overrides patterns.
    """
    pattern_of: dict[str, str] = {}
    for pattern in versions:
        for name in sorted(names_matching([pattern], names)):
            first = pattern_of.setdefault(name, pattern)
            if name not in versions and versions[first] != versions[pattern]:
                raise UsageError(
                    f'versions: both "{first}" and "{pattern}" match {name}; write {name} itself into versions'
                )
    return {name: versions[name if name in versions else pattern] for name, pattern in pattern_of.items()}


def _with_versions(
    specs: Iterable[MessageSpec], choice: Choice, unstable: Collection[int | None]
) -> Iterator[MessageSpec]:
    """Yield messages with the chosen versions.

    ``unstable`` are the API keys whose highest version may still change. Leave out messages that no release supports,
    or raise ``UsageError``.
    """
    for spec in specs:
        if spec.name in choice.versions:
            yield _restricted(spec, choice.versions[spec.name])
        elif not choice.brokers or spec.kind not in _OF_APIS or spec.api_key is None or spec.valid_versions.empty:
            yield spec
        else:
            own = without_highest(spec.valid_versions) if spec.api_key in unstable else spec.valid_versions
            needed = needed_versions(supported_versions(), choice.brokers, spec.api_key, own)
            if not needed.empty:
                yield narrowed(spec, needed)
            elif spec.name in choice.messages:
                raise _unsupported(spec, choice.brokers)


def _restricted(spec: MessageSpec, text: str) -> MessageSpec:
    """Return a message with only the versions in ``text``, which is in Kafka's notation.

    Raise ``UsageError`` for versions that the message lacks.
    """
    try:
        requested = VersionRange.parse(text)
    except ValueError as error:
        raise UsageError(f"versions of {spec.name}: {error}") from None
    wanted = requested.intersect(spec.valid_versions)
    beyond = requested.highest > wanted.highest and not requested.open_ended
    if wanted.empty or requested.lowest < wanted.lowest or beyond:
        raise UsageError(f"{spec.name} has versions {spec.valid_versions}, not all of {text}")
    return narrowed(spec, wanted)


def _unsupported(spec: MessageSpec, releases: tuple[str, ...]) -> UsageError:
    """Return the error about a message that no release supports."""
    return UsageError(
        f"brokers of Kafka {_shown(releases)} support no stable version of {spec.name}, which has API key "
        f"{spec.api_key} and versions {spec.valid_versions}; remove it from messages, or write its versions into "
        "versions"
    )


def _shown(releases: tuple[str, ...]) -> str:
    return releases[0] if len(releases) == 1 else f"{releases[0]} to {releases[-1]}"
