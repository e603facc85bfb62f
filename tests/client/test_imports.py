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
    "errors": set[str](),
    "outcomes": {"errors"},
    "security": {"errors"},
    "config": {"errors", "security"},
    "net": {"errors", "security", "config"},
    "records": {"errors", "net"},
    "quotas": {"errors", "outcomes", "net"},
    "offsets": {"errors", "outcomes", "net"},
    "groups": {"errors", "outcomes", "net", "records", "offsets"},
    "admin": {"config", "net", "quotas", "offsets", "groups"},
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


def for_type_checkers(tree: ast.Module) -> set[ast.stmt]:
    """The statements that only type checkers see."""
    blocks = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    return {statement for block in blocks for statement in block.body}


@modules
def test_the_client_knows_generated_code_and_not_the_generator(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    seen_by_checkers = for_type_checkers(tree)
    for name, node in imported(tree):
        parts = name.split(".")
        assert parts[0] not in {"messagegen", "messagegen_arrow", "messagegen_spark", "tests"}
        assert "_runtime" not in parts or node in seen_by_checkers


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
    assert not {"click", "rich"} & {name.split(".")[0] for name, _ in imported(tree)}


@pytest.mark.parametrize(
    ("module", "others"),
    [
        ("connection", {"cluster", "pool", "versions", "sasl"}),
        ("metadata", {"cluster", "pool", "connection"}),
        ("pool", {"cluster"}),
    ],
)
def test_lower_modules_of_the_network_do_not_know_of_higher_ones(module: str, others: set[str]) -> None:
    tree = ast.parse((CLIENT / "net" / f"{module}.py").read_text(encoding="utf-8"))
    names = (name.split(".") for name, _ in imported(tree) if name.startswith("messagegen_client.transport."))
    assert not {name[2] for name in names} & others
