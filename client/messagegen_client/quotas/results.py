"""The results of altering client quotas."""

from __future__ import annotations

from messagegen_client.errors import BrokerConnectionError, KafkaError, PartialError
from messagegen_client.outcomes import Outcome
from messagegen_client.quotas.entities import ClientQuotaEntity


class NotSentError(BrokerConnectionError):
    """An alteration was not sent, because an earlier request failed; that error is the ``__cause__``."""


class AlterClientQuotasError(PartialError[ClientQuotaEntity, None]):
    """The changes of some entities were refused, were not sent, or have an unknown outcome.

    ``Outcome.of`` returns the outcome for an error.
    """

    FAILED = "entities were not altered"


class AlterClientQuotasResult(dict[ClientQuotaEntity, KafkaError | None]):
    """A result for each entity, in the order of the alterations: ``None`` if it was altered, else its error."""

    @property
    def errors(self) -> dict[ClientQuotaEntity, KafkaError]:
        """The errors of the entities that were not altered, or whose outcome is unknown."""
        return {entity: error for entity, error in self.items() if error is not None}

    def by_outcome(self) -> dict[Outcome, list[ClientQuotaEntity]]:
        """Return the entities with each outcome. All outcomes are keys, in their order."""
        found: dict[Outcome, list[ClientQuotaEntity]] = {outcome: [] for outcome in Outcome}
        for entity, error in self.items():
            found[Outcome.of(error)].append(entity)
        return found

    def nothing_sent(self) -> AlterClientQuotasResult:
        """Return the results of a call that sends nothing: each entity without an error gets a ``NotSentError``."""
        return AlterClientQuotasResult(
            (
                entity,
                error
                or NotSentError(f"altering client quotas of {entity}: not sent, because other changes were refused"),
            )
            for entity, error in self.items()
        )

    def raise_for_errors(self) -> None:
        """Raise an ``AlterClientQuotasError`` if there are errors."""
        if self.errors:
            altered = {entity: None for entity, error in self.items() if error is None}
            raise AlterClientQuotasError(self.errors, altered)
