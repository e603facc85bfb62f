"""Several outputs share a runtime, which belongs to one output or to an installed package."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from messagegen.cli import run

_CONFIG: Final = """
[[tool.messagegen.outputs]]
specs = ["billing/specs"]
output = "billing/src/billing_messages"
{billing}

[[tool.messagegen.outputs]]
specs = ["shipping/specs"]
output = "shipping/src/shipping_messages"
options.python.runtime = "{runtime}"
"""
_SHARED: Final = "options.python.shared = true"
_PROGRAM: Final = """
from {billing} import DecodeError, Invoice
from shipping_messages import DecodeError as Same, Parcel

parcel = Parcel(parcel_id="x", sizes=(1, 2), secret="s")
assert Parcel.decode(parcel.encode(version=0), version=0) == parcel
assert Invoice.from_json(Invoice(number=7).to_json(version=0), version=0) == Invoice(number=7)
print(repr(parcel), parcel.to_json(version=0, redact=True), DecodeError is Same)
"""
_PRINTED: Final = (
    "Parcel(parcel_id='x', sizes=(1, 2), secret=<redacted>) "
    "{'parcelId': 'x', 'sizes': [1, 2], 'secret': '<redacted>'} True\n"
)


_PUBLISHED: Final = """
[tool.messagegen]
specs = ["specs"]
output = "src/acme_messages"
options.python.shared = true
"""
_DEPENDENT: Final = """
[tool.messagegen]
specs = ["specs"]
output = "src/shipping_messages"
options.python.runtime = "acme_messages._runtime"
"""


@pytest.fixture
def monorepo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a repository with the specs of two services. Only one service needs the runtime for arrays and secrets."""
    fields = {"Invoice": [("Number", "int64")], "Parcel": [("ParcelId", "string"), ("Sizes", "[]int32")]}
    for service, name in (("billing", "Invoice"), ("shipping", "Parcel")):
        rows: list[dict[str, object]] = [
            {"name": field, "type": type_, "versions": "0+"} for field, type_ in fields[name]
        ]
        if name == "Parcel":
            rows.append({"name": "Secret", "type": "string", "versions": "0+", "sensitive": True})
        spec = {"type": "data", "name": name, "validVersions": "0", "flexibleVersions": "0+", "fields": rows}
        (tmp_path / service / "specs").mkdir(parents=True)
        (tmp_path / service / "specs" / f"{name}.json").write_text(json.dumps(spec), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def configure(folder: Path, *, billing: str = _SHARED, runtime: str = "billing/src/billing_messages") -> None:
    (folder / "pyproject.toml").write_text(_CONFIG.format(billing=billing, runtime=runtime), encoding="utf-8")


def executed(folder: Path, billing: str) -> str:
    """Run ``_PROGRAM`` with the packages of both services on the path, and return its output."""
    path = [str(folder / service / "src") for service in ("billing", "shipping")]
    program = f"import sys; sys.path[:0] = {path}\n{_PROGRAM.format(billing=billing)}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout


def test_an_output_can_import_the_runtime_of_another_output(monorepo: Path) -> None:
    configure(monorepo)
    assert run(["generate"]) == 0
    assert run(["generate", "--check"]) == 0
    shipping = monorepo / "shipping/src/shipping_messages"
    assert sorted(path.name for path in shipping.rglob("*.py")) == ["__init__.py", "parcel.py"]

    assert executed(monorepo, "billing_messages") == _PRINTED


@pytest.mark.slow
def test_strategies_import_the_shared_runtime(monorepo: Path) -> None:
    configure(monorepo)
    arguments = ["generate", "--include", "python", "--include", "strategies"]
    assert run([*arguments, "--output", "shipping/src/shipping_messages"]) == 0
    assert run(["generate", "--output", "billing/src/billing_messages"]) == 0

    path = [str(monorepo / service / "src") for service in ("billing", "shipping")]
    program = f"import sys; sys.path[:0] = {path}\nimport shipping_messages.strategies"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_output_can_be_generated_before_the_output_that_contains_its_runtime(monorepo: Path) -> None:
    configure(monorepo)
    assert run(["generate", "--output", "shipping/src/shipping_messages"]) == 0


def test_repositories_share_the_runtime_of_a_published_package(
    monorepo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for repository, text in (("billing", _PUBLISHED), ("shipping", _DEPENDENT)):
        (monorepo / repository / "pyproject.toml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(monorepo / "billing")
    assert run(["generate"]) == 0
    monkeypatch.chdir(monorepo / "shipping")
    assert run(["generate"]) == 2
    assert "no package acme_messages._runtime is installed here" in capsys.readouterr().err

    monkeypatch.syspath_prepend(str(monorepo / "billing/src"))
    assert run(["generate"]) == 0
    assert run(["generate", "--check"]) == 0
    shipping = monorepo / "shipping/src/shipping_messages"
    assert sorted(path.name for path in shipping.rglob("*.py")) == ["__init__.py", "parcel.py"]
    assert executed(monorepo, "acme_messages") == _PRINTED


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"billing": ""}, "has a runtime for its own messages only; write shared = true"),
        ({"billing": 'include = ["fields"]\noptions.python.shared = true'}, 'no runtime; add "python" to its include'),
        ({"runtime": "billing/src/other"}, "runtime must be the folder of another output, or the name of a package"),
        ({"runtime": "no_such_package"}, "no package no_such_package is installed here"),
        ({"runtime": "json"}, "the runtime json lacks "),
        ({"runtime": "shipping/src/shipping_messages"}, "has a runtime for its own messages only"),
    ],
)
def test_a_runtime_that_lacks_modules_is_refused(
    monorepo: Path, capsys: pytest.CaptureFixture[str], settings: dict[str, str], reason: str
) -> None:
    configure(monorepo, **settings)
    assert run(["generate"]) == 2
    assert reason in capsys.readouterr().err
    assert not (monorepo / "shipping/src").exists()


def test_outputs_can_use_the_runtime_of_messagegen(monorepo: Path) -> None:
    configure(monorepo, runtime="messagegen.runtime")
    assert run(["generate"]) == 0
