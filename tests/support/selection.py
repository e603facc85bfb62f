"""Selects the tests of a run: by codec, by number of cases, and by the files and folders on the command line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

PURE: Final = "pure"
NATIVE: Final = "native"
CODECS: Final = (PURE, NATIVE)
"""The codecs of messages: generated Python, and the native engine."""
_PARAMETERS: Final = ("codecs", "engine", "_engine")
"""The parameters of tests that run once for each codec."""
_PYTHON: Final = "python"
"""The name of ``PURE`` in tests of records."""


def is_of_codec(codec: str, parameters: Mapping[str, Any], markers: Iterable[str]) -> bool:
    """Whether a test with these parameters and markers runs if only ``codec`` is tested.

    Tests that name no codec always run, except native tests if only generated Python is tested.
    """
    if codec == PURE and NATIVE in markers:
        return False
    named = {parameters[name] for name in _PARAMETERS if parameters.get(name) in (*CODECS, _PYTHON)}
    return {PURE if each == _PYTHON else each for each in named} <= {codec}


def spread_cases(tests: Iterable[str], most: int) -> set[str]:
    """Return the ids of at most ``most`` cases of each test, spread evenly. ``tests`` are pytest's ids, in order."""
    cases: defaultdict[str, list[str]] = defaultdict(list)
    for test in tests:
        name, _, _ = test.partition("[")
        cases[name].append(test)
    return {each[number * len(each) // most] for each in cases.values() for number in range(most)}


def selected_modules(folder: Path, arguments: Iterable[str], start: Path) -> int:
    """Return the number of test modules in a folder that pytest's arguments select.

    Arguments are paths of files and folders, relative to ``start``, and may be followed by ``::`` and a test name.
    """
    selected = [start / argument.partition("::")[0] for argument in arguments]
    return sum(any(module.is_relative_to(each) for each in selected) for module in folder.rglob("test_*.py"))
