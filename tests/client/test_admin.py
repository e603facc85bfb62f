"""``AsyncAdmin`` has coroutines, ``Admin`` has calls that block in any thread, and both close cleanly."""

from __future__ import annotations

import asyncio
import gc
import inspect
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, assert_type

import pytest

from messagegen_client.admin import Admin, AsyncAdmin
from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import BootstrapError, ClientClosedError, ConfigError, KafkaTimeoutError
from messagegen_client.offsets.partitions import TopicPartition
from messagegen_client.offsets.search import OffsetAndTimestamp
from messagegen_client.offsets.specs import OffsetSpec
from messagegen_client.quotas.calls import describe_client_quotas
from messagegen_client.quotas.entities import ClientQuotaEntity
from messagegen_client.threads import LoopThread
from messagegen_kafka import DescribeClientQuotasRequest, DescribeClientQuotasResponse, Limits, Request
from messagegen_kafka.describe_client_quotas_response import EntityData, EntryData, ValueData
from tests.client.support.broker import Answerer, FakeBroker, Received, Reply, Silence, answers
from tests.client.support.event_loop import in_loop


@contextmanager
def served(broker: FakeBroker) -> Iterator[FakeBroker]:
    """Yield a fake broker that runs in a thread of its own, for blocking clients."""
    thread = LoopThread(broker)
    yield broker
    thread.close()


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    left = [thread for thread in threading.enumerate() if thread not in before and thread.name == "messagegen-client"]
    for thread in left:
        thread.join(timeout=20)
    assert not any(thread.is_alive() for thread in left)


def described(**values: float) -> DescribeClientQuotasResponse:
    """Return the response from a broker with these quotas for the user alice."""
    entry = EntryData(
        entity=(EntityData(entity_type="user", entity_name="alice"),),
        values=tuple(ValueData(key=key, value=value) for key, value in values.items()),
    )
    return DescribeClientQuotasResponse(entries=(entry,))


def test_admin_methods_have_the_signature_and_docstring_of_their_function() -> None:
    expected = inspect.signature(describe_client_quotas).parameters
    for method in (Admin.describe_client_quotas, AsyncAdmin.describe_client_quotas):
        assert list(inspect.signature(method).parameters) == ["self", *list(expected)[1:]]
        assert method.__doc__ == describe_client_quotas.__doc__
    assert inspect.iscoroutinefunction(AsyncAdmin.describe_client_quotas)
    assert not inspect.iscoroutinefunction(Admin.describe_client_quotas)


def blocking_calls_are_typed(admin: Admin, partition: TopicPartition) -> None:
    """Let type checkers check that calls are typed: with ``Any``, they would report each unused ``type: ignore``."""
    assert_type(admin.describe_client_quotas(timeout=3), dict[ClientQuotaEntity, dict[str, float]])
    assert_type(admin.end_offsets([("orders", 0)]), dict[TopicPartition, int])
    assert_type(admin.list_offsets({partition: OffsetSpec.latest()}), dict[TopicPartition, OffsetAndTimestamp | None])
    assert_type(admin.offsets_for_times({("a", 0): 5}), dict[TopicPartition, OffsetAndTimestamp | None])
    admin.offsets_for_times({5: 5})  # type: ignore[type-var]  # pyright: ignore[reportArgumentType]
    admin.describe_client_quotas(timeout="3")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    admin.describe_client_quotas(time_out=3)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


async def coroutine_calls_are_typed(admin: AsyncAdmin, partition: TopicPartition) -> None:
    """Let type checkers check the same for coroutines."""
    assert_type(await admin.describe_client_quotas(timeout=3), dict[ClientQuotaEntity, dict[str, float]])
    found = await admin.list_offsets({partition: OffsetSpec.latest()})
    assert_type(found, dict[TopicPartition, OffsetAndTimestamp | None])
    await admin.describe_client_quotas(timeout="3")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@in_loop
async def test_the_error_for_a_response_above_a_limit_names_the_setting() -> None:
    on: dict[type[Request], Answerer] = {DescribeClientQuotasRequest: answers(described(a=1.0, b=2.0))}
    async with FakeBroker(on) as broker:
        async with AsyncAdmin(broker.config()) as admin:
            assert len(await admin.describe_client_quotas()) == 1
        for limits, name in (
            (Limits(array_length=1), "array_length"),
            (Limits(memory_factor=0, memory_constant=300), "memory_factor"),
        ):
            with pytest.raises(BootstrapError, match=rf"set ClientConfig\.response_limits to Limits\({name}="):
                async with AsyncAdmin(replace(broker.config(), response_limits=limits)) as admin:
                    await admin.describe_client_quotas()


