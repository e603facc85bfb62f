"""The pipeline's search for the native engine."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from messagegen_arrow.engine import EngineError, native_engine
from messagegen_kafka._runtime import PLAN_FORMAT

PACKAGES = [Path("pipeline/messagegen_arrow"), Path("pipeline/messagegen_spark"), Path("client/messagegen_client")]
ADVICE = re.compile(r"install\b[^.]*\bmessagegen(-\w+)?\b")


def test_only_one_module_contains_advice_to_install_our_packages() -> None:
    root = Path(__file__).parents[2]
    for path in (path for package in PACKAGES for path in (root / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and path.name != "wheels.py":
                assert not ADVICE.search(node.value), f"{path}: how_to_install says how: {node.value}"


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (None, "is not installed"),
        ({"PLAN_FORMAT": 99, "record_groups": None}, "has a different version from messagegen-pipeline"),
        ({"PLAN_FORMAT": PLAN_FORMAT}, "has a different version from messagegen-pipeline"),
    ],
)
def test_the_engine_error_names_the_package_to_install(
    found: dict[str, object] | None, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = None
    if found is not None:
        module = ModuleType("messagegen_native")
        vars(module).update(found)
    monkeypatch.setitem(sys.modules, "messagegen_native", module)
    with pytest.raises(EngineError) as error:
        native_engine.__wrapped__()
    assert str(error.value) == (
        f"messagegen-native {reason}: install its wheel with "
        "`pip install --no-index --find-links PATH/dist messagegen-native`, "
        "where PATH is a clone of messagegen in which `make engine-wheel` was run "
        "(the packages with these names on PyPI are not messagegen's)"
    )
