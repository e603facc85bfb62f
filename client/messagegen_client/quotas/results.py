"""The results of altering client quotas."""

from __future__ import annotations

from messagegen_client.errors import BrokerConnectionError, PartialError
from messagegen_client.outcomes import AlterationResult
from messagegen_client.quotas.entities import ClientQuotaEntity


class NotSentError(BrokerConnectionError):
    """An alteration was not sent, because an earlier request failed; that error is the ``__cause__``."""


class AlterClientQuotasError(PartialError[ClientQuotaEntity, None]):
    """Some entities were refused, were not sent, or have an unknown outcome.

    ``Outcome.of`` tells which of these an error means.
    """

    FAILED = "entities were not altered"


class AlterClientQuotasResult(AlterationResult[ClientQuotaEntity]):
    """A result for each entity, in the order of the alterations: ``None`` if it was altered, else its error."""

    def nothing_sent(self) -> AlterClientQuotasResult:
        """These results of a check, after which nothing was sent: what was not refused has a ``NotSentError``."""
        return AlterClientQuotasResult(
            (entity, error or NotSentError(f"altering client quotas of {entity}: not sent, because others are refused"))
            for entity, error in self.items()
        )

    def raise_for_errors(self) -> None:
        """Raises an ``AlterClientQuotasError`` if there are errors."""
        if self.errors:
            raise AlterClientQuotasError(self.errors, self.altered)
