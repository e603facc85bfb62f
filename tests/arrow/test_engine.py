"""How the pipeline finds the native engine."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from messagegen_arrow.engine import EngineError, native_engine
from messagegen_kafka._runtime import PLAN_FORMAT


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (None, "is not installed"),
        ({"PLAN_FORMAT": 99, "record_groups": None}, "has another version than messagegen-pipeline"),
        ({"PLAN_FORMAT": PLAN_FORMAT}, "has another version than messagegen-pipeline"),
    ],
)
def test_one_sentence_says_what_to_install(
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
        f"messagegen-native {reason}: install the package messagegen-native, in the version of messagegen-pipeline"
    )
