"""The imports between the rooms of a package: the folders and modules directly in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path


def room_of(path: Path, root: Path) -> str:
    return path.relative_to(root).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    """The full name of everything that a file imports, at any depth of its code."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def rooms_of(path: Path, root: Path) -> set[str]:
    """The other rooms of its package that a file imports."""
    names = [name.split(".") for name in imported(path)]
    return {name[1] for name in names if name[0] == root.name and len(name) > 1} - {room_of(path, root)}


def without_cycles(allowed: Mapping[str, set[str]]) -> bool:
    """Whether the rooms of a table can be put into an order in which each imports earlier ones only."""
    done: set[str] = set()
    while ready := {room for room, others in allowed.items() if room not in done and others <= done}:
        done |= ready
    return done == allowed.keys()


def module_imports(root: Path, but: str = "") -> dict[str, set[str]]:
    """The modules of a package, each with the others of it that it imports; the package's own ``__init__`` does not count.

    The folder ``but`` is left out.
    """
    paths = [path for path in sorted(root.rglob("*.py")) if room_of(path, root) != but]
    names = {path: ".".join(path.relative_to(root.parent).with_suffix("").parts) for path in paths}
    known = {name.removesuffix(".__init__") for name in names.values()}
    table = {}
    for path, name in names.items():
        found = {each if each in known else each.rpartition(".")[0] for each in imported(path)}
        table[name.removesuffix(".__init__")] = (found & known) - {root.name}
    return table
