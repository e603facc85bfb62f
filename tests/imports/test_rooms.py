"""Each room imports only what the table in ``rooms.py`` allows."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from tests.imports.code import (
    CONSOLE,
    OF_COMMANDS,
    imports,
    module_names,
    modules_of,
    of_a_command,
    room_of,
    rooms_of,
    top_level,
    tree_of,
)
from tests.imports.rooms import ARROW, CLIENT, FREE, GENERATED, GENERATOR, ROOMS, SPARK, TESTING
from tests.support.imports import without_cycles

# All tests run in one worker, so that each module is parsed only once.
pytestmark = pytest.mark.xdist_group("imports")

NOT_IN_THE_CORE = {"build", CONSOLE, "merge", "places", "publish", "runtime", "selection"} | FREE[GENERATOR]
"""Rooms that may read the environment. Specs, plans and rendered text depend only on their arguments."""

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


FOR_TYPE_CHECKERS = "typing_extensions"
"""A module that type checkers include, so it need not be installed."""

CHECKED = "TYPE_CHECKING"


packages = pytest.mark.parametrize("root", ROOMS, ids=lambda root: root.name)


def module_imports(root: Path) -> dict[str, set[str]]:
    """Return the imports of each module within its package. Imports of the package's own ``__init__`` are ignored."""
    # Skip the runtime: some of its modules import each other for type checkers only.
    paths = [path for path in modules_of(root) if path.parent != GENERATOR / "runtime"]
    names = {path: ".".join(path.relative_to(root.parent).with_suffix("").parts) for path in paths}
    known = {name.removesuffix(".__init__") for name in names.values()}
    table = {}
    for path, name in names.items():
        found = {each if each in known else each.rpartition(".")[0] for each in imports(path, root)}
        table[name.removesuffix(".__init__")] = (found & known) - {root.name}
    return table


@packages
def test_each_room_imports_only_allowed_rooms(root: Path) -> None:
    found: dict[str, set[str]] = {}
    for path in modules_of(root):
        found.setdefault(room_of(path, root), set()).update(rooms_of(path, root) - {"__version__", "load"})
    assert found.keys() - {""} == ROOMS[root].keys() | FREE.get(root, set())
    assert not {room: found[room] - allowed for room, allowed in ROOMS[root].items() if found[room] - allowed}


@packages
def test_rooms_and_modules_have_no_import_cycles(root: Path) -> None:
    assert without_cycles({room: others - FREE.get(root, set()) for room, others in ROOMS[root].items()})
    assert without_cycles(module_imports(root))


@packages
def test_only_command_lines_print_and_other_modules_do_not_import_them(root: Path) -> None:
    for path in modules_of(root):
        if of_a_command(path, root):
            continue
        nodes = list(ast.walk(tree_of(path)))
        called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
        assert not {"print", "input", "breakpoint"} & called, path
        assert not {"click", "rich"} & top_level(path, root), path
        assert "cli" not in rooms_of(path, root), path
        assert not {f"{root.name}.{CONSOLE}.{name}" for name in OF_COMMANDS} & module_names(path, root), path
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
def test_packages_do_not_import_unrelated_packages(root: Path, others: set[Path]) -> None:
    for path in modules_of(root):
        assert not {other.name for other in others} & top_level(path, root), path
        if root != GENERATOR:
            # `messagegen.load` is the only allowed name: the pipeline optionally uses it to load messages from specs.
            names = {name for name in imports(path, root) if name == "messagegen" or name.startswith("messagegen.")}
            assert names <= {"messagegen.load"}, path
        if root == ARROW:
            assert not {"pyspark", "py4j"} & top_level(path, root), path
        if root in (CLIENT, TESTING):
            assert not [name for name in imports(path, root) if name.startswith("messagegen_kafka._")], path


def test_the_core_reads_no_clock_and_no_environment_and_no_locale() -> None:
    for path in modules_of(GENERATOR):
        assert room_of(path, GENERATOR) in NOT_IN_THE_CORE or not SURROUNDINGS & top_level(path, GENERATOR), path


@pytest.mark.parametrize(("root", "own"), [(GENERATOR / "runtime", "runtime"), (GENERATED, "messagegen_kafka")])
def test_generated_code_imports_itself_and_the_standard_library(root: Path, own: str) -> None:
    for path in modules_of(root):
        others = top_level(path, root) - {own} - sys.stdlib_module_names
        assert not others or others == {FOR_TYPE_CHECKERS}, path
        assert imports_at_run_time(path).isdisjoint(others), path


def imports_at_run_time(path: Path) -> set[str]:
    """Return the modules that a file imports outside its top-level ``if TYPE_CHECKING`` blocks."""
    checked = [node for node in tree_of(path).body if isinstance(node, ast.If) and ast.unparse(node.test) == CHECKED]
    skipped = {id(node) for block in checked for statement in block.body for node in ast.walk(statement)}
    others = [node for node in ast.walk(tree_of(path)) if id(node) not in skipped]
    names = {alias.name for node in others if isinstance(node, ast.Import) for alias in node.names}
    return names | {node.module or "" for node in others if isinstance(node, ast.ImportFrom)}
