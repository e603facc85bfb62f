"""Commands are found in what ``--help`` prints, and goals are held against the slowest."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest

from benchmarks import help as help_times
from benchmarks.generation import COLD, UNCHANGED
from benchmarks.goals import Goal, goals
from benchmarks.help import commands_in
from benchmarks.processes import WorkerError
from benchmarks.results import Generation, Results
from messagegen.cli.command import messagegen

LISTED = """Usage: x [OPTIONS]

Options:
  --text  Words
  text    More words

Commands:
  one            Does one thing, which takes more than
                 one line to say.
  two-and-three  Does another.
  a-command-with-a-name-of-such-length
                 Does more.
"""


def goal(results: Results, start: str) -> Goal:
    (found,) = [one for one in goals(results) if one.text.startswith(start)]
    return found


def test_commands_are_found_in_their_list() -> None:
    assert commands_in(LISTED) == ["one", "two-and-three", "a-command-with-a-name-of-such-length"]
    assert commands_in(LISTED.partition("\n\nCommands:")[0]) == []


def test_all_commands_of_messagegen_are_found() -> None:
    command = [str(Path(sys.executable).with_name("messagegen")), "--help"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert commands_in(text) == messagegen.list_commands(click.Context(messagegen))


def test_commands_without_their_extra_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(command: list[str], _: dict[str, str]) -> str:
        if "kafka-client-quotas" in command[0]:
            raise WorkerError("Error: the module x is missing; install it: pip install 'messagegen[client]'")
        return ""

    monkeypatch.setattr(help_times, "run_program", run)
    times = help_times.measure(rounds=1, progress=lambda _: None)
    assert "messagegen" in times
    assert "kafka-client-quotas" not in times


def test_the_slowest_help_decides() -> None:
    assert goal(Results(help={"a": 20.0, "b c": 149.0}), "--help").verdict == "met"
    found = goal(Results(help={"a": 20.0, "b c": 151.0}), "--help")
    assert (found.verdict, found.measured) == ("not met", "151.00 ms (b c)")
    assert goal(Results(), "--help").verdict == "not measured"


def test_generation_is_held_against_earlier_times() -> None:
    results = Results(generation=(Generation(COLD, 1.87, 2.0), Generation(UNCHANGED, 0.5, 0.6)))
    cold, unchanged = (goal(results, f"generate all official specs, {kind}:") for kind in (COLD, UNCHANGED))
    assert (cold.verdict, cold.measured) == ("met", "1.87 s, 0.20 of the time before")
    assert (unchanged.verdict, unchanged.measured) == ("not met", "0.50 s, 0.41 of the time before")
