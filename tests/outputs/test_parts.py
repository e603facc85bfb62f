"""Packages with each combination of parts can be imported, type-checked and inspected."""

from __future__ import annotations

import ast
import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar, Final, get_origin, get_type_hints

import pytest

from messagegen.config import Settings
from messagegen.generation.package import build_package
from messagegen.outputs.python import PARTS
from tests.support.specs import PURPOSE_MADE

COMBINATIONS: Final = [parts for size in (0, 1, 2, len(PARTS)) for parts in combinations(sorted(PARTS), size)]
SPECS: Final = {
    "number": '"fields": [{"name": "A", "type": "int32", "versions": "0+"}]',
    "text": '"fields": [{"name": "A", "type": "string", "versions": "0+"}]',
    "varint": '"fields": [{"name": "A", "type": "varint32", "versions": "0+"}]',
    "uuid": '"fields": [{"name": "A", "type": "uuid", "versions": "0+"}]',
    "secret": '"fields": [{"name": "A", "type": "string", "versions": "0+", "sensitive": true}]',
    "list": '"fields": [{"name": "A", "type": "[]int8", "versions": "0+"}]',
    "batches": '"fields": [{"name": "A", "type": "records", "versions": "0+"}]',
}


def write_packages(folder: Path, parts: tuple[str, ...]) -> Iterator[str]:
    """Write a package with ``parts`` for each kind of message, and yield the package's name.

    For no parts and for all parts, also write a package with all features.
    """
    suffix = "_".join(parts) or "plain"
    for name, fields in SPECS.items():
        source = folder / "specs" / name / f"Made{name}.json"
        source.parent.mkdir(parents=True, exist_ok=True)
        spec = f'"type": "data", "name": "Made{name}", "validVersions": "0", "flexibleVersions": "none", {fields}'
        source.write_text(f"{{{spec}}}", encoding="utf-8")
        yield write_package(folder, f"{name}_{suffix}", source.parent, parts)
    if len(parts) in (0, len(PARTS)):
        yield write_package(folder, f"all_{suffix}", PURPOSE_MADE, parts)


def write_package(folder: Path, name: str, specs: Path, parts: tuple[str, ...]) -> str:
    settings = Settings((specs,), options={"python": {"parts": list(parts)}})
    for path, text in build_package(settings).files.items():
        target = folder / "out" / name / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return name


def is_pair(parts: tuple[str, ...]) -> bool:
    """Whether a combination has exactly two parts."""
    return len(parts) == 2


@pytest.fixture(
    scope="module",
    params=[
        *[parts for parts in COMBINATIONS if not is_pair(parts)],
        *[pytest.param(parts, marks=pytest.mark.slow) for parts in COMBINATIONS if is_pair(parts)],
    ],
    ids=lambda parts: "+".join(parts) or "none",
)
def packages(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, list[str]]]:
    """The folder of packages with one combination of parts, and the packages' names."""
    folder = tmp_path_factory.mktemp("parts")
    names = list(write_packages(folder, request.param))
    sys.path.insert(0, str(folder / "out"))
    yield folder / "out", names
    sys.path.remove(str(folder / "out"))


def relative_statements(file: Path) -> Iterator[tuple[Path, list[str]]]:
    """Yield the relative imports of a module, including those for type checkers.

    Each is the path without a suffix from which names are imported, and the names.
    """
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            source = file.parents[node.level - 1] / (node.module or "").replace(".", "/")
            yield source, [alias.name for alias in node.names]


def relative_imports(file: Path) -> Iterator[Path]:
    """Yield the modules that a module imports by relative names, as paths without a suffix."""
    for source, names in relative_statements(file):
        if source in file.parents:
            yield from (source / name for name in names if (source / name).suffix or name.islower())
        else:
            yield source


@pytest.mark.slow
def test_every_relative_import_leads_to_a_module(packages: tuple[Path, list[str]]) -> None:
    out, names = packages
    missing = [
        f"{file.relative_to(out)}: {target.relative_to(out)}"
        for name in names
        for file in (out / name).rglob("*.py")
        for target in relative_imports(file)
        if not target.with_suffix(".py").exists() and not (target / "__init__.py").exists() and is_module(target)
    ]
    assert missing == []


