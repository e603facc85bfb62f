"""What became of alterations: each was done or refused, may have been done, or was not sent at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum

from messagegen_client.errors import BrokerConnectionError, BrokerError, KafkaError
from messagegen_client.quotas import ClientQuotaEntity


class Outcome(StrEnum):
    """What became of the alteration of one entity; the values are those of JSON output."""

    DONE = "done"
    """The broker said that it was carried out (or, with ``validate_only``, that it could be)."""
    REFUSED = "refused"
    """Nothing was changed: the broker refused it, or it contradicts itself and was not sent."""
    UNKNOWN = "unknown"
    """It was sent, and no answer says what became of it; describe the entity to find out."""
    NOT_SENT = "not_sent"
    """Nothing was changed: it did not get as far as a broker."""

    @classmethod
    def of(cls, error: KafkaError | None) -> Outcome:
        """The outcome that the result of an entity stands for."""
        if error is None:
            return cls.DONE
        if error.outcome_unknown:
            return cls.UNKNOWN
        return cls.REFUSED if isinstance(error, BrokerError) else cls.NOT_SENT


class NotSentError(BrokerConnectionError):
    """An alteration was not sent, because a request before it failed; that is the ``__cause__``."""


class AlterClientQuotasError(KafkaError):
    """Several entities were not altered; ``errors`` says why for each of them."""

    def __init__(self, errors: Mapping[ClientQuotaEntity, KafkaError]) -> None:
        self.errors = dict(errors)
        super().__init__(self.errors)

    def text(self) -> str:
        """How many entities have which outcome, and the first of them."""
        entity, first = next(iter(self.errors.items()))
        counts = Counter(map(Outcome.of, self.errors.values()))
        parts = ", ".join(f"{counts[outcome]} {words(outcome)}" for outcome in Outcome if counts[outcome])
        return f"{len(self.errors)} entities were not altered ({parts}), {entity} among them: {first}"


class AlterClientQuotasResult(dict[ClientQuotaEntity, KafkaError | None]):
    """One result for each entity, in the order of the alterations: ``None`` if it was altered, else why it was not.

    ``Outcome.of`` says of a result whether the entity may have been altered all the same.
    """

    @property
    def errors(self) -> dict[ClientQuotaEntity, KafkaError]:
        """The entities that were not altered, or not for certain."""
        return {entity: error for entity, error in self.items() if error is not None}

    def by_outcome(self) -> dict[Outcome, list[ClientQuotaEntity]]:
        """The entities of each outcome; all outcomes are there, in their order."""
        found: dict[Outcome, list[ClientQuotaEntity]] = {outcome: [] for outcome in Outcome}
        for entity, error in self.items():
            found[Outcome.of(error)].append(entity)
        return found

    def raise_for_errors(self) -> None:
        """Raises the error of the entity that was not altered, or ``AlterClientQuotasError`` for several; else does nothing."""
        errors = self.errors
        if len(errors) == 1:
            raise next(iter(errors.values()))
        if errors:
            raise AlterClientQuotasError(errors)


def words(outcome: Outcome) -> str:
    """The outcome as people read it after a number."""
    return {Outcome.UNKNOWN: "with unknown outcome"}.get(outcome, outcome.value.replace("_", " "))
