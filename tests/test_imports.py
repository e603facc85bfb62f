"""Who may import what: the stages know of each other only in the order of the work."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import messagegen
import messagegen_kafka

GENERATOR = Path(messagegen.__file__).parent
GENERATED = Path(messagegen_kafka.__file__).parent

# One worker reads each module once for all tests of it.
pytestmark = pytest.mark.xdist_group("imports")

NOTHING: frozenset[str] = frozenset()
ALLOWED = {
    "versions": NOTHING,
    "findings": NOTHING,
    "texts": NOTHING,
    "names": NOTHING,
    "selection": frozenset({"findings"}),
    "primitives": frozenset({"runtime"}),
    "build": NOTHING,
    "publish": frozenset({"build"}),
    "templating": NOTHING,
    "runtime": NOTHING,
    "spec": frozenset({"versions", "findings", "jsonc", "primitives"}),
    "jsonc": frozenset({"findings", "texts"}),
    "places": frozenset({"findings"}),
    "fmt": frozenset({"findings", "jsonc", "spec"}),
    "lint": frozenset({"findings", "jsonc", "names", "primitives", "selection", "spec", "versions"}),
    "plan": frozenset({"versions", "spec", "names", "primitives", "runtime"}),
    "evolve": frozenset({"versions", "findings", "primitives", "selection", "spec", "plan"}),
    "merge": frozenset({"build", "evolve", "fetch", "findings", "fmt", "jsonc", "spec", "versions"}),
    "edges": NOTHING,
    "vectors": frozenset({"edges", "findings", "plan", "runtime"}),
    "emit": frozenset({"plan", "primitives", "templating", "versions"}),
    "outputs": frozenset(
        {
            *("emit", "plan", "publish", "findings", "primitives", "runtime", "templating", "versions"),
            *("edges", "explain", "vectors"),
        }
    ),
    "record_types": frozenset({"runtime"}),
    "explain": frozenset({"runtime"}),
}
"""What each part may import of ours, apart from itself; parts that are not named join the others together and are free."""

MODULES = sorted(GENERATOR.rglob("*.py"))
modules = pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(GENERATOR).as_posix())


def part_of(path: Path) -> str:
    """The package or module directly in ``messagegen`` that a file belongs to."""
    return path.relative_to(GENERATOR).parts[0].removesuffix(".py")


@cache
def imports(path: Path, package: str, root: Path) -> frozenset[str]:
    """The full name of everything that a file imports, at any depth of its code."""
    return frozenset(_imported(path, package, root))


def _imported(path: Path, package: str, root: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = [package, *path.relative_to(root).parts[:-1]]
            base = above[: len(above) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


def ours(path: Path) -> set[str]:
    """The parts of messagegen that a file imports."""
    names = [name.split(".") for name in imports(path, "messagegen", GENERATOR)]
    return {name[1] for name in names if name[0] == "messagegen" and len(name) > 1} - {"__version__", "load"}


@modules
def test_each_part_imports_what_it_may(path: Path) -> None:
    part = part_of(path)
    if part in ALLOWED:
        assert ours(path) <= ALLOWED[part] | {part}


@modules
def test_nothing_imports_the_command_line(path: Path) -> None:
    assert part_of(path).startswith("cli") or not any(name.startswith("cli") for name in ours(path))


@modules
def test_only_the_command_line_prints(path: Path) -> None:
    if part_of(path).startswith("cli"):
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    written = {
        f"{node.value.id}.{node.attr}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    assert not {"print", "input", "breakpoint"} & called
    assert not {"sys.stdout", "sys.stderr", "sys.exit", "logging.basicConfig"} & written
    assert not {"click", "rich"} & {name.split(".")[0] for name in imports(path, "messagegen", GENERATOR)}


def test_the_table_names_parts_that_exist() -> None:
    assert set(ALLOWED) <= {part_of(path) for path in MODULES}


CORE = {
    "versions",
    "findings",
    "texts",
    "names",
    "primitives",
    "spec",
    "jsonc",
    "fmt",
    "lint",
    "plan",
    "emit",
    "templating",
    "outputs",
    "record_types",
    "explain",
    "edges",
    "vectors",
}


@modules
def test_the_core_reads_no_clock_environment_or_locale(path: Path) -> None:
    if part_of(path) in CORE:
        roots = {name.split(".")[0] for name in imports(path, "messagegen", GENERATOR)}
        assert (
            not {
                "os",
                "time",
                "datetime",
                "locale",
                "random",
                "getpass",
                "platform",
                "socket",
                "subprocess",
                "threading",
            }
            & roots
        )


@pytest.mark.parametrize("path", sorted((GENERATOR / "runtime").rglob("*.py")), ids=lambda path: str(path.name))
def test_the_runtime_stands_on_the_standard_library(path: Path) -> None:
    names = {name.split(".")[0] for name in imports(path, "", GENERATOR / "runtime") if not name.startswith(".")}
    assert names - {""} <= sys.stdlib_module_names


@pytest.mark.parametrize(
    "path", sorted(GENERATED.rglob("*.py")), ids=lambda path: path.relative_to(GENERATED).as_posix()
)
def test_generated_code_imports_itself_and_the_standard_library(path: Path) -> None:
    names = {name.split(".")[0] for name in imports(path, "messagegen_kafka", GENERATED)}
    assert names - {"messagegen_kafka"} <= sys.stdlib_module_names


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter holds after running ``code``."""
    command = f"{code}\nimport sys\nprint(*sys.modules)"
    return set(
        subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True).stdout.split()
    )


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


def test_importing_messagegen_loads_none_of_its_parts() -> None:
    assert not {name for name in loaded_by("import messagegen") if name.startswith("messagegen.")}
