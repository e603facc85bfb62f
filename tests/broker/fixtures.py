"""Brokers and Java tools that tests share. A test that asks for one of them is marked as what it then is."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from typing import Final

import pytest

from tests.broker.cluster import Cluster
from tests.broker.tools import JavaTools

_HEAVY: Final = frozenset({"broker", "three_brokers", "java_tools"})


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks who uses a broker; one worker runs all of them, so that there is one broker and not one a worker."""
    for item in items:
        if _HEAVY.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.java)
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.xdist_group("broker"))


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """One broker with all listeners, for all tests: they use topics of their own, and leave it running."""
    with Cluster(tmp_path_factory.mktemp("broker")) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def _three_brokers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Cluster(tmp_path_factory.mktemp("brokers"), nodes=3) as cluster:
        yield cluster


@pytest.fixture
def three_brokers(_three_brokers: Cluster) -> Cluster:
    """Three brokers, all of them running; tests may stop and kill them."""
    _three_brokers.start_all()
    return _three_brokers


@pytest.fixture(scope="session")
def java_tools() -> Iterator[JavaTools]:
    """Apache's own tools and admin client, in one JVM for all tests."""
    with JavaTools() as tools:
        yield tools


@pytest.fixture
def topic_name(request: pytest.FixtureRequest) -> str:
    """A name that no other test's topic has."""
    test = re.sub(r"[^\w.-]", "-", request.node.name)[:80]
    return f"{test}-{uuid.uuid4().hex[:8]}"
