"""What became of alterations: each was done or refused, may have been done, or was not sent at all."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

from messagegen_client.errors import BrokerConnectionError, BrokerError, KafkaError

K = TypeVar("K")


class Outcome(StrEnum):
    """What became of one alteration; the values are those of JSON output."""

    DONE = "done"
    """The broker said that it was carried out (or, with ``validate_only``, that it could be)."""
    REFUSED = "refused"
    """Nothing was changed: the broker refused it, or it contradicts itself and was not sent."""
    UNKNOWN = "unknown"
    """It was sent, and no answer says what became of it; describe what it was for to find out."""
    NOT_SENT = "not_sent"
    """Nothing was changed: it did not get as far as a broker."""

    @classmethod
    def of(cls, error: KafkaError | None) -> Outcome:
        """The outcome that a result stands for."""
        if error is None:
            return cls.DONE
        if error.outcome_unknown:
            return cls.UNKNOWN
        return cls.REFUSED if isinstance(error, BrokerError) else cls.NOT_SENT


class NotSentError(BrokerConnectionError):
    """An alteration was not sent, because a request before it failed; that is the ``__cause__``."""


class AlterationResults(dict[K, KafkaError | None]):
    """One result for each thing that was altered: ``None`` if it was, else why it was not.

    ``Outcome.of`` says of a result whether it may have been altered all the same.
    """

    @property
    def errors(self) -> dict[K, KafkaError]:
        """What was not altered, or not for certain."""
        return {key: error for key, error in self.items() if error is not None}

    def by_outcome(self) -> dict[Outcome, list[K]]:
        """What has each outcome; all outcomes are there, in their order."""
        found: dict[Outcome, list[K]] = {outcome: [] for outcome in Outcome}
        for key, error in self.items():
            found[Outcome.of(error)].append(key)
        return found

    def raise_for_errors(self) -> None:
        """Raises the error of what was not altered, or one for all of them if there are several; else does nothing."""
        errors = self.errors
        if len(errors) == 1:
            raise next(iter(errors.values()))
        if errors:
            raise self._several(errors)

    @abstractmethod
    def _several(self, errors: dict[K, KafkaError]) -> KafkaError:
        """The one error for several."""


def words(outcome: Outcome) -> str:
    """The outcome as people read it after a number."""
    return {Outcome.UNKNOWN: "with unknown outcome"}.get(outcome, outcome.value.replace("_", " "))


def counts(errors: Iterable[KafkaError]) -> str:
    """How many errors have which outcome."""
    found = Counter(map(Outcome.of, errors))
    return ", ".join(f"{found[outcome]} {words(outcome)}" for outcome in Outcome if found[outcome])
