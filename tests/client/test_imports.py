"""Who may import what in the client, and who in it may print: a room knows the rooms below it, never one above."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import messagegen_client

CLIENT = Path(messagegen_client.__file__).parent
MODULES = sorted(CLIENT.rglob("*.py"))
modules = pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(CLIENT).as_posix())

BELOW = {
    "text": set[str](),
    "errors": {"text"},
    "threads": {"errors"},
    "security": {"errors"},
    "config": {"errors", "security"},
    "transport": {"errors", "security", "config"},
    "quotas": {"errors", "text", "transport"},
    "offsets": {"errors", "transport"},
    "admin": {"config", "threads", "transport", "quotas", "offsets"},
}
"""What each room, and each module outside of them, may import besides itself; ``cli`` and the package may import anything."""


def room_of(path: Path) -> str:
    return path.relative_to(CLIENT).parts[0].removesuffix(".py")


def imported(tree: ast.AST) -> Iterator[tuple[str, ast.stmt]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            yield from ((f"{node.module}.{alias.name}", node) for alias in node.names)


@modules
def test_the_client_knows_generated_code_and_not_the_generator(path: Path) -> None:
    roots = {name.split(".")[0] for name, _ in imported(ast.parse(path.read_text(encoding="utf-8")))}
    assert not {"messagegen", "messagegen_arrow", "messagegen_spark", "tests"} & roots


@modules
def test_a_room_knows_the_rooms_below_it(path: Path) -> None:
    room = room_of(path)
    if room in {"cli", "__init__"}:
        return
    names = (name.split(".") for name, _ in imported(ast.parse(path.read_text(encoding="utf-8"))))
    assert {name[1] for name in names if name[0] == "messagegen_client"} <= BELOW[room] | {room}


def test_the_table_has_no_cycle() -> None:
    done: set[str] = set()
    while len(done) < len(BELOW):
        ready = {room for room, below in BELOW.items() if room not in done and below <= done}
        assert ready, f"a cycle among {BELOW.keys() - done}"
        done |= ready


@modules
def test_only_commands_print(path: Path) -> None:
    if room_of(path) == "cli":
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert not [call for call in calls if isinstance(call, ast.Name) and call.id in {"print", "input"}]
    assert not {"click"} & {name.split(".")[0] for name, _ in imported(tree)}


def test_no_module_imports_itself_by_others() -> None:
    below = {
        ".".join(path.relative_to(CLIENT.parent).with_suffix("").parts): {
            name.rsplit(".", 1)[0] for name, _ in imported(ast.parse(path.read_text(encoding="utf-8")))
        }
        for path in MODULES
        if path.name != "__init__.py"
    }
    done: set[str] = set()
    while len(done) < len(below):
        ready = {name for name, others in below.items() if name not in done and others & below.keys() <= done}
        assert ready, f"a circle among {below.keys() - done}"
        done |= ready


@modules
def test_public_names_of_generated_code_are_enough(path: Path) -> None:
    names = [name for name, _ in imported(ast.parse(path.read_text(encoding="utf-8")))]
    assert not [name for name in names if name.startswith("messagegen_kafka._")]
