"""Reads the imports in the source text of modules."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

CONSOLE: Final = "console"
"""The package of the console kit."""
OF_COMMANDS: Final = ("output", "parameters", "progress", "running")
"""Modules of the console kit that only command lines may import. The kit's other modules only compute values."""


def modules_of(root: Path) -> list[Path]:
    """Return the modules of a package, including modules in linked folders."""
    files = (Path(folder, name) for folder, _, names in os.walk(root, followlinks=True) for name in names)
    return sorted(file for file in files if file.suffix == ".py")


def room_of(path: Path, root: Path) -> str:
    """Return the room of a file: the folder or module directly in its package; empty for the package's ``__init__``."""
    return path.relative_to(root).parts[0].removesuffix(".py").removeprefix("__init__")


def of_a_command(path: Path, root: Path) -> bool:
    """Whether a module belongs to a command line: it is in a folder ``cli``, or in ``OF_COMMANDS``."""
    parts = path.relative_to(root).parts
    return "cli" in parts or (parts[0] == CONSOLE and path.stem in OF_COMMANDS)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path, root: Path) -> frozenset[str]:
    """Return the full name of everything that a file imports, including imports inside functions."""
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
    """Return the top-level packages that a file imports."""
    return {name.split(".")[0] for name in imports(path, root)}


def module_names(path: Path, root: Path) -> set[str]:
    """Return the first three parts of the names that a file imports, such as ``messagegen.console.running``."""
    return {".".join(name.split(".")[:3]) for name in imports(path, root)}


def rooms_of(path: Path, root: Path) -> set[str]:
    """Return the rooms that a file imports from its own package, except the file's own room."""
    names = [name.split(".") for name in imports(path, root)]
    return {name[1] for name in names if name[0] == root.name and len(name) > 1} - {room_of(path, root)}
