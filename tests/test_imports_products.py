"""Who may import what in the client and the pipeline: they stand on generated code, never on the generator's inside."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import messagegen
import messagegen_arrow
import messagegen_client
import messagegen_spark
from tests.support import rooms
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

ROOMS: dict[Path, dict[str, set[str]]] = {
    CLIENT: {
        "text": set[str](),
        "errors": {"text"},
        "threads": {"errors"},
        "security": {"errors"},
        "config": {"errors", "security"},
        "transport": {"errors", "security", "config"},
        "quotas": {"errors", "text", "transport"},
        "offsets": {"errors", "transport"},
        "admin": {"config", "threads", "transport", "quotas", "offsets"},
    },
    ARROW: {
        "lazy": set(),
        "options": set(),
        "malformed": set(),
        "named_columns": set(),
        "plans": set(),
        "catalog": {"plans"},
        "engine": set(),
        "files": set(),
        "arrays": {"malformed"},
        "columns": {"arrays", "catalog", "engine", "malformed", "plans"},
        "frames": {"arrays", "catalog", "columns", "malformed"},
        "internal_topics": {"arrays", "catalog", "columns", "engine", "malformed"},
        "capture": {"files", "malformed", "named_columns"},
        "log": {"engine", "files", "malformed", "named_columns", "options"},
        "streams": {
            *(
                "capture",
                "catalog",
                "columns",
                "frames",
                "internal_topics",
                "log",
                "malformed",
                "named_columns",
                "options",
            ),
        },
        "histories": {"catalog", "files", "internal_topics", "log", "malformed", "streams"},
        "advisor": {"arrays", "catalog", "columns", "frames", "internal_topics", "malformed", "plans", "streams"},
        "dump": {
            *("arrays", "capture", "catalog", "columns", "files", "frames", "internal_topics", "log", "malformed"),
            *("named_columns", "streams"),
        },
        "cli": {"advisor", "capture", "catalog", "dump", "engine", "histories", "log", "malformed", "streams"},
    },
    SPARK: {
        "schemas": set(),
        "jvm": set(),
        "moved": set(),
        "functions": {"schemas"},
        "histories": {"functions", "schemas"},
    },
}
"""What each room of a package, and each module outside of them, may import besides itself; ``cli`` of the client and ``__init__`` are free."""

# Imports every module where neither PySpark nor the generator can be imported.
WITHOUT_THEM = """
import importlib, pkgutil, sys
sys.modules["pyspark"] = sys.modules["py4j"] = sys.modules["messagegen"] = None
import messagegen_arrow
for module in pkgutil.walk_packages(messagegen_arrow.__path__, "messagegen_arrow."):
    importlib.import_module(module.name)
assert "messagegen_spark" not in sys.modules
try:
    messagegen_arrow.Catalog.of_specs("specs")
except ImportError as error:
    assert "with the extra 'specs'" in str(error)
"""

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
def test_a_room_imports_the_rooms_below_it(path: Path) -> None:
    root = root_of(path)
    allowed = ROOMS[root].get(rooms.room_of(path, root))
    assert allowed is None or rooms.rooms_of(path, root) <= allowed


@pytest.mark.parametrize("root", ROOTS, ids=lambda root: root.name)
def test_no_room_and_no_module_imports_itself_through_others(root: Path) -> None:
    assert rooms.without_cycles(ROOMS[root])
    assert rooms.without_cycles(rooms.module_imports(root))


def test_no_module_of_the_generator_imports_itself_through_others() -> None:
    # The runtime is copied into outputs; its imports are relative, and some are for type checkers only.
    assert rooms.without_cycles(rooms.module_imports(GENERATOR, but="runtime"))


def test_arrow_can_be_imported_without_spark_and_the_generator() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_THEM], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_nothing_of_the_generator_is_installed_with_the_pipeline() -> None:
    project = tomllib.loads((ARROW.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.split(r"[^a-z0-9-]", each.lower())[0] for each in project["dependencies"]}
    assert not {"messagegen", "black", "jinja2", "tree-sitter"} & needed


@modules
def test_arrow_does_not_import_spark(path: Path) -> None:
    assert root_of(path) != ARROW or not {"pyspark", "py4j", "messagegen_spark"} & {
        name.split(".")[0] for name in imported(path)
    }


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
    assert root_of(path) != CLIENT or not inside


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
    assert not {"aiokafka", "yaml", "click", "javaproperties"} & loaded_by("import messagegen_client")


@pytest.mark.parametrize("package", ["messagegen_arrow", "messagegen_spark"])
def test_importing_the_pipeline_loads_neither_spark_nor_arrow(package: str) -> None:
    assert not {"pyspark", "pyarrow", "numpy", "pandas", "matplotlib"} & loaded_by(f"import {package}")


def test_tests_of_spark_are_apart_so_that_the_others_need_no_spark() -> None:
    tests = Path(__file__).parent
    others = [path for path in sorted(tests.rglob("*.py")) if path.relative_to(tests).parts[0] not in NEED_SPARK]
    assert not [path for path in others if any(name.partition(".")[0] == "pyspark" for name in rooms.imported(path))]
