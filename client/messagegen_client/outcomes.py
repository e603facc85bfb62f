"""The outcomes of changes: done, refused, not sent, or unknown."""

from __future__ import annotations

from enum import StrEnum

from messagegen_client.errors import BrokerError, KafkaError


class Outcome(StrEnum):
    """The outcome of one change. The values are used in JSON output."""

    DONE = "done"
    """The broker has carried out the change (with ``validate_only``: has checked it)."""
    REFUSED = "refused"
    """Nothing was changed: the broker refused the change, or it contradicts itself and was not sent."""
    UNKNOWN = "unknown"
    """The change was sent, and may have been carried out. Describe the altered entities to find out."""
    NOT_SENT = "not_sent"
    """Nothing was changed: the change was not sent to a broker."""

    @classmethod
    def of(cls, error: KafkaError | None) -> Outcome:
        """Return the outcome for a result."""
        if error is None:
            return cls.DONE
        if error.outcome_unknown:
            return cls.UNKNOWN
        return cls.REFUSED if isinstance(error, BrokerError) else cls.NOT_SENT
