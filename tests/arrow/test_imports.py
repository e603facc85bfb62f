"""What the rooms of ``messagegen_arrow`` may import: those below them, generated code, and never Spark."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import messagegen_arrow
from tests.arrow.support.rooms import imported, room_of, rooms_of, without_cycles

ARROW = Path(messagegen_arrow.__file__).parent
MODULES = sorted(ARROW.rglob("*.py"))
modules = pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ARROW).as_posix())

ALLOWED: dict[str, set[str]] = {
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
    "records": {"engine", "malformed"},
    "content_options": {"catalog", "columns", "options"},
    "capture": {"files", "malformed", "named_columns", "options"},
    "log": {
        *("arrays", "catalog", "columns", "content_options", "engine", "files", "internal_topics", "malformed"),
        *("named_columns", "options", "records"),
    },
    "streams": {
        *("capture", "catalog", "columns", "frames", "internal_topics", "log", "malformed", "named_columns", "options"),
    },
    "histories": {"catalog", "files", "internal_topics", "log", "malformed", "streams"},
    "advisor": {"arrays", "catalog", "columns", "frames", "internal_topics", "malformed", "plans", "streams"},
    "dump": {
        *("arrays", "capture", "catalog", "columns", "files", "frames", "internal_topics", "log", "malformed"),
        *("named_columns", "records", "streams"),
    },
    "cli": {"advisor", "capture", "catalog", "dump", "engine", "histories", "log", "malformed", "streams"},
}
"""What each room, and each module outside of them, may import besides itself; the package's own ``__init__`` is free."""

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


@modules
def test_a_room_imports_the_rooms_below_it(path: Path) -> None:
    room = room_of(path, ARROW)
    assert room == "__init__" or rooms_of(path, ARROW) <= ALLOWED[room]


@modules
def test_nothing_imports_spark(path: Path) -> None:
    assert not {"pyspark", "py4j", "messagegen_spark"} & {name.split(".")[0] for name in imported(path)}


def test_every_module_is_importable_without_spark_and_the_generator() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_THEM], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_nothing_of_the_generator_is_installed_with_the_pipeline() -> None:
    project = tomllib.loads((ARROW.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.split(r"[^a-z0-9-]", each.lower())[0] for each in project["dependencies"]}
    assert not {"messagegen", "black", "jinja2", "tree-sitter"} & needed


def test_the_table_has_no_cycle() -> None:
    assert without_cycles(ALLOWED)


def test_no_module_imports_itself_through_others() -> None:
    names = {path: ".".join(path.relative_to(ARROW.parent).with_suffix("").parts) for path in MODULES}
    known = {name.removesuffix(".__init__") for name in names.values()}
    table = {}
    for path, name in names.items():
        found = {each if each in known else each.rpartition(".")[0] for each in imported(path)}
        table[name.removesuffix(".__init__")] = (found & known) - {"messagegen_arrow"}
    assert without_cycles(table)
