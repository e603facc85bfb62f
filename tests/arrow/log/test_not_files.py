"""Paths that are not regular files are refused, but all other files are read. Ctrl-C ends long work."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from messagegen_arrow.log.errors import LogPathError
from tests.arrow.support.log_data import many_batches, write_segment
from tests.arrow.support.log_reading import numbers, rows, values

SECONDS = 40
"""A time limit in seconds that is shorter than the work that Ctrl-C ends."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A broker's folder with a partition of two segments."""
    folder = tmp_path / "data"
    for base in (0, 12):
        write_segment(folder / "orders-0", base, many_batches(base, 2))
    return folder


def put_fifo(path: Path) -> None:
    os.mkfifo(path)


def put_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(path.parent)  # The system limits the length of socket names.
        server.bind(path.name)
        os.chdir(here)


def put_folder(path: Path) -> None:
    path.mkdir()


def put_loop(path: Path) -> None:
    path.symlink_to(path.name)


def put_broken_link(path: Path) -> None:
    path.symlink_to("nothing")


OTHERS = {
    put_fifo: r"it is a named pipe \(FIFO\), not a regular file",
    put_socket: "it is a socket, not a regular file",
    put_loop: "it is a link that can't be followed: Too many levels of symbolic links",
    put_broken_link: "it is a link that can't be followed: No such file or directory",
}
"""Ways to replace a file, with the error for each."""


@pytest.mark.parametrize(("put", "problem"), OTHERS.items())
@pytest.mark.parametrize("base", [6, 18])
def test_a_segment_that_is_not_a_regular_file_is_reported_as_damage(
    folder: Path, put: Callable[[Path], None], problem: str, base: int
) -> None:
    path = folder / "orders-0" / f"{base:020}.log"
    put(path)
    for where in (folder, folder / "orders-0", folder / "orders-*"):
        found = rows(where)
        assert [row["value"] for row in found if row["_error"] is None] == [*numbers(0, 6), *numbers(12, 18)]
        (damage,) = (row for row in found if row["_error"] is not None)
        assert (damage["path"], damage["topic"], damage["batchOffset"]) == (str(path), "orders", base)
        assert damage["_error"]["path"] == "segment"
        with pytest.raises(ValueError, match=f"{path}.*{problem}"):
            values(where, mode="FAILFAST")
    (damage,) = rows(path)
    assert damage["path"] == str(path)


@pytest.mark.parametrize("put", [*OTHERS, put_folder])
@pytest.mark.parametrize("name", ["orders-0/{}.index", "orders-0/{}.timeindex", "orders-0/{}.snapshot"])
def test_an_index_that_is_not_a_regular_file_is_not_used(folder: Path, put: Callable[[Path], None], name: str) -> None:
    put(folder / name.format(f"{0:020}"))
    put(folder / name.format(f"{12:020}"))
    for options in ({}, {"startingTimestamp": "1"}, {"isolationLevel": "read_committed"}, {"startingOffset": "2"}):
        assert values(folder, **options)[-6:] == numbers(12, 18)


@pytest.mark.parametrize(("put", "problem"), OTHERS.items())
@pytest.mark.parametrize("name", ["log-start-offset-checkpoint", "replication-offset-checkpoint"])
def test_a_checkpoint_that_is_not_a_regular_file_is_an_error(
    folder: Path, put: Callable[[Path], None], name: str, problem: str
) -> None:
    put(folder / name)
    if put in {put_fifo, put_socket}:
        with pytest.raises(OSError, match=f"{problem}: '{folder / name}'"):
            values(folder, untilHighWatermark="true")


@pytest.mark.parametrize("put", [put_loop, put_broken_link])
def test_the_error_names_an_unreadable_link_in_place_of_a_partition(folder: Path, put: Callable[[Path], None]) -> None:
    path = folder / "orders-1"
    put(path)
    for where in (folder, folder / "orders-?", folder / "*-1"):
        found = rows(where)
        assert [row["path"] for row in found if row["_error"] is not None] == [str(path)]
        with pytest.raises(ValueError, match=str(path)):
            values(where, mode="FAILFAST")
    assert values(folder, partitions="0") == [*numbers(0, 6), *numbers(12, 18)]


def test_the_error_names_an_unreadable_link_in_place_of_a_broker_folder(folder: Path) -> None:
    put_loop(folder.parent / f"{folder.name}-broken")
    found = rows(f"{folder}*/orders-0")
    assert [row["path"] for row in found if row["_error"] is not None] == [f"{folder}-broken"]


def test_a_folder_whose_name_is_not_utf_8_is_reported(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / os.fsdecode(b"caf\xe9-0")).mkdir()
    with caplog.at_level(logging.WARNING):
        assert values(folder) == [*numbers(0, 6), *numbers(12, 18)]
    assert f"{folder}/caf\ufffd-0 is left out: its name is not UTF-8; rename it" in caplog.text
    with pytest.raises(ValueError, match=r"caf\ufffd-0.*its name is not UTF-8"):
        values(folder / "*-0", mode="FAILFAST")


def test_naming_an_unreadable_path_is_an_error(folder: Path) -> None:
    put_fifo(folder / "pipe")
    with pytest.raises(LogPathError, match=r"pipe can't be read: it is a named pipe"):
        values(folder / "pipe")
    put_loop(folder / "loop")
    with pytest.raises(ValueError, match=r"loop.*it is a link that can't be followed"):
        values(folder / "loop", mode="FAILFAST")


PLANNING = {"isolation_level": "read_committed", "starting_offset": 1 << 60}
READING = {"starting_timestamp": 1 << 60}
"""Options that leave out all records, but not the headers of batches."""


@pytest.mark.slow
@pytest.mark.parametrize("options", [PLANNING, READING])
def test_ctrl_c_interrupts_planning_and_reading(tmp_path: Path, options: dict[str, object]) -> None:
    """Reading the headers of 5,000 large files is one call of the engine, which takes minutes."""
    (batch,) = many_batches(0, 1, size=1)
    first = write_segment(tmp_path, 0, (number.to_bytes(8, "big") + batch[8:] for number in range(1_000_000)))
    for number in range(5_000):
        (tmp_path / f"part-{number}.log").hardlink_to(first)
    program = (
        "from messagegen_arrow import read_log\n"
        f"log = read_log({str(tmp_path / 'part-*.log')!r}, **{options})\n"
        "print('begins')\n"
        "list(log.reader())"
    )
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        _, printed = process.communicate(timeout=SECONDS)
    finally:
        process.kill()
    assert "KeyboardInterrupt" in printed
