"""The process of one Python contestant: answers one line for each line on standard input, in order.

``open NAME MESSAGE VERSION FILE`` prepares a workload and answers ``ok OPERATION ...``, or ``no REASON``; what a proxy has to write
is in FILE.proxy, and what it has to read in FILE.names;
``warm NAME OPERATION MILLISECONDS`` repeats an operation for that long and answers with calls and nanoseconds;
``time NAME OPERATION CALLS`` repeats it that often and answers with nanoseconds; ``collected`` does so with the collector on;
``memory NAME OPERATION`` answers with the bytes that one result keeps. Anything else ends the process with a traceback.
"""

from __future__ import annotations

import gc
import itertools
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from benchmarks.contestants import Forwarded, Open, UnsupportedError, opener


class Service:
    """Prepared workloads by name, and the commands on them."""

    def __init__(self, open_calls: Open) -> None:
        self._open_calls = open_calls
        self._prepared: dict[str, dict[str, Callable[[], object]]] = {}

    def answer(self, line: str) -> str:
        """The answer to one line. Raises ``ValueError`` for a line that is no command."""
        command, name, *rest = line.split(" ", 4)
        match command, rest:
            case "open", [message, version, file]:
                return self._open(name, message, int(version), Path(file))
            case "warm", [operation, milliseconds]:
                calls, nanoseconds = warm(self._call(name, operation), int(milliseconds))
                return f"{calls} {nanoseconds}"
            case "time", [operation, calls]:
                gc.collect()
                return str(time_calls(self._call(name, operation), int(calls)))
            case "collected", [operation, calls]:
                return str(time_calls_collected(self._call(name, operation), int(calls)))
            case "memory", [operation]:
                return str(kept_bytes(self._call(name, operation)))
        raise ValueError(f"not a command: {line!r}")

    def _open(self, name: str, message: str, version: int, file: Path) -> str:
        data = file.read_bytes()
        try:
            calls = self._open_calls(message, version, data)
        except UnsupportedError as reason:
            return f"no {reason}"
        if calls.encode() != data:
            raise ValueError(f"{name}: the encoded bytes differ from {file}")
        if calls.proxy is not None:
            _check_proxy(name, calls.proxy(), file)
        self._prepared[name] = prepared = calls.by_operation()
        return " ".join(("ok", *prepared))

    def _call(self, name: str, operation: str) -> Callable[[], object]:
        return self._prepared[name][operation]


def _check_proxy(name: str, forwarded: Forwarded, file: Path) -> None:
    """Raises ``ValueError`` where a proxy did not read or write what it should."""
    names, data = forwarded
    wanted_names, wanted = proxy_files(file)
    if data != wanted.read_bytes():
        raise ValueError(f"{name}: the bytes of the proxy differ from {wanted}")
    if names != wanted_names.read_text(encoding="utf-8").splitlines():
        raise ValueError(f"{name}: the names that the proxy read differ from {wanted_names}")


def proxy_files(file: Path) -> tuple[Path, Path]:
    """Where the names are that a proxy reads of the message in ``file``, and the bytes that it writes."""
    return file.with_name(file.name + ".names"), file.with_name(file.name + ".proxy")


def time_calls(call: Callable[[], object], calls: int) -> int:
    """Nanoseconds for that many calls; what they return is dropped at once, and dropping it is part of the time."""
    turns = itertools.repeat(None, calls)
    start = time.perf_counter_ns()
    for _ in turns:
        call()
    return time.perf_counter_ns() - start


def time_calls_collected(call: Callable[[], object], calls: int) -> int:
    """The same with Python's cyclic collector on, as in programs that use a library."""
    gc.collect()
    gc.enable()
    try:
        return time_calls(call, calls)
    finally:
        gc.disable()


def warm(call: Callable[[], object], milliseconds: int) -> tuple[int, int]:
    """Repeats a call, in growing batches, for at least that long; gives the calls and nanoseconds of the last batch."""
    deadline = time.perf_counter_ns() + milliseconds * 1_000_000
    calls = 1
    while True:
        nanoseconds = time_calls(call, calls)
        if time.perf_counter_ns() >= deadline:
            return calls, nanoseconds
        if nanoseconds < 10_000_000:
            calls *= 2


def kept_bytes(decode: Callable[[], object]) -> int:
    """The bytes that Python's allocators keep for one decoded message."""
    decode()
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    message = decode()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del message
    return after - before


def main() -> None:
    """Serves the contestant that the first argument names, with the folder of specs in the second one."""
    _, contestant, specs = sys.argv
    service = Service(opener(contestant, specs))
    gc.disable()
    for line in sys.stdin:
        print(service.answer(line.rstrip("\n")), flush=True)  # noqa: T201 - the answer is what the process is for


if __name__ == "__main__":
    main()