def is_module(target: Path) -> bool:
    """Whether an import is of a module, not of a name in ``__init__``."""
    init = target.parent / "__init__.py"
    return not init.exists() or target.name not in init.read_text(encoding="utf-8")


@pytest.mark.slow
def test_every_class_can_be_inspected(packages: tuple[Path, list[str]]) -> None:
    for name in packages[1]:
        package = importlib.import_module(name)
        classes = [getattr(package, each) for each in package.__all__]
        for cls in [each for each in classes if isinstance(each, type)]:
            hints: dict[str, Any] = get_type_hints(cls)
            if "VALID_VERSIONS" in hints:
                assert get_origin(hints["VALID_VERSIONS"]) is ClassVar
                assert hints["VALID_VERSIONS"] == ClassVar[range]
            assert set(getattr(cls, "__dataclass_fields__", ())) <= set(hints)


def different_modules(out: Path) -> list[Path]:
    """Return the modules of all packages in a folder, but only one of modules that are the same and import the same.

    Most packages share most modules of the runtime, and type checkers take seconds for each package.
    """
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(out.rglob("*.py"))}
    imported = {path: set(imported_modules(path)) & texts.keys() for path in texts}
    found: dict[object, Path] = {}
    for path in texts:
        reached, left = {path}, [path]
        while left:
            new = imported[left.pop()] - reached
            reached |= new
            left += new
        package = out / path.relative_to(out).parts[0]
        key = path.relative_to(package), frozenset((each.relative_to(package), texts[each]) for each in reached)
        found.setdefault(key, path)
    return list(found.values())


def imported_modules(file: Path) -> Iterator[Path]:
    """Yield the files that the relative imports of a module may mean."""
    for source, names in relative_statements(file):
        for target in (source, *(source / name for name in names)):
            yield from (target.with_suffix(".py"), target / "__init__.py")


def test_modules_are_different_if_a_module_that_they_import_differs(tmp_path: Path) -> None:
    for name, text in (("one", "A = 1"), ("same", "A = 1"), ("other", "A = ''")):
        (tmp_path / name / "inner").mkdir(parents=True)
        for path, code in {
            "__init__.py": text,
            "user.py": "from . import A",
            "inner/__init__.py": "",
            "inner/far.py": "if TYPE_CHECKING:\n    from ..user import A",
            "inner/alone.py": "from . import nothing",
        }.items():
            (tmp_path / name / path).write_text(code, encoding="utf-8")
    found = [path.relative_to(tmp_path).as_posix() for path in different_modules(tmp_path)]
    of_one = ["one/__init__.py", "one/inner/__init__.py", "one/inner/alone.py", "one/inner/far.py", "one/user.py"]
    assert found == [*of_one, "other/__init__.py", "other/inner/far.py", "other/user.py"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "checker",
    [["mypy", "--strict", "--python-version=3.11"], ["pyright", "--pythonversion=3.11"]],
    ids=lambda one: one[0],
)
def test_type_checkers_accept_every_combination_of_parts(tmp_path: Path, checker: list[str]) -> None:
    for parts in COMBINATIONS:
        name = "_".join(parts) or "plain"
        for kind in ("number", "batches"):
            fields = SPECS[kind]
            source = tmp_path / "specs" / kind / "Made.json"
            source.parent.mkdir(parents=True, exist_ok=True)
            spec = f'"type": "data", "name": "Made", "validVersions": "0", "flexibleVersions": "none", {fields}'
            source.write_text(f"{{{spec}}}", encoding="utf-8")
            write_package(tmp_path, f"{kind}_{name}", source.parent, parts)
    environment = {**os.environ, "PYRIGHT_PYTHON_GLOBAL_NODE": "off", "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    modules = [str(path) for path in different_modules(tmp_path / "out")]
    command = [sys.executable, "-m", *checker, *modules]
    done = subprocess.run(command, cwd=tmp_path / "out", capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
