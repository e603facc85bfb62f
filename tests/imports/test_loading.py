"""The modules that an import of a package loads, and the packages that it requires."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

import pytest

from tests.imports.rooms import ARROW
from tests.support.imports import loaded_by

# A program that imports every module while PySpark and the generator cannot be imported.
ARROW_ALONE = """
import importlib, pkgutil, sys
sys.modules["pyspark"] = sys.modules["py4j"] = sys.modules["messagegen"] = None
import messagegen_arrow
for module in pkgutil.walk_packages(messagegen_arrow.__path__, "messagegen_arrow."):
    importlib.import_module(module.name)
assert "messagegen_spark" not in sys.modules
try:
    messagegen_arrow.Catalog.of_specs("specs")
except ImportError as error:
    assert "--find-links PATH/dist messagegen`" in str(error)
else:
    raise AssertionError("it needs the generator")
"""


@pytest.mark.slow
def test_arrow_can_be_imported_without_spark_or_the_generator() -> None:
    done = subprocess.run([sys.executable, "-c", ARROW_ALONE], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_pipeline_does_not_require_the_generator() -> None:
    project = tomllib.loads((ARROW.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.split(r"[^a-z0-9-]", each.lower())[0] for each in project["dependencies"]}
    assert not {"messagegen", "black", "jinja2", "tree-sitter"} & needed


def test_importing_generated_code_loads_few_modules() -> None:
    package = loaded_by("import messagegen_kafka")
    assert not {name for name in package if name.startswith("messagegen_kafka.")}
    message = loaded_by("from messagegen_kafka import ListOffsetsRequest")
    assert not {"messagegen", "dataclasses", "typing", "json", "inspect", "uuid"} & (
        message - loaded_by("import struct")
    )
    assert {name for name in message if name.startswith("messagegen_kafka.") and "_runtime" not in name} == {
        "messagegen_kafka.list_offsets_request"
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("package", "parts"),
    [
        ("messagegen", {"click", "black", "jinja2"}),
        ("messagegen_client", {"yaml", "click", "javaproperties"}),
        ("messagegen_testing", {"pytest", "messagegen_kafka"}),
        ("messagegen_testing.plugin", {"messagegen_kafka"}),
        ("messagegen_arrow", {"pyspark", "pyarrow", "numpy", "pandas", "matplotlib"}),
        ("messagegen_spark", {"pyspark", "pyarrow", "numpy", "pandas", "matplotlib"}),
    ],
)
def test_importing_a_package_does_not_load_heavy_packages(package: str, parts: set[str]) -> None:
    loaded = loaded_by(f"import {package}")
    assert not parts & loaded
    assert package != "messagegen" or not [name for name in loaded if name.startswith("messagegen.")]
