"""What the rooms of ``messagegen_arrow`` may import: those below them, generated code, and never Spark."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import messagegen_arrow
from tests.arrow.support.rooms import imported, room_of, rooms_of, without_cycles

ARROW = Path(messagegen_arrow.__file__).parent
MODULES = sorted(ARROW.rglob("*.py"))
modules = pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ARROW).as_posix())

ALLOWED = {
    "lazy": set[str](),
    "options": set[str](),
    "task_size": set[str](),
    "malformed": set[str](),
    "named_columns": set[str](),
    "plans": set[str](),
    "plan_walk": {"plans"},
    "catalog": {"plans"},
    "engine": set[str](),
    "files": set[str](),
    "arrays": {"malformed"},
    "columns": {"arrays", "catalog", "engine", "malformed", "plans", "plan_walk"},
    "frames": {"arrays", "catalog", "columns", "malformed", "plan_walk"},
    "internal_topics": {"arrays", "catalog", "columns", "engine", "malformed"},
    "records": {"engine", "malformed"},
    "content_options": {"catalog", "columns", "options"},
    "capture": {"catalog", "content_options", "files", "frames", "malformed", "named_columns", "options"},
    "log": {
        *(
            "arrays",
            "catalog",
            "columns",
            "content_options",
            "files",
            "internal_topics",
            "malformed",
            "named_columns",
            "options",
        ),
        "records",
        "row_files",
        "task_size",
    },
    "message_files": {
        "arrays",
        "content_options",
        "files",
        "log",
        "malformed",
        "named_columns",
        "options",
        "task_size",
    },
    "streams": {
        *("capture", "catalog", "columns", "frames", "internal_topics", "log", "malformed", "named_columns", "options"),
        "message_files",
    },
    "histories": {"arrays", "catalog", "files", "internal_topics", "log", "malformed", "streams"},
    "advisor": {
        *(
            "arrays",
            "catalog",
            "columns",
            "engine",
            "frames",
            "internal_topics",
            "lazy",
            "malformed",
            "plans",
            "streams",
            "text_tables",
        ),
    },
    "text_tables": set[str](),
    "cli": {"advisor", "files", "text_tables"},
    "dump": {
        *("arrays", "capture", "catalog", "columns", "frames", "internal_topics", "log", "malformed", "named_columns"),
        *("files", "records", "streams"),
    },
    "row_files": set[str](),
    "tables": {"row_files"},
    "conformance": {"arrays", "columns", "frames", "internal_topics", "plans"},
}
"""What each room, and each module outside of them, may import besides itself; the package's own ``__init__`` is free."""

# Imports every module where PySpark cannot be imported.
WITHOUT_SPARK = """
import importlib, pkgutil, sys
sys.modules["pyspark"] = sys.modules["py4j"] = None
import messagegen_arrow
for module in pkgutil.walk_packages(messagegen_arrow.__path__, "messagegen_arrow."):
    importlib.import_module(module.name)
assert "messagegen_spark" not in sys.modules
"""


@modules
def test_a_room_imports_the_rooms_below_it(path: Path) -> None:
    room = room_of(path, ARROW)
    assert room == "__init__" or rooms_of(path, ARROW) <= ALLOWED[room]


@modules
def test_nothing_imports_spark(path: Path) -> None:
    assert not {"pyspark", "py4j", "messagegen_spark"} & {name.split(".")[0] for name in imported(path)}


def test_every_module_is_importable_without_spark() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_SPARK], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_table_has_no_cycle() -> None:
    assert without_cycles(ALLOWED)
