"""Calls for several things: what was done and what failed, in one form for all calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, ClassVar, Generic, TypeVar

from messagegen_client.errors import BrokerConnectionError, BrokerError, KafkaError

K = TypeVar("K")
V = TypeVar("V")


class Outcome(StrEnum):
    """The outcome of one alteration. The values are used in JSON output."""

    DONE = "done"
    """The broker has carried it out (with ``validate_only``: has checked it)."""
    REFUSED = "refused"
    """Nothing was changed: the broker refused it, or it contradicts itself and was not sent."""
    UNKNOWN = "unknown"
    """It was sent, and no answer says whether it was carried out. Describe what was altered to find out."""
    NOT_SENT = "not_sent"
    """Nothing was changed: it was not sent to a broker."""

    @classmethod
    def of(cls, error: KafkaError | None) -> Outcome:
        """The outcome that a result means."""
        if error is None:
            return cls.DONE
        if error.outcome_unknown:
            return cls.UNKNOWN
        return cls.REFUSED if isinstance(error, BrokerError) else cls.NOT_SENT


class NotSentError(BrokerConnectionError):
    """An alteration was not sent, because an earlier request failed; that error is the ``__cause__``."""


class PartialError(KafkaError, Generic[K, V]):
    """A call for several things failed for some of them.

    ``errors`` has the error of each thing that failed, ``results`` the result of each other. The first error is the
    ``__cause__``. Calls for one thing raise it too.
    """

    FAILED: ClassVar[str]
    """The things, and that they failed: what follows the numbers in the text."""

    def __init__(self, errors: Mapping[K, KafkaError], results: Mapping[K, V]) -> None:
        self.errors = dict(errors)
        self.results = dict(results)
        super().__init__(self.errors, self.results)
        self.__cause__ = next(iter(self.errors.values()))
        self.outcome_unknown = any(error.outcome_unknown for error in self.errors.values())

    def __str__(self) -> str:
        return self.text()

    def text(self) -> str:
        """How many things failed, and the first error."""
        first = next(iter(self.errors.values()))
        total = len(self.errors) + len(self.results)
        return str(first) if total == 1 else f"{len(self.errors)} of {total} {self.FAILED}{self._counts()}: {first}"

    def _counts(self) -> str:
        return ""


class AlterationError(PartialError[K, None]):
    """Some alterations were refused, were not sent, or have an unknown outcome; ``Outcome.of`` tells which."""

    def _counts(self) -> str:
        return f" ({counts(self.errors.values())})"


class AlterationResults(dict[K, KafkaError | None]):
    """A result for each thing to alter: ``None`` if it was altered, else its error. ``Outcome.of`` gives the outcome."""

    ERROR: ClassVar[type[AlterationError[Any]]]
    """The class of the error that ``raise_for_errors`` raises."""

    @property
    def errors(self) -> dict[K, KafkaError]:
        """The errors of what was not altered, or may not be."""
        return {key: error for key, error in self.items() if error is not None}

    def by_outcome(self) -> dict[Outcome, list[K]]:
        """The things with each outcome. All outcomes are keys, in their order."""
        found: dict[Outcome, list[K]] = {outcome: [] for outcome in Outcome}
        for key, error in self.items():
            found[Outcome.of(error)].append(key)
        return found

    def raise_for_errors(self) -> None:
        """Raises an ``AlterationError`` if there are errors."""
        if self.errors:
            done = {key: None for key, error in self.items() if error is None}
            raise self.ERROR(self.errors, done)


def words(outcome: Outcome) -> str:
    """The outcome in words, to follow a number."""
    return {Outcome.UNKNOWN: "with unknown outcome"}.get(outcome, outcome.value.replace("_", " "))


def counts(errors: Iterable[KafkaError]) -> str:
    """How many errors have each outcome."""
    found = Counter(map(Outcome.of, errors))
    return ", ".join(f"{found[outcome]} {words(outcome)}" for outcome in Outcome if found[outcome])
