"""Damages the small files beside logs, and reads the logs: ``python -m tests.native.fuzz_files --most 1000``.

Each folder has intact rows, or an error that is short. The files never change a record, and take little memory.
"""

from __future__ import annotations

import os
import resource
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar

import click

from messagegen_arrow.malformed import Mode
from tests.arrow.support.small_files import is_small, spoil, write_small_files
from tests.native.fuzzing import Fuzzer, fuzzer_options

_MOST_CHARACTERS: Final = 2000
_MOST_GROWTH: Final = 256 << 10
"""The maximum growth of the process's peak memory, in KiB; a sparse file has 64 MiB."""

Row = tuple[Any, ...]
T = TypeVar("T")


@click.command(help=__doc__)
@fuzzer_options("folders", 1000)
def main(fuzzer: Fuzzer) -> None:
    """Runs until all folders were read or something is wrong."""
    with TemporaryDirectory() as name:
        whole = write_small_files(Path(name, "whole"))
        intact = _rows(whole, {"fromLogStart": "false"}, mode="FAILFAST")
        _read(whole, fuzzer.random)
        before = _highest_memory()
        for number in fuzzer.rounds():
            copy = Path(name, str(number))
            shutil.copytree(whole, copy)
            files = sorted(filter(is_small, copy.rglob("*")))
            for file in fuzzer.random.sample(files, fuzzer.random.randrange(1, 4)):
                spoil(fuzzer.random, file)
            found = _read(copy, fuzzer.random)
            fuzzer.refused += found is None
            if found is not None and not found <= intact:
                sys.exit(f"other rows than in the segments: {found - intact}")
            shutil.rmtree(copy)
            if (grown := _highest_memory() - before) > _MOST_GROWTH:
                sys.exit(f"the memory grew by {grown} KiB")


def _read(folder: Path, random: Random) -> set[Row] | None:
    """Read the folder in all ways, and return its intact rows, or ``None`` if they are refused."""
    from messagegen_arrow import cluster_state, consumer_lag_history  # noqa: PLC0415 - the help needs no engine

    options = {
        "fromLogStart": random.choice(["true", "false"]),
        "untilHighWatermark": random.choice(["true", "false"]),
        "isolationLevel": random.choice(["read_committed", "read_uncommitted"]),
    }
    _checked(lambda: consumer_lag_history(folder).reader().read_all())
    _checked(lambda: cluster_state([folder]))
    return _checked(lambda: _rows(folder, options))


def _checked(read: Callable[[], T]) -> T | None:
    """Return the result of ``read``, or ``None`` after an expected error."""
    from messagegen_arrow.histories.state.metadata import UnknownStateError  # noqa: PLC0415
    from messagegen_arrow.log.errors import (  # noqa: PLC0415
        DataLossError,
        LogPathError,
        TieredSegmentError,
    )
    from messagegen_arrow.malformed import MalformedMessageError  # noqa: PLC0415

    try:
        return read()
    except (DataLossError, LogPathError, MalformedMessageError, TieredSegmentError, UnknownStateError) as error:
        _check_length(str(error))
        return None


def _rows(folder: Path, options: dict[str, str], mode: Mode = "PERMISSIVE") -> set[Row]:
    """Return the intact rows of a folder, with paths relative to the folder."""
    from messagegen_arrow import read_log  # noqa: PLC0415

    found = set()
    for row in read_log(folder, mode=mode, **options).reader().read_all().to_pylist():
        if row["_error"] is not None:
            _check_length(row["_error"]["message"])
            continue
        path = os.path.relpath(row["path"], folder)
        found.add((path, row["offset"], row["timestamp"], row["key"], row["value"]))
    return found


def _check_length(text: str) -> None:
    if len(text) > _MOST_CHARACTERS:
        sys.exit(f"an error has {len(text)} characters: {text[:_MOST_CHARACTERS]}")


def _highest_memory() -> int:
    """Return the peak memory of the process in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    main()
