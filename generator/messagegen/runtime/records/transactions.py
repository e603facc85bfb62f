"""Aborted transactions, which a consumer with ``read_committed`` drops (upstream: ``CompletedFetch``; KIP-98)."""

from __future__ import annotations

from .control import is_abort

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    from .batches import RecordBatch

    class AbortedTransaction(Protocol):
        """The struct of a fetch response: a producer, and the first offset of its transaction."""

        @property
        def producer_id(self) -> int:
            """The producer whose transaction was aborted."""
            ...

        @property
        def first_offset(self) -> int:
            """The offset where the transaction begins."""
            ...


class AbortedProducers:
    """The producers whose transactions are aborted, at one place of a partition.

    A producer comes in where its transaction begins, and goes at the marker that aborts the transaction.
    """

    def __init__(self, transactions: Iterable[AbortedTransaction]) -> None:
        begins = [(each.first_offset, each.producer_id) for each in transactions]
        self._later = sorted(begins, reverse=True)
        self._producers: set[int] = set()

    def advance(self, last_offset: int) -> None:
        """Add the producers whose transactions begin up to the last offset of a batch."""
        while self._later and self._later[-1][0] <= last_offset:
            self._producers.add(self._later.pop()[1])

    def has(self, producer_id: int) -> bool:
        """Whether the transaction of a producer is aborted here."""
        return producer_id in self._producers

    def end(self, batch: RecordBatch) -> None:
        """Remove the producer of a control batch if the batch is the marker of an abort.

        Raises ``CodecFailure`` if the key of the control record is invalid.
        """
        if batch.records and is_abort(batch.records[0].key):
            self._producers.discard(batch.producer_id)
