"""Who may import what: ``ROOMS`` names it for each room of each package, and the tests here compare it with the
imports.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import messagegen
import messagegen_arrow
import messagegen_client
import messagegen_kafka
import messagegen_spark
import messagegen_testing
from tests.support.imports import loaded_by, without_cycles

GENERATOR, CLIENT, TESTING, ARROW, SPARK, GENERATED = (
    Path(package.__path__[0])
    for package in (
        messagegen,
        messagegen_client,
        messagegen_testing,
        messagegen_arrow,
        messagegen_spark,
        messagegen_kafka,
    )
)

# One worker reads each module once for all tests of it.
pytestmark = pytest.mark.xdist_group("imports")

ROOMS: dict[Path, dict[str, set[str]]] = {
    GENERATOR: {
        "versions": set(),
        "findings": set(),
        "texts": set(),
        "diffs": set(),
        "names": {"runtime"},
        "examples": set(),
        "moved_rules": set(),
        "selection": {"findings", "moved_rules"},
        "primitives": {"runtime"},
        "build": {"templating"},
        "publish": {"build", "diffs"},
        "templating": set(),
        "runtime": set(),
        "spec": {"versions", "findings", "jsonc", "primitives"},
        "jsonc": {"findings", "texts"},
        "places": {"findings"},
        "progress": set(),
        "fmt": {"findings", "jsonc", "spec"},
        "lint": {"findings", "jsonc", "moved_rules", "names", "primitives", "selection", "spec", "versions"},
        "plan": {"versions", "spec", "names", "primitives", "runtime"},
        "evolve": {"versions", "findings", "primitives", "selection", "spec", "plan"},
        "merge": {"build", "evolve", "fetch", "findings", "fmt", "jsonc", "progress", "spec", "versions"},
        "edges": set(),
        "vectors": {"edges", "findings", "plan", "runtime"},
        "emit": {"plan", "primitives", "templating", "versions"},
        "outputs": {
            "emit",
            "names",
            "plan",
            "publish",
            "findings",
            "primitives",
            "runtime",
            "templating",
            "versions",
            "edges",
            "explain",
            "vectors",
        },
        "explain": {"findings", "runtime"},
    },
    CLIENT: {
        "text": set(),
        "errors": {"text"},
        "files": {"errors"},
        "threads": {"errors"},
        "security": {"errors", "files"},
        "config": {"errors", "files", "security"},
        "transport": {"errors", "text", "security", "config"},
        "outcomes": {"errors"},
        "quotas": {"errors", "outcomes", "text", "transport"},
        "offsets": {"errors", "transport"},
        "groups": {"errors", "offsets", "outcomes", "transport"},
        "admin": {"config", "threads", "transport", "quotas", "offsets", "groups"},
    },
    TESTING: {
        "problems": set(),
        "background": set(),
        "replies": set(),
        "seen": set(),
        "errors": set(),
        "faults": {"errors", "replies", "seen"},
        "rules": {"errors", "faults", "replies", "seen"},
        "conversation": {"errors", "faults", "replies", "rules", "seen"},
        "endpoint": {"background", "conversation", "problems", "rules", "seen"},
        "upstream": {"conversation", "replies", "seen"},
        "proxy": {"conversation", "endpoint", "rules", "upstream"},
        "scripted": {"conversation", "endpoint", "problems", "replies", "rules", "seen"},
        "plugin": {"proxy", "scripted"},
    },
    ARROW: {
        "lazy": set(),
        "options": set(),
        "malformed": set(),
        "named_columns": set(),
        "plans": set(),
        "wheels": set(),
        "catalog": {"plans", "wheels"},
        "engine": {"wheels"},
        "files": set(),
        "arrays": {"malformed"},
        "columns": {"arrays", "catalog", "engine", "malformed", "plans"},
        "frames": {"arrays", "catalog", "columns", "malformed", "plans"},
        "internal_topics": {"arrays", "catalog", "columns", "engine", "malformed"},
        "capture": {"files", "malformed", "named_columns"},
        "log": {"engine", "files", "malformed", "named_columns", "options"},
        "streams": {
            "arrays",
            "capture",
            "catalog",
            "columns",
            "frames",
            "internal_topics",
            "log",
            "malformed",
            "named_columns",
            "options",
        },
        "histories": {"arrays", "catalog", "files", "internal_topics", "log", "malformed", "streams"},
        "advisor": {
            "arrays",
            "catalog",
            "columns",
            "frames",
            "internal_topics",
            "malformed",
            "plans",
            "streams",
            "wheels",
        },
        "dump": {
            "arrays",
            "capture",
            "catalog",
            "columns",
            "files",
            "frames",
            "internal_topics",
            "log",
            "malformed",
            "named_columns",
            "streams",
        },
        "cli": {"advisor", "capture", "catalog", "dump", "engine", "histories", "log", "malformed", "streams"},
    },
    SPARK: {
        "schemas": set(),
        "versions": set(),
        "jvm": {"versions"},
        "moved": set(),
        "functions": {"jvm", "schemas", "versions"},
        "histories": {"functions", "schemas"},
    },
}
"""What each room, a folder or module directly in a package, may import of the package besides itself.

