"""Client quotas on a real broker: none at the beginning of a test and none at its end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Final

import pytest

from messagegen_client.admin import Admin
from messagegen_client.quotas.entities import ClientQuotaAlteration, ClientQuotaEntity
from tests.broker import Cluster

Described = Mapping[ClientQuotaEntity, Mapping[str, float]]

_SECONDS: Final = 30


@pytest.fixture
def admin(broker: Cluster) -> Iterator[Admin]:
    with Admin(broker.bootstrap()) as admin:
        remove_all(admin)
        yield admin
        remove_all(admin)


def remove_all(admin: Admin) -> None:
    current = admin.describe_client_quotas()
    admin.alter_client_quotas(
        ClientQuotaAlteration(entity, dict.fromkeys(values)) for entity, values in current.items()
    ).raise_for_errors()
    eventually(lambda: not admin.describe_client_quotas())


def set_quotas(admin: Admin, entries: Described) -> None:
    """Sets quotas, and waits until the broker describes them: it learns of them from the controller, a little later."""
    admin.alter_client_quotas(
        ClientQuotaAlteration(entity, dict(values)) for entity, values in entries.items()
    ).raise_for_errors()
    eventually(lambda: entries.items() <= admin.describe_client_quotas().items())


def eventually(holds: Callable[[], bool]) -> None:
    """Asks again until something holds; asking waits for a broker's answer, so that it needs no other pause."""
    deadline = time.monotonic() + _SECONDS
    while not holds():
        assert time.monotonic() < deadline, "it did not come about"
