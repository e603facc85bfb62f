"""The search for the native engine warns once if the engine is unusable, and never if it fits or is not installed."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path
from types import ModuleType

import pytest

from messagegen.runtime import PLAN_FORMAT, native


def install(monkeypatch: pytest.MonkeyPatch, plan_format: int, engine_format: int) -> None:
    module = ModuleType("messagegen_native")
    vars(module).update(PLAN_FORMAT=plan_format, ENGINE_FORMAT=engine_format, Engine=object)
    monkeypatch.setitem(sys.modules, "messagegen_native", module)


@pytest.mark.parametrize(
    ("formats", "advice"),
    [
        ((PLAN_FORMAT - 1, native.ENGINE_FORMAT), "upgrade messagegen-native"),
        ((PLAN_FORMAT, native.ENGINE_FORMAT - 1), "upgrade messagegen-native"),
        ((PLAN_FORMAT + 1, native.ENGINE_FORMAT), "generate the messages again"),
        ((PLAN_FORMAT, native.ENGINE_FORMAT + 1), "generate the messages again"),
    ],
)
def test_an_engine_of_another_format_causes_a_warning(
    formats: tuple[int, int], advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, *formats)
    with pytest.warns(RuntimeWarning, match=f"messagegen.runtime: messagegen-native has plan format .*; {advice}"):
        engine, reason = native.find()
    assert engine is None
    assert f"needs {PLAN_FORMAT} and {native.ENGINE_FORMAT}; {advice}" in reason


def test_a_missing_engine_causes_no_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "messagegen_native", None)
    with warnings.catch_warnings(action="error"):
        assert native.find() == (None, "messagegen-native is not installed")
        monkeypatch.setenv("MESSAGEGEN_PURE", "1")
        assert native.find() == (None, "MESSAGEGEN_PURE is set")


def test_a_package_warns_once_for_all_its_messages(tmp_path: Path) -> None:
    (tmp_path / "messagegen_native.py").write_text("PLAN_FORMAT = 1\nENGINE_FORMAT = 1\n")
    code = "from messagegen_kafka import ApiVersionsRequest, MetadataRequest; ApiVersionsRequest().encode(version=0)"
    path = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", code],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.count("RuntimeWarning: messagegen_kafka._runtime: messagegen-native has plan format 1") == 1
