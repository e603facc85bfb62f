"""Twice the fields, structs or findings take twice the interpreter steps to check and to generate."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Final

import pytest

from messagegen.cli import run
from tests.support.specs import field
from tests.support.steps import steps_of

SIZE: Final = 40
ATTEMPTS: Final = 3
TAGGED: Final = {"taggedVersions": "0+"}
INNER: Final = [field("A", "int8"), field("B", "string", "1+")]


def common(count: int) -> list[dict[str, object]]:
    return [{"name": f"S{number}", "versions": "0+", "fields": INNER} for number in range(count)]


SHAPES: Final[dict[str, Callable[[int], dict[str, Any]]]] = {
    "texts": lambda count: {"fields": [field(f"F{number}", "string") for number in range(count)]},
    "numbers of a later version": lambda count: {"fields": [field(f"F{n}", "int32", "1+") for n in range(count)]},
    "tagged fields": lambda count: {"fields": [field(f"F{n}", "int32", tag=n, **TAGGED) for n in range(count)]},
    "structs": lambda count: {"fields": [field(f"F{n}", f"[]S{n}", fields=INNER) for n in range(count)]},
    "one struct": lambda count: {"fields": [field(f"F{n}", "[]S0") for n in range(count)], "commonStructs": common(1)},
    "common structs": lambda count: {
        "fields": [field(f"F{number}", f"S{number}") for number in range(count)],
        "commonStructs": common(count),
    },
    "unused structs": lambda count: {"fields": [field("F", "int8")], "commonStructs": common(count)},
    "unknown properties": lambda count: {"fields": [field(f"F{n}", "int8", abuot="") for n in range(count)]},
    "repeated names": lambda count: {"fields": [field("F", "int8") for _ in range(count)]},
    "unknown types": lambda count: {"fields": [field(f"F{number}", f"strin{number}") for number in range(count)]},
}
COMMANDS: Final = {
    "lint": ["lint", "SPECS"],
    "generate": ["generate", "--specs", "SPECS", "--output", "OUT"],
    "docs": ["docs", "SPECS", "--output", "OUT"],
}
CASES: Final = [
    *[("lint", shape) for shape in SHAPES],
    *[("generate", shape) for shape in ("numbers of a later version", "tagged fields", "structs", "common structs")],
    *[("docs", shape) for shape in ("texts", "structs")],
]


def steps(command: str, shape: str, count: int, folder: Path) -> int:
    """Return the number of steps of a command on a spec with ``count`` parts."""
    spec = {"type": "data", "name": "Wide", "validVersions": "0-1", "flexibleVersions": "0+", **SHAPES[shape](count)}
    specs = folder / str(count)
    specs.mkdir()
    (specs / "Wide.json").write_text(json.dumps(spec, indent=1), encoding="utf-8")
    places = {"SPECS": str(specs), "OUT": str(folder / f"out{count}")}
    arguments = [places.get(each, each) for each in COMMANDS[command]]
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        return steps_of(lambda: run(arguments))


@pytest.mark.slow
@pytest.mark.parametrize(("command", "shape"), CASES)
def test_steps_grow_linearly_with_the_number_of_parts(command: str, shape: str, tmp_path: Path) -> None:
    # Finalizers of other tests may run meanwhile and add steps. A command that is not linear fails every attempt.
    assert any(is_linear(command, shape, tmp_path / str(attempt)) for attempt in range(ATTEMPTS))


def is_linear(command: str, shape: str, folder: Path) -> bool:
    folder.mkdir()
    # The first run loads modules and caches, so its steps are ignored.
    _, once, twice, fourfold = [steps(command, shape, count, folder) for count in (1, SIZE, 2 * SIZE, 4 * SIZE)]
    # Compare differences, because the fixed steps of a run cancel out.
    return fourfold - twice <= 2.04 * (twice - once) + SIZE
