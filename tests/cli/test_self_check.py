"""``messagegen self-check``: what it prints, and what it finds."""

from __future__ import annotations

import json
import sys
from importlib.metadata import Distribution
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from messagegen import __version__, diagnosis
from messagegen.build import BUILD
from messagegen.cli import run


class Installed(Distribution):
    """A distribution as ``importlib.metadata`` gives it, of text."""

    def __init__(self, name: str, version: str) -> None:
        self._text = f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\n"

    def read_text(self, filename: str) -> str | None:
        return self._text if filename == "METADATA" else None

    def locate_file(self, path: Any) -> Any:
        raise NotImplementedError


def checked(capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    code = run(["self-check", "--format", "json"])
    captured = capsys.readouterr()
    assert captured.err == ""
    return code, json.loads(captured.out)


def install(monkeypatch: pytest.MonkeyPatch, *distributions: Installed) -> None:
    monkeypatch.setattr(diagnosis, "_distribution", {one.name: one for one in distributions}.get)


def test_this_environment_is_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = checked(capsys)
    assert (code, found["problems"]) == (0, [])
    assert (found["version"], found["distributions"]["messagegen-client"]) == (BUILD, __version__)
    assert found["engine"]["name"] == ("python" if found["engine"]["why_not_native"] else "native")
    assert (found["engine"]["plan_format"], found["engine"]["engine_format"]) == (2, 3)
    assert sys.executable in found["python"]


def test_versions_that_differ_are_a_problem(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(monkeypatch, Installed("messagegen", __version__), Installed("messagegen-client", "0.0.9"))
    code, found = checked(capsys)
    assert code == 1
    assert found["problems"] == [
        f"messagegen-client is version 0.0.9, but messagegen is {__version__}; install both from one release or commit"
    ]


def test_an_engine_that_is_installed_but_not_used_is_a_problem(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(monkeypatch, Installed("messagegen-native", __version__))
    found = diagnosis.Engine("python", "messagegen-native cannot be loaded", 2, 3)
    monkeypatch.setattr(diagnosis, "_engine", lambda: found)
    assert checked(capsys)[1]["problems"] == ["messagegen-native cannot be loaded"]
    asked_for = diagnosis.Engine("python", "MESSAGEGEN_PURE is set", 2, 3)
    monkeypatch.setattr(diagnosis, "_engine", lambda: asked_for)
    assert checked(capsys)[0] == 0


@pytest.mark.parametrize("broken", ["raises", "other bytes"])
def test_a_generator_that_does_not_work_is_a_problem(
    broken: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def load(_: Path) -> ModuleType:
        raise RuntimeError("no templates")

    if broken == "raises":
        monkeypatch.setattr(diagnosis, "load", load)
    else:
        monkeypatch.setattr(diagnosis, "_BYTES", b"\x03\x03to\x03or\x00")
    code, found = checked(capsys)
    assert code == 1
    (problem,) = found["problems"]
    assert problem.endswith("install messagegen again")