@in_loop
async def test_a_call_on_a_closed_client_is_an_error() -> None:
    admin = AsyncAdmin("localhost:9092")
    await admin.close()
    with pytest.raises(ClientClosedError, match="the client is closed"):
        await admin.describe_client_quotas()


def test_blocking_calls_return_their_results() -> None:
    with served(FakeBroker()) as broker, Admin(broker.address) as admin:
        assert admin.describe_client_quotas() == {}
        assert repr(admin) == f"Admin('{broker.address}')"
    with pytest.raises(ClientClosedError):
        admin.describe_client_quotas()
    admin.close()


def test_errors_reach_the_caller() -> None:
    with Admin(ClientConfig.of("[::1]:1")) as admin, pytest.raises(BootstrapError):
        admin.describe_client_quotas()
    with pytest.raises(ConfigError):
        Admin("localhost")


submit = asyncio.run_coroutine_threadsafe


def hold(reached: threading.Event) -> FakeBroker:
    async def answer(received: Received) -> Reply:
        reached.set()
        return Silence.NOTHING

    return FakeBroker({DescribeClientQuotasRequest: answer})


async def tasks_of_calls() -> list[str]:
    """Return the calls that are in progress in the loop of a blocking client."""
    for _ in range(10):  # A cancelled call ends within 10 iterations of the loop.
        await asyncio.sleep(0)
    names = [getattr(task.get_coro(), "__qualname__", "") for task in asyncio.all_tasks()]
    return [name for name in names if name == "describe_client_quotas"]


def interrupted_while_submitting(work: Any, loop: asyncio.AbstractEventLoop) -> Any:
    submit(work, loop)
    raise KeyboardInterrupt


def test_an_interrupt_during_the_submission_cancels_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    with served(hold(threading.Event())) as broker, Admin(broker.address) as admin:
        monkeypatch.setattr(asyncio, "run_coroutine_threadsafe", interrupted_while_submitting)
        with pytest.raises(KeyboardInterrupt):
            admin.describe_client_quotas()
        monkeypatch.undo()
        assert admin._thread.run(tasks_of_calls()) == []  # noqa: SLF001 - there is no public way


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Make SIGINT raise ``KeyboardInterrupt``, because background processes of a shell ignore it by default."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_the_call_and_not_the_client() -> None:
    reached = threading.Event()

    def interrupt() -> None:
        reached.wait(20)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)  # This is like Ctrl-C in a terminal.

    with served(hold(reached)) as broker, Admin(broker.address) as admin:
        waiting = threading.Thread(target=interrupt)
        waiting.start()
        with pytest.raises(KeyboardInterrupt):
            admin.describe_client_quotas()
        waiting.join()
        assert admin._thread.run(tasks_of_calls()) == []  # noqa: SLF001 - there is no public way
        with pytest.raises(KafkaTimeoutError):
            admin.describe_client_quotas(timeout=0.05)


def test_an_unclosed_client_causes_a_resource_warning() -> None:
    with served(FakeBroker()) as broker:
        admin = Admin(broker.address)
        admin.describe_client_quotas()
        with pytest.warns(ResourceWarning, match="was not closed; use it with `with`"):  # noqa: PT031 - two of one kind
            del admin
            gc.collect()


def test_a_blocking_call_in_the_loop_of_the_client_is_an_error() -> None:
    class Idle:
        async def __aenter__(self) -> None: ...
        async def __aexit__(self, *_: object) -> None: ...

    thread = LoopThread(Idle())

    async def inner() -> None:
        thread.run(asyncio.sleep(0))

    with pytest.raises(RuntimeError, match="would wait for itself"):
        thread.run(inner())
    thread.close()


FORKED = """
import os, sys, warnings
from messagegen_client import Admin, ClientUsageError
warnings.simplefilter("ignore", DeprecationWarning)  # Python warns of fork in a process with threads.
admin = Admin("127.0.0.1:1")
child = os.fork()
if child == 0:
    with admin:
        try:
            admin.describe_client_quotas()
        except ClientUsageError as problem:
            print(problem, flush=True)
    del admin
    sys.exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
admin.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_client_raises_an_error_in_a_forked_process() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", FORKED], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "the client was made before fork and does not work in this process; make another client here\n"
    )
