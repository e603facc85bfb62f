"""The engine's crates, and the modules in each crate, import each other in only one direction."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.imports import without_cycles

NATIVE = Path(__file__).resolve().parents[2] / "native"
CRATES = ("core", "python", "jni")

_USE = re.compile(r"^\s*(?:pub(?:\([a-z]+\))? )?use ((?:crate|super|self|messagegen_core)::[^;]+);", re.MULTILINE)
_TESTS = re.compile(r"^#\[cfg\(test\)\]\nmod tests \{.*", re.MULTILINE | re.DOTALL)


def module_of(path: Path, sources: Path) -> tuple[str, ...]:
    """Return the module of a file, as the names after ``crate``."""
    parts = path.relative_to(sources).with_suffix("").parts
    return parts[:-1] if parts[-1] in ("lib", "mod") else parts


def used_paths(text: str) -> list[tuple[str, ...]]:
    """Return the paths in the ``use`` declarations of a module, with braces expanded."""
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


def texts_of(crate: str) -> dict[tuple[str, ...], str]:
    """Return the text of each module of a crate."""
    sources = NATIVE / crate / "src"
    return {module_of(path, sources): path.read_text() for path in sorted(sources.rglob("*.rs"))}


def imports(crate: str) -> dict[tuple[str, ...], set[tuple[str, ...]]]:
    """Return, for each module of a crate, the modules whose items it uses."""
    texts = texts_of(crate)
    found: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    for module, text in texts.items():
        found[module] = set()
        for path in used_paths(text):
            if path[0] == "messagegen_core":
                continue
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


@pytest.mark.parametrize("crate", CRATES)
def test_modules_of_a_crate_have_no_import_cycles(crate: str) -> None:
    found = imports(crate)
    assert len(found) > 5
    assert without_cycles({"::".join(module): set(map("::".join, used)) for module, used in found.items()})


ALLOWED = {
    "core": {
        "outcome": set[str](),
        "memory": set[str](),
        "plan": {"outcome"},
        "wire": {"plan"},
        "limits": {"wire"},
        "budget": {"limits"},
        "arrow": {"outcome", "plan", "wire"},
        "error": {"arrow", "outcome", "plan", "wire"},
        "walk": {"budget", "error", "limits", "plan", "wire"},
        "columns": {"arrow", "error", "limits", "outcome", "plan", "walk", "wire"},
        "records": {"arrow", "error", "outcome", "wire"},
        "logs": {"arrow", "outcome", "records", "wire"},
    },
    "python": {
        "errors": set[str](),
        "panics": set[str](),
        "profile": set[str](),
        "arrow": set[str](),
        "objects": {"panics", "profile"},
        "columns": {"arrow", "errors", "panics", "profile"},
        "logs": {"arrow", "errors", "panics"},
        "batches": {"objects", "panics"},
    },
    "jni": {
        "batch": {"door"},
        "content": set[str](),
        "door": set[str](),
        "functions": {"content", "door", "rows", "spark_types"},
        "native": {"batch", "content", "door", "reader", "storage"},
        "reader": {"content", "door", "required", "rows", "spark_types"},
        "required": {"door", "spark_types"},
        "rows": {"door"},
        "spark_types": {"content"},
        "storage": {"door"},
    },
}
"""The modules at the top of each crate, each with the other modules whose items it may use."""


@pytest.mark.parametrize("crate", CRATES)
def test_each_layer_uses_only_the_layers_below_it(crate: str) -> None:
    """The wire format uses neither error texts nor Arrow, and each kind of result uses only the layers below it."""
    allowed = ALLOWED[crate]
    found: dict[str, set[str]] = {}
    for module, used in imports(crate).items():
        if module:
            found.setdefault(module[0], set()).update(one[0] for one in used if one[0] != module[0])
    assert found == {room: used & allowed[room] for room, used in found.items()}
    assert set(found) == set(allowed)


def test_the_core_uses_neither_pyo3_nor_jni() -> None:
    texts = texts_of("core").values()
    assert not [text for text in texts if re.search(r"\b(?:pyo3|jni)::", text)]
