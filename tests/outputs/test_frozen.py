"""Tools that freeze applications find a package's modules by its import statements, without running the package."""

from __future__ import annotations

import ast
import subprocess
import sys
from modulefinder import ModuleFinder
from pathlib import Path
from typing import Final

import pytest

from messagegen.outputs import Inputs
from messagegen.outputs.python import PARTS, PYTHON
from messagegen.plan.ops import MessagePlan
from tests.support.specs import OWN, PURPOSE_MADE, field, plan_of, plans

PLAIN: Final = plan_of(field("Sensor", "string"), field("Celsius", "float64"), flexibleVersions="0+")
SECRET: Final = plan_of(field("Password", "string", sensitive=True), flexibleVersions="0+")
PACKAGES: Final[dict[str, tuple[tuple[MessagePlan, ...], dict[str, object]]]] = {
    "smallest": ((PLAIN,), {"parts": []}),
    "plain": ((PLAIN,), {}),
    "secret": ((SECRET,), {}),
    "with_json": ((PLAIN,), {"parts": ["json"]}),
    "purpose_made": (tuple(plans(PURPOSE_MADE).values()), {"parts": list(PARTS)}),
    "own": (tuple(plans(OWN).values()), {}),
}


@pytest.fixture(scope="module", params=PACKAGES)
def package(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a written package."""
    messages, options = PACKAGES[request.param]
    folder = tmp_path_factory.mktemp("frozen") / str(request.param)
    for path, file in PYTHON.files(Inputs(messages), options).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(file.render(), encoding="utf-8")
    return folder


def modules(package: Path) -> set[str]:
    """Return the full names of a package's modules, without subpackages."""
    return {name(file) for file in package.rglob("*.py") if file.name != "__init__.py"}


def name(file: Path) -> str:
    """Return the full name of a module or package that the fixture wrote."""
    root = next(folder.parent for folder in file.parents if folder.name in PACKAGES)
    return ".".join(file.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def named(file: Path) -> set[str]:
    """Return the modules named by a file's import statements, the way Ansible finds a plugin's modules."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            parts = name(file).split(".")
            base = parts if file.name == "__init__.py" else parts[:-1]
            base = base[: len(base) - node.level + 1]
            module = ".".join([*base, *(node.module.split(".") if node.module else [])])
            found |= {module, *(f"{module}.{each.name}" for each in node.names)}
    return found


@pytest.mark.slow
def test_import_statements_name_every_module(package: Path) -> None:
    assert modules(package) - set().union(*map(named, package.rglob("*.py"))) == set()


@pytest.mark.slow
def test_modulefinder_finds_every_module(package: Path) -> None:
    program = package.parent / "program.py"
    program.write_text(f"import {package.name}\n", encoding="utf-8")
    finder = ModuleFinder([str(package.parent)])
    finder.run_script(str(program))
    assert modules(package) - finder.modules.keys() == set()
    missing, _ = finder.any_missing_maybe()
    assert [each for each in missing if each.startswith(f"{package.name}.")] == []


def test_import_statements_name_only_existing_modules(package: Path) -> None:
    index = package / "_runtime" / "__init__.py"
    present = {name(file) for file in package.rglob("*.py")}
    assert {each for each in named(index) if each.count(".") == 2} - present == set()


PROGRAM: Final = """
from own import MetadataRequest, Record, RecordBatch, read_records

request = MetadataRequest(topics=None)
data = request.encode(version=9)
assert MetadataRequest.decode(data, version=9, lazy=True) == request
header, body = MetadataRequest.decode_frame(request.encode_frame(version=9, correlation_id=1))
assert (header.correlation_id, body) == (1, request)
assert MetadataRequest.from_json(request.to_json(version=9), version=9) == request
(batch,) = read_records(RecordBatch.of([Record(value=b"v")]).to_bytes())
print(batch.records[0].value, [field.name for field in MetadataRequest.fields(version=9)][:1])
"""


@pytest.mark.slow
@pytest.mark.parametrize("package", ["own"], indirect=True)
def test_a_program_frozen_by_pyinstaller_uses_every_part(package: Path) -> None:
    folder = package.parent
    (folder / "program.py").write_text(PROGRAM, encoding="utf-8")
    freeze = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR", "--paths", ".", "program.py"]
    subprocess.run(freeze, cwd=folder, check=True)
    done = subprocess.run([folder / "dist/program/program"], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("b'v' ['topics']\n", "")
