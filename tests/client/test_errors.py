"""Errors can be pickled, and have a flag for an unknown outcome."""

from __future__ import annotations

import copy
import pickle

import pytest

from messagegen_client import errors
from messagegen_client.errors import (
    BootstrapError,
    BrokerConnectionError,
    BrokerError,
    KafkaError,
    PartialError,
    broker_error,
)
from messagegen_client.offsets.calls import ListOffsetsError
from messagegen_client.offsets.partitions import TopicPartition
from messagegen_client.quotas.entities import ClientQuotaEntity
from messagegen_client.quotas.results import AlterClientQuotasError, NotSentError

REFUSED = broker_error(42, "altering client quotas", "twice")
LOST = BrokerConnectionError("gone", outcome_unknown=True)
SPECIAL = [
    BootstrapError([("one:9092", BrokerConnectionError("one:9092 can't be reached"))]),
    AlterClientQuotasError({ClientQuotaEntity(user="a"): REFUSED, ClientQuotaEntity(user=None): LOST}, {}),
    ListOffsetsError({TopicPartition("orders", 0): LOST}, {TopicPartition("orders", 1): None}),
    *(broker_error(code, "describing", None) for code in (3, 7, 29, 42, 43)),
]


def classes(base: type[KafkaError]) -> set[type[KafkaError]]:
    return {base}.union(*map(classes, base.__subclasses__()))


def plain() -> list[KafkaError]:
    """Return an error of each class whose constructor takes a message."""
    special = {type(error) for error in SPECIAL} | classes(BrokerError) | classes(PartialError)
    made = [cls("what went wrong") for cls in classes(KafkaError) - special if cls.__module__ == errors.__name__]
    return sorted(made, key=lambda error: type(error).__name__)


@pytest.mark.parametrize(
    "error", [*SPECIAL, *plain(), NotSentError("not sent")], ids=lambda error: type(error).__name__
)
@pytest.mark.parametrize("unknown", [False, True])
def test_errors_are_pickled_and_copied(error: KafkaError, unknown: bool) -> None:
    error = copy.copy(error)
    error.outcome_unknown = unknown
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(error, protocol))
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert again.outcome_unknown is unknown
        assert vars(again).keys() == vars(error).keys()
    assert str(copy.deepcopy(error)) == str(error)
