"""Fixtures of the differential tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.oracle import Oracle


@pytest.fixture(scope="session")
def oracle() -> Iterator[Oracle]:
    """One running oracle on Kafka's own classes."""
    with Oracle() as running:
        yield running
