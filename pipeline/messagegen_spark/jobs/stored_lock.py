"""A lock in a store: a file that its owner writes again every few seconds.

A process that was killed leaves its lock. Clocks differ between machines and cannot tell whether the owner is alive: another process looks
whether the file changes. On the owner's machine, a process number that is gone tells at once, unless it is in another container.
"""

from __future__ import annotations

import json
import os
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from messagegen_arrow.files import shown
from messagegen_arrow.files.versions import ReplacedError, Version, put_again, put_first, read_version, remove_versions
from messagegen_spark.jobs.unit_store import OutputError

BEAT_SECONDS: Final = 5.0
"""How often an owner writes its lock."""
PATIENCE_SECONDS: Final = 30.0
"""A lock that does not change for so long is that of a process that was killed."""


_ENDED: Final = "ZX"
"""The states of processes that have ended and still have their number."""


class Lock:
    """A lock that this process holds."""

    def __init__(self, path: str, output: str, version: str | None, owner: dict[str, Any]) -> None:
        self._path = path
        self._output = output
        self._version = version
        self._owner = owner
        self._beats = 0
        self._is_lost = False
        self._writing = threading.Lock()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="lock", daemon=True)
        self._thread.start()

    def check(self) -> None:
        """Writes the lock, and raises ``OutputError`` if another process has taken it, because this one was silent for too long.

        Raises ``StoreError`` where the store does not answer.
        """
        # A process that was suspended gets here before its next beat.
        self._write()
        if self._is_lost:
            raise OutputError(f"another process works on {shown(self._output)} now: wait for it, and start again")

    def release(self) -> None:
        """Gives the lock back, if it is still ours."""
        self._stopped.set()
        self._thread.join()
        # Another process may have taken it since the last beat. If the store does not answer, the lock stays, and stops changing.
        with suppress(OSError):
            self._write()
            if not self._is_lost:
                remove_versions(self._path)

    def _beat(self) -> None:
        while not self._is_lost and not self._stopped.wait(BEAT_SECONDS):
            # The store may answer again before another process takes the lock.
            with suppress(OSError):
                self._write()

    def _write(self) -> None:
        with self._writing:
            if self._is_lost:
                return
            self._beats += 1
            try:
                self._version = put_again(self._path, _text({**self._owner, "beats": self._beats}), self._version)
            except ReplacedError:
                found = read_version(self._path)
                self._is_lost = found is None or not _is_of(found, self._owner)
                self._version = found and found.version


@contextmanager
def held_lock(path: str, output: str) -> Iterator[Lock]:
    """Holds the lock of an output. Raises ``OutputError`` while another process holds it, and ``StoreError``."""
    owner = {
        "host": socket.gethostname(),
        "boot": _boot(),
        "namespace": _namespace(),
        "pid": os.getpid(),
        "started": _started(os.getpid()),
        "id": uuid.uuid4().hex,
    }
    lock = Lock(path, output, _taken(path, output, owner), owner)
    try:
        yield lock
    finally:
        lock.release()


def _taken(path: str, output: str, owner: dict[str, Any]) -> str | None:
    """The version of the lock, which is ours now."""
    text = _text(owner)
    while True:
        try:
            return put_first(path, text)
        except FileExistsError:
            found = read_version(path)
        if found is None:
            continue
        if _is_of(found, owner):
            return found.version
        if not _is_dead(found, path):
            raise OutputError(_in_use(output, found))
        try:
            return put_again(path, text, found.version)
        except ReplacedError:
            now = read_version(path) or found
            if _is_of(now, owner):
                return now.version
            raise OutputError(_in_use(output, now)) from None


def _is_of(found: Version, owner: dict[str, Any]) -> bool:
    """Whether we wrote the lock: a store may have taken it although its answer was lost."""
    return bool(_owner(found).get("id") == owner["id"])


def _is_dead(found: Version, path: str) -> bool:
    """Whether the owner of a lock is gone."""
    owner = _owner(found)
    is_here = _boot() is not None and _place(owner) == (_boot(), socket.gethostname(), _namespace())
    if is_here and _started(int(owner.get("pid", 0))) != owner.get("started"):
        return True
    # A process that is alive may have left its lock because the store did not answer.
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        time.sleep(min(1.0, PATIENCE_SECONDS / 5))
        now = read_version(path)
        if now is None or now.version != found.version:
            return False
    return True


def _place(owner: dict[str, Any]) -> tuple[Any, Any, Any]:
    """Where the number of a process means that process."""
    return owner.get("boot"), owner.get("host"), owner.get("namespace")


def _in_use(output: str, found: Version) -> str:
    owner = _owner(found)
    who = f" (process {owner.get('pid')} on {owner.get('host')})" if owner else ""
    return f"another process{who} works on {shown(output)}: wait for it, or name another output"


def _owner(found: Version) -> dict[str, Any]:
    try:
        owner = json.loads(found.data)
    except ValueError:
        return {}
    return owner if isinstance(owner, dict) else {}


def _text(owner: dict[str, Any]) -> bytes:
    return f"{json.dumps(owner)}\n".encode()


def _boot() -> str | None:
    """What tells a start of this machine from others; containers on it share it, and may share host names."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return None


def _namespace() -> str | None:
    """What tells containers apart that number their processes each for itself."""
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return None


def _started(pid: int) -> str | None:
    """When a process of this machine was started; ``None`` if there is none."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        return None if fields[0] in _ENDED else fields[19]
    except (OSError, IndexError):
        return None