Rooms that are not named join the others together and are free.
"""

FREE = {
    GENERATOR: {"cli", "config", "conformance", "diagnosis", "fetch", "generation", "git", "origin", "setup"},
    CLIENT: {"cli"},
}

NOT_IN_THE_CORE = {"build", "merge", "places", "publish", "runtime", "selection"} | FREE[GENERATOR]
"""What of the generator may ask for more than its arguments; specs, plans and texts depend on nothing else."""

SURROUNDINGS = {
    "datetime",
    "getpass",
    "locale",
    "os",
    "platform",
    "random",
    "socket",
    "subprocess",
    "threading",
    "time",
}

OPTIONAL_GENERATOR = ARROW / "advisor" / "patch"
"""The folder of the pipeline that needs the generator, which is an optional extra: it edits specs."""

# Imports every module where neither PySpark nor the generator can be imported.
ARROW_ALONE = """
import importlib, pkgutil, sys
sys.modules["pyspark"] = sys.modules["py4j"] = sys.modules["messagegen"] = None
import messagegen_arrow
for module in pkgutil.walk_packages(messagegen_arrow.__path__, "messagegen_arrow."):
    if not module.name.startswith("messagegen_arrow.advisor.patch"):
        importlib.import_module(module.name)
assert "messagegen_spark" not in sys.modules
for without_generator in (
    lambda: messagegen_arrow.Catalog.of_specs("specs"),
    lambda: importlib.import_module("messagegen_arrow.advisor.patch"),
):
    try:
        without_generator()
    except ImportError as error:
        assert "--find-links PATH/dist messagegen`" in str(error)
    else:
        raise AssertionError("it needs the generator")
"""

NEED_SPARK = {"benchmarks", "fixtures", "golden", "spark"}
"""Folders of tests that nobody imports where PySpark is not installed."""

packages = pytest.mark.parametrize("root", ROOMS, ids=lambda root: root.name)


def modules_of(root: Path) -> list[Path]:
    return sorted(root.rglob("*.py"))


def room_of(path: Path, root: Path) -> str:
    """The folder or module directly in a package that a file belongs to; none for the package's own ``__init__``."""
    return path.relative_to(root).parts[0].removesuffix(".py").removeprefix("__init__")


def of_a_command(path: Path, root: Path) -> bool:
    """Whether a module belongs to a command line: by its own name, or by its folder's."""
    return any(part.startswith("cli") for part in path.relative_to(root).parts)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path, root: Path) -> frozenset[str]:
    """The full name of everything that a file imports, at any depth of its code."""
    return frozenset(_imported(path, root))


def _imported(path: Path, root: Path) -> Iterator[str]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = [root.name, *path.relative_to(root).parts[:-1]]
            base = above[: len(above) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


def top_level(path: Path, root: Path) -> set[str]:
    """The packages that a file imports."""
    return {name.split(".")[0] for name in imports(path, root)}


def rooms_of(path: Path, root: Path) -> set[str]:
    """The other rooms of its package that a file imports."""
    names = [name.split(".") for name in imports(path, root)]
    return {name[1] for name in names if name[0] == root.name and len(name) > 1} - {room_of(path, root)}


def module_imports(root: Path) -> dict[str, set[str]]:
    """The modules of a package, each with the others that it imports; the package's own ``__init__`` does not count."""
    # The runtime is copied into outputs; some of its imports are for type checkers only.
    paths = [path for path in modules_of(root) if path.parent != GENERATOR / "runtime"]
    names = {path: ".".join(path.relative_to(root.parent).with_suffix("").parts) for path in paths}
    known = {name.removesuffix(".__init__") for name in names.values()}
    table = {}
    for path, name in names.items():
        found = {each if each in known else each.rpartition(".")[0] for each in imports(path, root)}
        table[name.removesuffix(".__init__")] = (found & known) - {root.name}
    return table


@packages
def test_each_room_imports_what_it_may(root: Path) -> None:
    found: dict[str, set[str]] = {}
    for path in modules_of(root):
        found.setdefault(room_of(path, root), set()).update(rooms_of(path, root) - {"__version__", "load"})
    assert found.keys() - {""} == ROOMS[root].keys() | FREE.get(root, set())
    assert not {room: found[room] - allowed for room, allowed in ROOMS[root].items() if found[room] - allowed}


@packages
def test_no_room_and_no_module_imports_itself_through_others(root: Path) -> None:
    assert without_cycles({room: others - FREE.get(root, set()) for room, others in ROOMS[root].items()})
    assert without_cycles(module_imports(root))


@packages
def test_only_command_lines_print_and_nothing_imports_them(root: Path) -> None:
    for path in modules_of(root):
        if of_a_command(path, root):
            continue
        nodes = list(ast.walk(tree_of(path)))
        called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
        assert not {"print", "input", "breakpoint"} & called, path
        assert not {"click", "rich"} & top_level(path, root), path
        assert not [room for room in rooms_of(path, root) if room.startswith("cli")], path
        if root == GENERATOR:
            used = {ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute)}
            assert not {"sys.stdout", "sys.stderr", "sys.exit", "logging.basicConfig"} & used, path


