"""The history commands of ``messagegen-pipeline`` in the session of the tests."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from messagegen_spark.cli.main import pipeline
from messagegen_spark.cli.running import run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Done(NamedTuple):
    """What a command left with, and what it said."""

    code: int
    out: str
    err: str


Command = Callable[..., Done]


@pytest.fixture(scope="module")
def command(spark: SparkSession) -> Iterator[Command]:
    """Runs a command with arguments, which may be paths."""
    pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")
    from messagegen_spark.jobs import sessions  # noqa: PLC0415 - as above

    @contextmanager
    def session_of_tests(*_arguments: object, **_options: object) -> Iterator[SparkSession]:
        yield spark

    def call(*arguments: str | Path) -> Done:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = run(pipeline, list(map(str, arguments)))
        return Done(code, out.getvalue(), err.getvalue())

    with pytest.MonkeyPatch.context() as patch:
        # A session of its own would end that of the other tests.
        patch.setattr(sessions, "job_session", session_of_tests)
        yield call
