"""Threads that use the engine for columns and records run without the interpreter's lock."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from messagegen_kafka import MetadataResponse
from tests.native.threads import FREE_THREADED, THREADS, VERSION, metadata, often_switching, run

native = pytest.importorskip("messagegen_native", reason="messagegen-native is not installed: see native/README.md")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed: columns are made from its arrays")


def rows(number: int = 300) -> Any:
    return pa.array([metadata(each % 50).encode(version=VERSION) for each in range(number)])


def test_threads_can_share_a_decoder_and_an_encoder() -> None:
    values, plan = rows(), MetadataResponse.CODEC.plan
    decoder, encoder = native.ColumnDecoder(plan, [VERSION]), native.ColumnEncoder(plan)
    expected = pa.array(decoder.decode(values, VERSION))

    def same() -> None:
        for _ in range(5):
            columns = pa.array(decoder.decode(values, VERSION))
            assert columns.equals(expected)
            assert pa.array(encoder.encode(columns, VERSION)).field("value").equals(values)

    run(*[same] * THREADS)


def test_arrow_capsules_can_be_taken_by_only_one_thread() -> None:
    class Once:
        """An array whose capsules can be taken only once."""

        def __init__(self) -> None:
            self.capsules = rows(3).__arrow_c_array__()

        def __arrow_c_array__(self, requested_schema: object = None) -> Any:
            return self.capsules

    decoder = native.ColumnDecoder(MetadataResponse.CODEC.plan, [VERSION])
    for _ in range(50):
        taken = taken_by_threads(decoder, Once())
        assert sorted(map(str, taken)) == ["3", *["the Arrow array was released before"] * (THREADS - 1)]


def taken_by_threads(decoder: Any, values: Any) -> list[int | str]:
    """Decode in several threads, and return the number of rows, or the error, of each thread."""
    taken: list[int | str] = []

    def take() -> None:
        try:
            taken.append(len(decoder.decode(values, VERSION)))
        except ValueError as error:
            taken.append(str(error))

    run(*[take] * THREADS)
    return taken


def works_without_the_lock(work: Callable[[], object]) -> bool:
    """Return whether a second thread runs before a function returns.

    Here, threads do not interrupt each other, so the second thread runs only if the function releases the lock.
    """
    go, has_run = threading.Semaphore(0), threading.Event()

    def other() -> None:
        go.acquire()
        has_run.set()

    thread = threading.Thread(target=other)
    thread.start()
    with often_switching(1_000):
        go.release()
        for _ in range(200):
            work()
            if has_run.is_set():
                break
        answer = has_run.is_set()
    thread.join()
    return answer


def unlocked_calls() -> Sequence[tuple[str, Callable[[], Any]]]:
    plan = MetadataResponse.CODEC.plan
    decoder, encoder, values = native.ColumnDecoder(plan, [VERSION]), native.ColumnEncoder(plan), rows()
    columns = pa.array(decoder.decode(values, VERSION))
    return (
        ("ColumnDecoder.decode", lambda: decoder.decode(values, VERSION)),
        ("ColumnEncoder.encode", lambda: encoder.encode(columns, VERSION)),
    )


@pytest.mark.skipif(FREE_THREADED, reason="this Python has no lock")
@pytest.mark.parametrize("name", ["ColumnDecoder.decode", "ColumnEncoder.encode"])
def test_columns_are_decoded_and_encoded_without_the_gil(name: str) -> None:
    assert works_without_the_lock(dict(unlocked_calls())[name])
