"""What ``--help`` of every command takes above the bare interpreter, each time in a fresh process with compiled bytecode."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Final

from benchmarks.processes import WorkerError, run_program

_BARE: Final = ""
_MISSING_EXTRA: Final = "is missing; install it: pip install"
"""What a command says if the libraries of its extra are not installed."""
_COMMAND: Final = re.compile(r"^  ([a-z][a-z0-9-]*)(?:  |$)", re.MULTILINE)
"""A line in the list of commands; further lines of a summary are indented deeper."""


def measure(*, rounds: int, progress: Callable[[str], None]) -> dict[str, float]:
    """Milliseconds by command, the smallest of ``rounds`` processes, all commands in turn.

    The commands are the scripts of our distributions whose dependencies are installed, and all their subcommands. Raises ``WorkerError``
    where one fails.
    """
    programs = {_BARE: [sys.executable, "-c", "pass"]}
    programs |= {" ".join(words): [_path(words[0]), *words[1:], "--help"] for words in _commands()}
    times: dict[str, list[float]] = {name: [] for name in programs}
    for turn in range(rounds):
        progress(f"--help of {len(programs) - 1} commands, {turn + 1} of {rounds}")
        for name, program in programs.items():
            start = time.perf_counter()
            run_program(program, {})
            times[name].append(1000 * (time.perf_counter() - start))
    bare = min(times.pop(_BARE))
    return {name: min(found) - bare for name, found in times.items()}


def commands_in(text: str) -> list[str]:
    """The names of the commands that a text of ``--help`` lists, in one or more sections after the options."""
    return _COMMAND.findall(text.partition("\nOptions:\n")[2].partition("\n\n")[2])


def _commands() -> Iterator[list[str]]:
    """The words of each command; a list of commands comes before those that it has."""
    scripts = [
        script
        for name in ("messagegen", "messagegen-client", "messagegen-pipeline")
        for script in distribution(name).entry_points.select(group="console_scripts")
    ]
    pending = [[script.name] for script in sorted(scripts, key=lambda script: script.name)]
    while pending:
        words = pending.pop(0)
        try:
            text = run_program([_path(words[0]), *words[1:], "--help"], {})
        except WorkerError as problem:
            if len(words) == 1 and _MISSING_EXTRA in str(problem):
                continue
            raise
        yield words
        pending += [[*words, name] for name in commands_in(text)]


def _path(script: str) -> str:
    return str(Path(sys.executable).with_name(script))
