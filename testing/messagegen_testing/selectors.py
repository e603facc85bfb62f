"""The selectors of rules, for requests or connections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from uuid import UUID

from messagegen_testing import arguments
from messagegen_testing.errors.fields import has_partitions, has_topics
from messagegen_testing.errors.selection import Selection
from messagegen_testing.problems import call
from messagegen_testing.seen import Connection, SeenRequest

E = TypeVar("E")
"""The class of a request, of any generated package, or ``Connection``."""

Event = SeenRequest[Any] | Connection
"""An event that rules apply to."""

_REQUEST = "request"
"""The kind of messages that rules are for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selectors(Generic[E]):
    """The arguments of ``when``. ``None`` and the other defaults select everything.

    ``topic``, ``partition``, ``client_id`` and ``where`` match an event by its content. The first ``after`` matching
    events are skipped. The fault is applied to each further event with ``probability``, drawn with ``seed``, and at
    most ``times`` times.
    """

    event_class: type[E]
    topic: str | None = None
    partition: int | None = None
    client_id: str | None = None
    where: Callable[[E], bool] | None = None
    after: int = 0
    times: int | None = None
    probability: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        if self.event_class is not Connection:
            check_request_class(self.event_class)
        self._check_numbers()
        self._check_content()

    def selection(self, topic_names: Mapping[UUID, str]) -> Selection:
        """Return the selected topic and partition; ``topic_names`` maps topic ids to names."""
        return Selection(self.topic, self.partition, topic_names)

    def match(self, event: Event, topic_names: Mapping[UUID, str]) -> bool:
        """Whether an event matches by its content."""
        content: Any = event
        if isinstance(event, SeenRequest):
            content = event.message
        if not isinstance(content, self.event_class):
            return False
        if isinstance(event, SeenRequest) and not self._matches_request(event, topic_names):
            return False
        return self.where is None or call(self.where, content)

    def _matches_request(self, seen: SeenRequest[Any], topic_names: Mapping[UUID, str]) -> bool:
        if self.client_id is not None and seen.client_id != self.client_id:
            return False
        selection = self.selection(topic_names)
        return not selection.is_limited or selection.selects(seen.message, seen.message.fields(version=seen.version))

    def __str__(self) -> str:
        """Return the call of ``when``, as text."""
        named = {"topic": self.topic, "partition": self.partition, "client_id": self.client_id}
        words = [self.event_class.__name__]
        words += [f"{name}={value!r}" for name, value in named.items() if value is not None]
        if self.where is not None:
            words.append("where=...")
        if self.after:
            words.append(f"after={self.after}")
        if self.times is not None:
            words.append(f"times={self.times}")
        if self.probability < 1:
            words.append(f"probability={self.probability}, seed={self.seed}")
        return f"when({', '.join(words)})"

    def _check_numbers(self) -> None:
        arguments.whole_number("after", self.after, 0, "; after=2, times=1 is the third")
        if self.times is not None:
            arguments.whole_number("times", self.times, 1, "; leave it out for a rule that always applies")
        arguments.probability("probability", self.probability)
        arguments.whole_number("seed", self.seed, 0)

    def _check_content(self) -> None:
        """Raise ``TypeError`` for an argument of the wrong type, and ``ValueError`` if it can't match the class."""
        for argument, text in (("topic", self.topic), ("client_id", self.client_id)):
            if text is not None:
                arguments.text(argument, text)
        if self.partition is not None:
            arguments.whole_number("partition", self.partition, 0, highest=arguments.HIGHEST_INT32)
        if self.where is not None:
            arguments.function("where", self.where)
        name = self.event_class.__name__
        if self.topic is not None and not _has(self.event_class, has_topics):
            raise ValueError(f"{name} has no topics: leave out topic={self.topic!r}")
        if self.partition is not None and not _has(self.event_class, has_partitions):
            raise ValueError(f"{name} has no partitions: leave out partition={self.partition}")
        if self.client_id is not None and self.event_class is Connection:
            raise ValueError(f"{name} has no client id: leave out client_id={self.client_id!r}")


def _has(event_class: Any, has: Callable[[Any], bool]) -> bool:
    """Whether ``has`` holds for the fields of some version; ``Connection`` and ``Request`` have no versions."""
    versions = getattr(event_class, "VALID_VERSIONS", ())
    return any(has(event_class.fields(version=version)) for version in versions)


def check_request_class(request_class: Any) -> None:
    """Raise ``TypeError`` unless the class is a request."""
    if getattr(request_class, "KIND", None) != _REQUEST:
        name = str(getattr(request_class, "__name__", repr(request_class)))
        hint = f": {name.removesuffix('Response')}Request" if name.endswith("Response") else ", such as FetchRequest"
        raise TypeError(f"expected the class of a request{hint}, got {name}")
