"""The command ``messagegen self-check``: its output and its findings."""

from __future__ import annotations

import json
import sys
import zipfile
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from packaging.version import Version

from messagegen import __version__, diagnosis
from messagegen.build import BUILD
from messagegen.cli import run

PROFILES = {
    "release": "profile release",
    "dev": "profile dev, for tests: two to three times slower than release",
}


def checked(capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    code = run(["self-check", "--format", "json"])
    captured = capsys.readouterr()
    assert captured.err == ""
    return code, json.loads(captured.out)


def test_the_environment_of_the_tests_has_no_problems(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = checked(capsys)
    assert (code, found["problems"]) == (0, [])
    assert (found["version"], Version(found["distributions"]["messagegen-client"]).public) == (BUILD, __version__)
    assert found["engine"].startswith(("native", "Python: "))
    assert sys.executable in found["python"]
    assert run(["self-check"]) == 0
    assert capsys.readouterr().out.endswith("No problems found.\n")


def test_different_versions_of_distributions_are_a_problem(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(diagnosis, "_version", {"messagegen-client": "0.0.9"}.get)
    code, found = checked(capsys)
    assert code == 1
    assert found["problems"] == [
        f"messagegen-client is version 0.0.9, but messagegen is {__version__}; install both from one release or commit"
    ]


def test_an_installed_engine_that_cannot_be_loaded_is_a_problem(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(diagnosis, "_version", {"messagegen-native": __version__}.get)
    monkeypatch.setattr(diagnosis, "_why_not_native", lambda: "messagegen-native cannot be loaded")
    assert checked(capsys)[1]["problems"] == ["messagegen-native cannot be loaded"]
    monkeypatch.setattr(diagnosis, "_why_not_native", lambda: "MESSAGEGEN_PURE is set")
    assert checked(capsys)[0] == 0


def test_an_engine_that_no_message_uses_is_a_problem(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(diagnosis, "_why_not_native", lambda: "")
    monkeypatch.setenv("MESSAGEGEN_PURE", "1")
    assert checked(capsys)[1]["problems"] == [
        "the native engine does not support a generated message; install messagegen-native again"
    ]


def test_self_check_shows_whether_the_jar_for_spark_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = ModuleSpec("messagegen_spark", None, is_package=True)
    spec.submodule_search_locations = [str(tmp_path)]
    monkeypatch.setattr(diagnosis, "find_spec", {"messagegen_spark": spec}.get)
    code, found = checked(capsys)
    assert (code, found["jar"]) == (0, "none: messagegen-pipeline was not installed from a wheel of `make spark-wheel`")
    (tmp_path / "jvm").mkdir()
    jar = tmp_path / "jvm" / "kafka-log.jar"
    jar.touch()
    assert checked(capsys)[1]["jar"] == f"{jar} (cannot be read: File is not a zip file)"
    for profile, text in (*PROFILES.items(), (None, "profile unknown")):
        with zipfile.ZipFile(jar, "w") as archive:
            if profile is not None:
                archive.writestr("messagegen/spark/profile.txt", profile)
        assert checked(capsys)[1]["jar"] == f"{jar} ({text})"
    monkeypatch.setattr(diagnosis, "find_spec", {}.get)
    assert checked(capsys)[1]["jar"] == "none: messagegen-pipeline is not installed"


@pytest.mark.parametrize("profile", PROFILES)
def test_self_check_shows_the_profile_of_the_engine(
    profile: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = pytest.importorskip("messagegen_native", reason="the native engine is not installed")
    monkeypatch.setattr(diagnosis, "_why_not_native", lambda: "")
    monkeypatch.setattr(engine, "PROFILE", profile)
    assert checked(capsys)[1]["engine"] == f"native ({PROFILES[profile]})"


@pytest.mark.parametrize("broken", ["raises", "other bytes"])
def test_a_broken_generator_is_a_problem(
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
