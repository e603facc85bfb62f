"""The first use of a message completes its class, even if several threads use it at the same time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import messagegen_kafka
from messagegen.names import EXPORTS
from messagegen_kafka import KeyedMessage
from tests.runtime import first_use

_PROGRAM: Final = Path(first_use.__file__)
_SOURCES: Final = Path(messagegen_kafka.__file__).parents[1]
_FEW: Final = 9
_MANY: Final = 150


def run(*arguments: str, pure: bool = True) -> subprocess.CompletedProcess[str]:
    """Run Python in a new process that can import the generated package."""
    path = os.pathsep.join(filter(None, [str(_SOURCES), os.environ.get("PYTHONPATH", "")]))
    environment = os.environ | {"PYTHONPATH": path, "MESSAGEGEN_PURE": "1" if pure else ""}
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def failure(seeds: range) -> str:
    """Run a new process for each seed, and return the first error. Every second process may use the engine."""
    for seed in seeds:
        done = run(str(_PROGRAM), str(seed), pure=seed % 2 == 0)
        if done.returncode:
            return done.stdout + done.stderr
    return ""


@pytest.mark.slow
def test_threads_can_use_messages_for_the_first_time() -> None:
    assert failure(range(_FEW)) == ""


@pytest.mark.slow
def test_threads_can_use_messages_for_the_first_time_in_many_processes() -> None:
    assert failure(range(_FEW, _MANY)) == ""


def test_the_test_program_uses_every_public_name() -> None:
    text = _PROGRAM.read_text(encoding="utf-8")
    methods = {name for name in dir(KeyedMessage) if not name.startswith("_") and name.islower()}
    assert {name for name in EXPORTS.keys() | methods if name not in text} == set()


COMPARE: Final = """
import dataclasses, sys, threading
sys.path.insert(0, {sources!r})
import messagegen_kafka.list_offsets_request as module

class Slow:
    # Pauses an import of `typing` until the main thread is done. The pause ends after 1 s, because the main thread may
    # wait for the import.
    def find_spec(self, name, path=None, target=None):
        if name != "collections.abc" or "typing" not in sys.modules:
            return None
        half_imported.set()
        done.wait(1)

half_imported, done = threading.Event(), threading.Event()
for name in ("typing", "collections.abc"):
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Slow())
thread = threading.Thread(target=__import__, args=("typing",))
thread.start()
half_imported.wait()
print({expression})
done.set()
thread.join()
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "expression",
    [
        "module.ListOffsetsRequest() == module.ListOffsetsRequest()",
        "hash(module.ListOffsetsRequest()) == hash(module.ListOffsetsRequest())",
        "repr(module.ListOffsetsTopic()) == \"ListOffsetsTopic(name='', partitions=())\"",
        "module.ListOffsetsRequest(replica_id=1).replica_id == 1",
        'hasattr(module.ListOffsetsRequest, "__dataclass_fields__")',
    ],
)
def test_a_class_is_completed_while_another_thread_imports_typing(expression: str) -> None:
    done = run("-c", COMPARE.format(sources=str(_SOURCES), expression=expression))
    assert (done.stdout, done.stderr) == ("True\n", "")


@pytest.mark.parametrize(
    "expression",
    ["one == two", "one != two", "hash(one)", "repr(one)", "cls()", 'hasattr(cls, "__dataclass_fields__")'],
)
def test_an_error_while_a_class_is_completed_is_raised(expression: str) -> None:
    code = f"""
import sys, types
from messagegen_kafka import ListOffsetsRequest as cls
data = b"".join([(-1).to_bytes(4, "big", signed=True), bytes(4)])
one, two = cls.decode(data, version=1), cls.decode(data, version=1)
sys.modules["typing"] = types.ModuleType("typing")
try:
    print({expression})
except RuntimeError as error:
    print(error)
"""
    done = run("-c", code)
    assert done.stdout.startswith("ListOffsetsRequest cannot be made a dataclass: "), done.stdout + done.stderr
