"""The results of altering client quotas."""

from __future__ import annotations

from messagegen_client.outcomes import AlterationError, AlterationResults
from messagegen_client.quotas.entities import ClientQuotaEntity


class AlterClientQuotasError(AlterationError[ClientQuotaEntity]):
    """The quotas of some entities were not altered."""

    FAILED = "entities were not altered"


class AlterClientQuotasResult(AlterationResults[ClientQuotaEntity]):
    """A result for each entity, in the order of the alterations."""

    ERROR = AlterClientQuotasError
