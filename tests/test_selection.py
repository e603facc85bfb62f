"""Selection of tests by codec, and by files and folders."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.support.selection import CODECS, NATIVE, PURE, is_of_codec, selected_modules, spread_cases

TESTS: Final = Path(__file__).parent
BOTH_CODECS: Final = "tests/runtime/test_decode_arguments.py"


@pytest.mark.parametrize(
    ("parameters", "markers", "codecs"),
    [
        ({}, [], [PURE, NATIVE]),
        ({"codecs": "pure"}, [], [PURE]),
        ({"_engine": "native"}, [], [NATIVE]),
        ({"engine": "python"}, ["slow"], [PURE]),
        ({"engine": "native"}, [], [NATIVE]),
        ({"part": "native"}, [], [PURE, NATIVE]),
        ({}, ["native"], [NATIVE]),
    ],
)
def test_tests_are_selected_by_their_codecs(parameters: dict[str, str], markers: list[str], codecs: list[str]) -> None:
    assert [codec for codec in CODECS if is_of_codec(codec, parameters, markers)] == codecs


@pytest.mark.parametrize(
    ("most", "expected"),
    [(1, [0]), (2, [0, 5]), (3, [0, 3, 6]), (9, [0, 1, 2, 3, 4, 5, 6, 7, 8]), (10, [*range(10)]), (99, [*range(10)])],
)
def test_selected_cases_are_spread_evenly(most: int, expected: list[int]) -> None:
    cases = [f"test_a.py::test_one[{number}]" for number in range(10)]
    others = ["test_a.py::test_two", "test_b.py::test_one[0]"]
    assert spread_cases(others + cases, most) == {*others, *(cases[number] for number in expected)}


def test_only_modules_that_the_arguments_select_are_counted() -> None:
    folder = TESTS / "arrow"
    count = len([*folder.rglob("test_*.py")])
    assert count > 20
    start = TESTS.parent

    def counted(*arguments: str) -> int:
        return selected_modules(folder, arguments, start)

    assert counted("tests/test_names.py") == 0
    assert counted("tests") == counted("tests/test_names.py", "tests/arrow") == counted(str(folder)) == count
    assert counted("tests/arrow/log/test_rows.py::test_headers") == 1
    assert counted("tests/arrowhead") == 0


def run(*arguments: str) -> str:
    """Run pytest with ``arguments``, and return its output."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v", *arguments]
    done = subprocess.run(command, cwd=TESTS.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.native
def test_only_tests_of_the_selected_codec_run() -> None:
    probe = "tests/runtime/test_messages.py::test_the_requested_codecs_are_used"
    for codec in CODECS:
        found = re.findall(r"^\S+\[(\S+)\] PASSED", run("--codec", codec, BOTH_CODECS, probe), re.MULTILINE)
        assert {name.split("-")[0] for name in found} == {codec}


def test_cases_are_counted_after_tests_are_selected(tmp_path: Path) -> None:
    module = tmp_path / "test_cases.py"
    module.write_text(
        "import pytest\n"
        "SLOW = [pytest.param(number, marks=pytest.mark.slow) for number in range(5)]\n"
        "@pytest.mark.parametrize('number', [*SLOW, 'first', 'second'])\n"
        "def test_case(number): pass\n"
    )
    arguments = ["--rootdir", str(TESTS.parent), "--confcutdir", "/", str(module), str(TESTS / "conftest.py")]
    output = run("-m", "not slow", "--cases", "1", *arguments)
    assert re.findall(r"\[(\w+)\] PASSED", output) == ["first"]


@pytest.mark.slow
@pytest.mark.native
@pytest.mark.parametrize(("codec", "expected"), [(PURE, "MESSAGEGEN_PURE is set"), (NATIVE, "")])
def test_all_messages_use_the_selected_codec(codec: str, expected: str, tmp_path: Path) -> None:
    module = tmp_path / "test_codec.py"
    module.write_text(
        "from messagegen_kafka import MetadataRequest\n"
        "from messagegen_kafka._runtime import native\n"
        f"def test_codec(): assert (native.WHY_NOT, MetadataRequest.CODEC.engine is None) == "
        f"({expected!r}, {bool(expected)})\n"
    )
    arguments = ["--rootdir", str(TESTS.parent), "--confcutdir", "/", str(module), str(TESTS / "conftest.py")]
    assert "1 passed" in run("--codec", codec, *arguments)