@pytest.mark.parametrize(
    ("root", "others"),
    [
        (GENERATOR, {CLIENT, TESTING, ARROW, SPARK}),
        (CLIENT, {GENERATOR, TESTING, ARROW, SPARK}),
        (TESTING, {GENERATOR, CLIENT, ARROW, SPARK}),
        (ARROW, {CLIENT, TESTING, SPARK}),
        (SPARK, {CLIENT, TESTING}),
    ],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_packages_that_do_not_know_each_other(root: Path, others: set[Path]) -> None:
    for path in modules_of(root):
        assert not {other.name for other in others} & top_level(path, root), path
        if root != GENERATOR:
            # Messages of specs at run time are an optional extra of the pipeline.
            names = {name for name in imports(path, root) if name == "messagegen" or name.startswith("messagegen.")}
            if OPTIONAL_GENERATOR in path.parents:
                rooms = {".".join(name.split(".")[:2]) for name in names}
                assert rooms <= {"messagegen", "messagegen.jsonc", "messagegen.versions"}, path
            else:
                assert names <= {"messagegen.load"}, path
        if root == ARROW:
            assert not {"pyspark", "py4j"} & top_level(path, root), path
        if root in (CLIENT, TESTING):
            assert not [name for name in imports(path, root) if name.startswith("messagegen_kafka._")], path


def test_the_core_reads_no_clock_environment_or_locale() -> None:
    for path in modules_of(GENERATOR):
        assert room_of(path, GENERATOR) in NOT_IN_THE_CORE or not SURROUNDINGS & top_level(path, GENERATOR), path


@pytest.mark.parametrize(("root", "own"), [(GENERATOR / "runtime", "runtime"), (GENERATED, "messagegen_kafka")])
def test_generated_code_imports_itself_and_the_standard_library(root: Path, own: str) -> None:
    for path in modules_of(root):
        assert top_level(path, root) - {own} <= sys.stdlib_module_names, path


def test_arrow_can_be_imported_without_spark_and_the_generator() -> None:
    done = subprocess.run([sys.executable, "-c", ARROW_ALONE], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_nothing_of_the_generator_is_installed_with_the_pipeline() -> None:
    project = tomllib.loads((ARROW.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.split(r"[^a-z0-9-]", each.lower())[0] for each in project["dependencies"]}
    assert not {"messagegen", "black", "jinja2", "tree-sitter"} & needed


def test_importing_generated_code_loads_little() -> None:
    package = loaded_by("import messagegen_kafka")
    assert not {name for name in package if name.startswith("messagegen_kafka.")}
    message = loaded_by("from messagegen_kafka import ListOffsetsRequest")
    assert not {"messagegen", "dataclasses", "typing", "json", "inspect", "uuid"} & (
        message - loaded_by("import struct")
    )
    assert {name for name in message if name.startswith("messagegen_kafka.") and "_runtime" not in name} == {
        "messagegen_kafka.list_offsets_request"
    }


@pytest.mark.parametrize(
    ("package", "parts"),
    [
        ("messagegen", {"click", "black", "jinja2"}),
        ("messagegen_client", {"yaml", "click", "javaproperties"}),
        ("messagegen_testing", {"pytest", "messagegen_kafka"}),
        ("messagegen_testing.plugin", {"messagegen_kafka"}),
        ("messagegen_arrow", {"pyspark", "pyarrow", "numpy", "pandas", "matplotlib"}),
        ("messagegen_spark", {"pyspark", "pyarrow", "numpy", "pandas", "matplotlib"}),
    ],
)
def test_importing_a_package_loads_little(package: str, parts: set[str]) -> None:
    loaded = loaded_by(f"import {package}")
    assert not parts & loaded
    assert package != "messagegen" or not [name for name in loaded if name.startswith("messagegen.")]


def test_tests_of_spark_are_apart_so_that_the_others_need_no_spark() -> None:
    tests = Path(__file__).parent
    others = [path for path in modules_of(tests) if room_of(path, tests) not in NEED_SPARK]
    assert not [path for path in others if "pyspark" in top_level(path, tests)]


def test_nothing_is_imported_from_a_module_of_tests() -> None:
    """Helpers that several modules of tests use live in ``support`` or in a module of their folder."""
    tests = Path(__file__).parent
    found = {
        str(path.relative_to(tests))
        for path in tests.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").rpartition(".")[2].startswith("test_")
    }
    assert found == set()
