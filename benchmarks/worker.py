"""The process of one Python contestant. It answers each line on standard input with one line on standard output.

``open NAME MESSAGE VERSION FILE`` prepares a workload, and answers ``ok OPERATION ...`` or ``no REASON``. ``warm NAME
OPERATION MILLISECONDS`` repeats an operation for that time, and answers with the calls and nanoseconds of the last
batch. ``time NAME OPERATION CALLS`` repeats it ``CALLS`` times, and answers with nanoseconds. ``memory NAME`` answers
with the bytes that one decoded message keeps. Any other line ends the process with a traceback.
"""

from __future__ import annotations

import gc
import itertools
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from benchmarks.contestants import Calls, Open, UnsupportedError, opener


class Service:
    """The prepared workloads by name, and the commands that use them."""

    def __init__(self, open_calls: Open) -> None:
        self._open_calls = open_calls
        self._prepared: dict[str, Calls] = {}

    def answer(self, line: str) -> str:
        """Return the answer to one line. Raises ``ValueError`` for an unknown command."""
        command, name, *rest = line.split(" ", 4)
        match command, rest:
            case "open", [message, version, file]:
                return self._open(name, message, int(version), Path(file))
            case "warm", [operation, milliseconds]:
                calls, nanoseconds = warm(self._prepared[name][operation], int(milliseconds))
                return f"{calls} {nanoseconds}"
            case "time", [operation, calls]:
                gc.collect()
                return str(time_calls(self._prepared[name][operation], int(calls)))
            case "memory", []:
                return str(kept_bytes(self._prepared[name]["decode"]))
        raise ValueError(f"unknown command {line!r}")

    def _open(self, name: str, message: str, version: int, file: Path) -> str:
        data = file.read_bytes()
        try:
            calls = self._open_calls(message, version, data)
        except UnsupportedError as reason:
            return f"no {reason}"
        if calls["encode"]() != data:
            raise ValueError(f"{name}: the encoded bytes differ from {file}")
        self._prepared[name] = calls
        return " ".join(("ok", *calls))


def time_calls(call: Callable[[], object], calls: int) -> int:
    """Return the nanoseconds of ``calls`` calls. They include freeing each result, which happens immediately."""
    turns = itertools.repeat(None, calls)
    start = time.perf_counter_ns()
    for _ in turns:
        call()
    return time.perf_counter_ns() - start


def warm(call: Callable[[], object], milliseconds: int) -> tuple[int, int]:
    """Repeat a call in growing batches for at least ``milliseconds``. Return the last batch's calls and nanoseconds."""
    deadline = time.perf_counter_ns() + milliseconds * 1_000_000
    calls = 1
    while True:
        nanoseconds = time_calls(call, calls)
        if time.perf_counter_ns() >= deadline:
            return calls, nanoseconds
        if nanoseconds < 10_000_000:
            calls *= 2


def kept_bytes(decode: Callable[[], object]) -> int:
    """Return the bytes that Python's allocators keep for one decoded message."""
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
    """Serve the contestant in the first argument, with the folder of specs in the second."""
    _, contestant, specs = sys.argv
    service = Service(opener(contestant, specs))
    gc.disable()
    for line in sys.stdin:
        print(service.answer(line.rstrip("\n")), flush=True)  # noqa: T201 - the answer is what the process is for


if __name__ == "__main__":
    main()
