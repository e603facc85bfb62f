"""What the rooms of ``messagegen_spark`` may import of each other; ``messagegen_arrow`` is free to all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

import messagegen_spark
from tests.arrow.support.rooms import room_of, rooms_of, without_cycles

SPARK = Path(messagegen_spark.__file__).parent
MODULES = sorted(SPARK.rglob("*.py"))
modules = pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(SPARK).as_posix())

ALLOWED = {
    "schemas": set[str](),
    "workers": set[str](),
    "moved": set[str](),
    "jvm": set[str](),
    "sources": {"jvm", "schemas", "workers"},
    "functions": {"schemas", "workers"},
    "histories": {"functions", "schemas"},
}
"""What each room, and each module outside of them, may import besides itself; the package's own ``__init__`` is free."""


@modules
def test_a_room_imports_the_rooms_below_it(path: Path) -> None:
    room = room_of(path, SPARK)
    assert room == "__init__" or rooms_of(path, SPARK) <= ALLOWED[room]


def test_the_table_has_no_cycle() -> None:
    assert without_cycles(ALLOWED)
