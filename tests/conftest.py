"""What all tests share: golden files, how long Hypothesis searches, Apache's classes, and brokers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.oracle import TOOLS_RELEASE, Oracle
from tests.support import profiles

profiles.register()

pytest_plugins = ["tests.broker.fixtures"]

Golden = Callable[[Path, str], None]
"""Holds a text against the golden file at a path, or rewrites the file under ``--update-golden``."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite the golden files from what the code gives now"
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    update = bool(request.config.getoption("--update-golden"))

    def hold(path: Path, text: str) -> None:
        data = text.encode()
        if update and (not path.exists() or path.read_bytes() != data):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        assert path.exists(), f"{path} is missing; `make golden` writes it"
        assert path.read_bytes().decode() == text

    return hold


@pytest.fixture(scope="session")
def oracle() -> Iterator[Oracle]:
    """One running oracle on Kafka's own classes."""
    with Oracle() as running:
        yield running


@pytest.fixture(scope="session")
def generator() -> Iterator[Oracle]:
    """One running oracle on Apache's generator, and on the classes of the same release."""
    with Oracle(release=TOOLS_RELEASE) as running:
        yield running
