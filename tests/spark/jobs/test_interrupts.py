"""Ctrl-C ends a job as an interrupt, whatever PySpark makes of it."""

from __future__ import annotations

import signal
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from messagegen_spark.jobs.interrupts import cancelled_on_interrupt


class Session:
    """A session that counts how often its queries are cancelled."""

    def __init__(self) -> None:
        self.cancelled = 0

    def interruptAll(self) -> list[str]:  # noqa: N802 - Spark's name
        self.cancelled += 1
        return []


class NetworkError(Exception):
    """Py4J's error for a connection that it can no longer read."""


def interrupted_query() -> None:
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        raise NetworkError("Answer from Java side is empty")


def test_an_error_that_follows_an_interrupt_is_the_interrupt() -> None:
    session: Any = Session()
    with pytest.raises(KeyboardInterrupt) as caught, cancelled_on_interrupt(session, alone=False):
        interrupted_query()
    assert isinstance(caught.value.__cause__, NetworkError)
    assert session.cancelled == 1


def test_other_errors_stay_as_they_are() -> None:
    session: Any = Session()
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(NetworkError), cancelled_on_interrupt(session, alone=False):
        raise NetworkError("Answer from Java side is empty")
    assert session.cancelled == 0
    assert signal.getsignal(signal.SIGINT) is before
