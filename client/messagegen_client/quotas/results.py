"""The results of altering client quotas: what was done, what was refused, and what nobody knows."""

from __future__ import annotations

from enum import StrEnum

from messagegen_client.errors import BrokerConnectionError, BrokerError, KafkaError, PartialError
from messagegen_client.quotas.entities import ClientQuotaEntity


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


class AlterClientQuotasError(PartialError[ClientQuotaEntity, None]):
    """Some entities were refused, were not sent, or have an unknown outcome.

    ``Outcome.of`` tells which of these an error means.
    """

    FAILED = "entities were not altered"


class AlterClientQuotasResult(dict[ClientQuotaEntity, KafkaError | None]):
    """A result for each entity, in the order of the alterations: ``None`` if it was altered, else its error."""

    @property
    def errors(self) -> dict[ClientQuotaEntity, KafkaError]:
        """The errors of what was not altered, or may not be."""
        return {entity: error for entity, error in self.items() if error is not None}

    def by_outcome(self) -> dict[Outcome, list[ClientQuotaEntity]]:
        """The entities with each outcome. All outcomes are keys, in their order."""
        found: dict[Outcome, list[ClientQuotaEntity]] = {outcome: [] for outcome in Outcome}
        for entity, error in self.items():
            found[Outcome.of(error)].append(entity)
        return found

    def nothing_sent(self) -> AlterClientQuotasResult:
        """These results of a check, after which nothing was sent: what was not refused has a ``NotSentError``."""
        return AlterClientQuotasResult(
            (entity, error or NotSentError(f"altering client quotas of {entity}: not sent, because others are refused"))
            for entity, error in self.items()
        )

    def raise_for_errors(self) -> None:
        """Raises an ``AlterClientQuotasError`` if there are errors."""
        if self.errors:
            raise AlterClientQuotasError(self.errors, {key: None for key, error in self.items() if error is None})
