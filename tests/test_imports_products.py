"""Who may import what in the client and the pipeline: they stand on generated code, never on the generator's inside."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import messagegen
import messagegen_arrow
import messagegen_client
import messagegen_spark
from tests.arrow.support import rooms
from tests.test_imports import imports, loaded_by

# One worker reads each module once for all tests of it.
pytestmark = pytest.mark.xdist_group("imports")

GENERATOR = Path(messagegen.__file__).parent
CLIENT = Path(messagegen_client.__file__).parent
ARROW = Path(messagegen_arrow.__file__).parent
SPARK = Path(messagegen_spark.__file__).parent
ROOTS = (CLIENT, ARROW, SPARK)

MODULES = [path for root in ROOTS for path in sorted(root.rglob("*.py"))]
modules = pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}/{path.name}")

NEED_SPARK = {"benchmarks", "fixtures", "golden", "spark"}
"""Folders of tests that nobody imports where PySpark is not installed."""


def root_of(path: Path) -> Path:
    return next(root for root in ROOTS if path.is_relative_to(root))


def of_a_command(path: Path) -> bool:
    """Whether a module belongs to a command line: by its own name, or by its folder's."""
    return any(part.startswith("cli") for part in path.relative_to(root_of(path)).parts)


def imported(path: Path) -> frozenset[str]:
    root = root_of(path)
    return imports(path, root.name, root)


@modules
def test_nothing_of_the_generators_inside_is_imported(path: Path) -> None:
    of_generator = {name for name in imported(path) if name == "messagegen" or name.startswith("messagegen.")}
    # Messages of specs at run time are an optional extra of the pipeline.
    allowed = set[str]() if root_of(path) == CLIENT else {"messagegen.load"}
    assert of_generator <= allowed


@pytest.mark.parametrize(
    "path", sorted(GENERATOR.rglob("*.py")), ids=lambda path: path.relative_to(GENERATOR).as_posix()
)
def test_the_generator_imports_no_product(path: Path) -> None:
    found = {name.split(".")[0] for name in imports(path, "messagegen", GENERATOR)}
    assert not {root.name for root in ROOTS} & found


@modules
def test_the_client_and_the_pipeline_do_not_know_each_other(path: Path) -> None:
    others = {ARROW.name, SPARK.name} if root_of(path) == CLIENT else {CLIENT.name}
    assert not others & {name.split(".")[0] for name in imported(path)}


@modules
def test_the_client_takes_only_what_generated_code_offers_to_everybody(path: Path) -> None:
    inside = {name for name in imported(path) if name.startswith("messagegen_kafka._")}
    # The base class of messages, which type checkers need to know of and nothing else does.
    bases = {f"messagegen_kafka._runtime.messages.{name}" for name in ("Message", "Request", "Response")}
    assert root_of(path) != CLIENT or inside <= bases


@modules
def test_only_command_lines_print(path: Path) -> None:
    if of_a_command(path):
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not {"print", "input", "breakpoint"} & called
    assert not {"click", "rich"} & {name.split(".")[0] for name in imported(path)}


@modules
def test_nothing_imports_a_command_line(path: Path) -> None:
    ours = {name.removeprefix(f"{root_of(path).name}.").split(".")[0] for name in imported(path)}
    assert of_a_command(path) or "cli" not in ours


def test_importing_the_client_loads_little() -> None:
    assert not {"scramp", "yaml", "click", "rich", "javaproperties", "ssl"} & loaded_by("import messagegen_client")


@pytest.mark.parametrize("package", ["messagegen_arrow", "messagegen_spark"])
def test_importing_the_pipeline_loads_neither_spark_nor_arrow(package: str) -> None:
    assert not {"pyspark", "pyarrow", "numpy", "pandas", "matplotlib"} & loaded_by(f"import {package}")


def test_tests_of_spark_are_apart_so_that_the_others_need_no_spark() -> None:
    tests = Path(__file__).parent
    others = [path for path in sorted(tests.rglob("*.py")) if path.relative_to(tests).parts[0] not in NEED_SPARK]
    assert not [path for path in others if any(name.partition(".")[0] == "pyspark" for name in rooms.imported(path))]
