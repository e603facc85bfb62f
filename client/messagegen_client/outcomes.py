"""The outcomes of changes: what was done, what was refused, and what nobody knows."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from messagegen_client.errors import BrokerError, KafkaError

K = TypeVar("K")


class Outcome(StrEnum):
    """The outcome of one change. The values are used in JSON output."""

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


class AlterationResult(dict[K, KafkaError | None]):
    """A result for each thing, in the order of the changes: ``None`` if it was altered, else its error."""

    @property
    def errors(self) -> dict[K, KafkaError]:
        """The errors of what was not altered, or may not be."""
        return {thing: error for thing, error in self.items() if error is not None}

    @property
    def altered(self) -> dict[K, None]:
        """What was altered, as the results of a ``PartialError``."""
        return {thing: None for thing, error in self.items() if error is None}

    def by_outcome(self) -> dict[Outcome, list[K]]:
        """The things with each outcome. All outcomes are keys, in their order."""
        found: dict[Outcome, list[K]] = {outcome: [] for outcome in Outcome}
        for thing, error in self.items():
            found[Outcome.of(error)].append(thing)
        return found
