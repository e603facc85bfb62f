"""What became of the alterations of client quotas."""

from __future__ import annotations

from collections.abc import Mapping

from messagegen_client.errors import KafkaError
from messagegen_client.outcomes import AlterationResults, counts
from messagegen_client.quotas.entities import ClientQuotaEntity


class AlterClientQuotasError(KafkaError):
    """Several entities were not altered; ``errors`` says why for each of them."""

    def __init__(self, errors: Mapping[ClientQuotaEntity, KafkaError]) -> None:
        self.errors = dict(errors)
        super().__init__(self.errors)

    def text(self) -> str:
        """How many entities have which outcome, and the first of them."""
        entity, first = next(iter(self.errors.items()))
        parts = counts(self.errors.values())
        return f"{len(self.errors)} entities were not altered ({parts}), {entity} among them: {first}"


class AlterClientQuotasResult(AlterationResults[ClientQuotaEntity]):
    """One result for each entity, in the order of the alterations; several errors are an ``AlterClientQuotasError``."""

    def _several(self, errors: dict[ClientQuotaEntity, KafkaError]) -> KafkaError:
        return AlterClientQuotasError(errors)
