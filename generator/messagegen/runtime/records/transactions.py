"""Tracks aborted transactions, which a ``read_committed`` consumer drops (upstream: ``CompletedFetch``; KIP-98)."""

from __future__ import annotations

from .control import is_abort

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    from .batches import RecordBatch

    class AbortedTransaction(Protocol):
        """The struct of a fetch response: a producer id, and the first offset of its aborted transaction."""

        @property
        def producer_id(self) -> int:
            """The producer whose transaction was aborted."""
            ...

        @property
        def first_offset(self) -> int:
            """The offset at which the transaction begins."""
            ...


class AbortedProducers:
    """The producers with an aborted transaction at the current position in a partition.

    A producer is added at the first offset of its transaction, and removed at the transaction's abort marker.
    """

    def __init__(self, transactions: Iterable[AbortedTransaction]) -> None:
        begins = [(each.first_offset, each.producer_id) for each in transactions]
        self._later = sorted(begins, reverse=True)
        self._producers: set[int] = set()

    def advance(self, last_offset: int) -> None:
        """Add the producers whose aborted transactions begin at or before ``last_offset``, the end of a batch."""
        while self._later and self._later[-1][0] <= last_offset:
            self._producers.add(self._later.pop()[1])

    def has(self, producer_id: int) -> bool:
        """Whether the transaction of a producer is aborted here."""
        return producer_id in self._producers

    def end(self, batch: RecordBatch) -> None:
        """Remove the producer of a control batch if the batch is an abort marker.

        Raises ``CodecFailure`` if the key of the control record is invalid.
        """
        if batch.records and is_abort(batch.records[0].key):
            self._producers.discard(batch.producer_id)
