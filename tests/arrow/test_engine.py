"""How the pipeline finds the native engine."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from messagegen_arrow import engine
from messagegen_kafka._runtime import PLAN_FORMAT


@pytest.mark.parametrize("plan_format", [1, 99])
def test_an_engine_that_does_not_fit_gives_a_warning(plan_format: int, monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("messagegen_native")
    vars(module)["PLAN_FORMAT"] = plan_format
    monkeypatch.setitem(sys.modules, "messagegen_native", module)
    monkeypatch.delenv("MESSAGEGEN_PURE", raising=False)
    with pytest.warns(RuntimeWarning, match=f"messagegen-native has plan format {plan_format}, and format 2 is needed"):
        assert engine.native_engine.__wrapped__() is None


def test_an_engine_that_is_too_old_gives_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("messagegen_native")
    vars(module)["PLAN_FORMAT"] = PLAN_FORMAT
    monkeypatch.setitem(sys.modules, "messagegen_native", module)
    monkeypatch.delenv("MESSAGEGEN_PURE", raising=False)
    with pytest.warns(RuntimeWarning, match="messagegen-native is too old: it has no record_groups"):
        assert engine.native_engine.__wrapped__() is None
