"""The history commands of ``messagegen-pipeline`` in the session of the tests, and logs for them to read."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from messagegen_spark.cli.main import pipeline
from messagegen_spark.cli.running import run
from tests.arrow.support.internal_records import Record
from tests.arrow.support.log_data import TIME, Batch, Data, write_segment

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - Spark's rows have plain datetimes, here in UTC


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


def write_log(folder: Path, records: Sequence[Record], first: int = 0, *, name: str | None = None) -> Path:
    """A segment with a batch for each record, a second after the one before; with ``name`` a file that is called so."""
    batches = [
        Batch(
            offset, [Data(record.value, record.key)], base_timestamp=TIME + 1000 * offset, control=record.is_control
        ).encode()
        for offset, record in enumerate(records, start=first)
    ]
    path = write_segment(folder, first, batches)
    return path if name is None else path.rename(folder / name)


def second(number: int) -> datetime:
    """The time of the record with this offset."""
    return EPOCH + timedelta(milliseconds=TIME + 1000 * number)
