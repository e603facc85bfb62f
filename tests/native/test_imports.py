"""The modules of the engine import each other in one direction only."""

from __future__ import annotations

import re
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "native" / "src"

_USE = re.compile(r"^\s*(?:pub(?:\([a-z]+\))? )?use ((?:crate|super|self)::[^;]+);", re.MULTILINE)
_TESTS = re.compile(r"^#\[cfg\(test\)\]\nmod tests \{.*", re.MULTILINE | re.DOTALL)


def module_of(path: Path) -> tuple[str, ...]:
    """The module of a file, as the names after ``crate``."""
    parts = path.relative_to(SOURCES).with_suffix("").parts
    return parts[:-1] if parts[-1] in ("lib", "mod") else parts


def used_paths(text: str) -> list[tuple[str, ...]]:
    """The paths that the ``use`` declarations of a module name, with braces resolved."""
    found = []
    for declaration in _USE.findall(_TESTS.sub("", text)):
        found += _flat(re.sub(r"\s+", "", re.sub(r"\sas\s\w+", "", declaration)))
    return found


def _flat(tree: str) -> list[tuple[str, ...]]:
    head, brace, rest = tree.partition("{")
    prefix = tuple(part for part in head.split("::") if part)
    if not brace:
        return [prefix]
    items, depth, start = [], 0, 0
    body = rest[:-1]
    for index, letter in enumerate(body):
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            items.append(body[start:index])
            start = index + 1
    items.append(body[start:])
    return [prefix + path for item in items if item for path in _flat(item)]


def imports() -> dict[tuple[str, ...], set[tuple[str, ...]]]:
    """The modules that each module uses items of."""
    texts = {module_of(path): path.read_text() for path in sorted(SOURCES.rglob("*.rs"))}
    found: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    for module, text in texts.items():
        found[module] = set()
        for path in used_paths(text):
            target = _absolute(module, path)
            while target not in texts:
                target = target[:-1]
            if target not in (module, ()):
                found[module].add(target)
    return found


def _absolute(module: tuple[str, ...], path: tuple[str, ...]) -> tuple[str, ...]:
    base = () if path[0] == "crate" else module
    for part in path:
        if part == "super":
            base = base[:-1]
        elif part not in ("crate", "self"):
            base = (*base, part)
    return base


def test_no_module_imports_itself_through_others() -> None:
    found = imports()
    assert len(found) > 30
    done: set[tuple[str, ...]] = set()

    def visit(module: tuple[str, ...], above: list[tuple[str, ...]]) -> None:
        cycle = " -> ".join("::".join(one) or "crate" for one in [*above, module])
        assert module not in above, cycle
        if module not in done:
            for inner in sorted(found[module]):
                visit(inner, [*above, module])
            done.add(module)

    for module in sorted(found):
        visit(module, [])


def test_layers() -> None:
    """The wire format knows neither Python nor Arrow, and each kind of result only what is below it."""
    allowed = {
        "plan": set[str](),
        "wire": {"plan"},
        "limits": {"wire"},
        "arrow": {"plan", "wire"},
        "error": {"arrow", "plan", "wire"},
        "skip": {"error", "limits", "plan", "wire"},
        "panics": set[str](),
        "objects": {"error", "limits", "panics", "plan", "skip", "wire"},
        "columns": {"arrow", "error", "limits", "panics", "plan", "skip", "wire"},
        "records": {"arrow", "error", "panics", "wire"},
        "batches": {"objects", "panics", "records", "wire"},
    }
    found: dict[str, set[str]] = {}
    for module, used in imports().items():
        if module:
            found.setdefault(module[0], set()).update(one[0] for one in used if one[0] != module[0])
    assert found == {room: used & allowed[room] for room, used in found.items()}
    assert set(found) == set(allowed)


def test_braces_and_renames_are_understood() -> None:
    text = "use crate::a::{b::C, d as e, f::{G, H}};\nuse super::i::J;\npub use self::k::L;\nuse std::fmt;\n"
    assert used_paths(text) == [
        ("crate", "a", "b", "C"),
        ("crate", "a", "d"),
        ("crate", "a", "f", "G"),
        ("crate", "a", "f", "H"),
        ("super", "i", "J"),
        ("self", "k", "L"),
    ]
