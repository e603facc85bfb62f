"""The imports of tests."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

import pytest

from tests.imports.code import modules_of, room_of, top_level

# One worker reads each module once for all tests of it.
pytestmark = pytest.mark.xdist_group("imports")

TESTS: Final = Path(__file__).parents[1]

NEED_SPARK: Final = {"benchmarks", "fixtures", "golden", "spark"}
"""Folders of tests that are not imported unless PySpark is installed."""


@pytest.mark.slow
def test_tests_of_spark_are_apart_so_that_the_others_need_no_spark() -> None:
    others = [path for path in modules_of(TESTS) if room_of(path, TESTS) not in NEED_SPARK]
    assert not [path for path in others if "pyspark" in top_level(path, TESTS)]


@pytest.mark.slow
def test_nothing_is_imported_from_a_module_of_tests() -> None:
    """Helpers that several modules of tests use live in ``support`` or in a module of their folder."""
    found = {
        str(path.relative_to(TESTS))
        for path in TESTS.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").rpartition(".")[2].startswith("test_")
    }
    assert found == set()
