"""Rules for the imports of tests."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

import pytest

from tests.imports.code import modules_of, room_of, top_level

# All tests run in one worker, so that each module is parsed only once.
pytestmark = pytest.mark.xdist_group("imports")

TESTS: Final = Path(__file__).parents[1]

NEED_SPARK: Final = {"benchmarks", "fixtures", "golden", "spark"}
"""Folders of tests that may require PySpark."""


@pytest.mark.slow
def test_only_folders_of_spark_tests_import_pyspark() -> None:
    others = [path for path in modules_of(TESTS) if room_of(path, TESTS) not in NEED_SPARK]
    assert not [path for path in others if "pyspark" in top_level(path, TESTS)]


@pytest.mark.slow
def test_test_modules_are_not_imported() -> None:
    """Helpers shared by several test modules belong in ``support`` or in a helper module of their folder."""
    found = {
        str(path.relative_to(TESTS))
        for path in TESTS.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").rpartition(".")[2].startswith("test_")
    }
    assert found == set()
