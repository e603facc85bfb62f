"""The output ``strategies``: every drawn message can be encoded and decoded, and type checkers accept the module."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from messagegen.cli import run
from messagegen.findings import UsageError
from tests.support.specs import OWN, PURPOSE_MADE, Subject, build, field, made, package, subjects
from tests.support.strategies import strategies_of

SUBJECTS = subjects(PURPOSE_MADE, OWN)

FINDING = settings(max_examples=20_000, database=None, phases=[Phase.generate])
"""Settings for ``find``: any example suffices, so it is not shrunk. About one in 1000 messages has a given edge."""


def module_of(cls: type[Any]) -> Any:
    return strategies_of(cls.__module__.rpartition(".")[0])


@pytest.mark.slow
@settings(max_examples=150)
@given(st.data())
def test_drawn_messages_can_be_encoded_and_decoded(data: st.DataObject) -> None:
    subject: Subject = data.draw(st.sampled_from(SUBJECTS))
    cls, version = subject.cls, subject.version
    message = data.draw(module_of(cls).messages(cls, version=version))
    assert type(message) is cls
    assert cls.decode(message.encode(version=version), version=version) == message


@pytest.mark.slow
def test_edge_cases_are_drawn() -> None:
    cls = made(
        field("Number", "int64"),
        field("Text", "string", nullableVersions="0+"),
        field("Tag", "int32", taggedVersions="0+", tag=0),
        flexibleVersions="0+",
    )
    drawn = module_of(cls).messages(cls, version=0)
    conditions: tuple[Callable[[Any], Any], ...] = (
        lambda one: one.number == -(2**63),
        lambda one: one.number == 128,
        lambda one: one.text is None,
        lambda one: one.text and len(one.text.encode()) > 127,
        lambda one: one.tag != 0,
        lambda one: one.unknown_tagged_fields,
    )
    for wanted in conditions:
        assert wanted(find(drawn, wanted, settings=FINDING))


@pytest.mark.slow
def test_equivalent_types_are_drawn_on_request() -> None:
    cls = made(
        field("Number", "int64"),
        field("Rate", "float64"),
        field("Data", "bytes"),
        field("Numbers", "[]int32"),
        field("Late", "[]int32", "1+"),
        validVersions="0-1",
    )
    drawn = module_of(cls).messages(cls, version=0, stand_ins=True)
    conditions: tuple[Callable[[Any], Any], ...] = (
        lambda one: not isinstance(one.number, int),
        lambda one: not isinstance(one.rate, float),
        lambda one: isinstance(one.data, bytearray),
        lambda one: isinstance(one.numbers, list),
        lambda one: isinstance(one.late, list),
    )
    for wanted in conditions:
        found = find(drawn, wanted, settings=FINDING)
        data = found.encode(version=0)
        assert cls.decode(data, version=0).encode(version=0) == data


@pytest.mark.slow
def test_an_unknown_version_is_an_error() -> None:
    cls = package(OWN).ListOffsetsRequest
    with pytest.raises(ValueError, match=r"has (only )?versions? 0"):
        module_of(cls).messages(cls, version=99)


@pytest.mark.slow
def test_strategies_import_the_named_package() -> None:
    files = build(OWN, include=["strategies"], options={"strategies": {"package": "ours.kafka"}}).files
    assert list(files) == ["strategies.py"]
    assert "from ours.kafka._runtime.base import Message" in files["strategies.py"]
    for wrong in (1, "our package", "ours/kafka"):
        with pytest.raises(UsageError, match="package must be the name of a package"):
            build(OWN, include=["strategies"], options={"strategies": {"package": wrong}})


USER = """\
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import SearchStrategy
from readings import ListOffsetsRequest
from readings.strategies import messages, messages_of_any_version

requests: SearchStrategy[ListOffsetsRequest] = messages(ListOffsetsRequest, version=5)
pairs: SearchStrategy[tuple[int, ListOffsetsRequest]] = messages_of_any_version(ListOffsetsRequest)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(requests)
def test_replica(request: ListOffsetsRequest) -> None:
    assert -(2**31) <= request.replica_id < 2**31


test_replica()
"""


@pytest.mark.slow
def test_a_project_can_use_strategies_and_passes_type_checkers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    chosen = ["--message", "ListOffsetsRequest", "--include", "python", "--include", "strategies"]
    assert run(["generate", "--specs", str(OWN), "--output", "readings", *chosen]) == 0
    assert run(["generate", "--specs", str(OWN), "--output", "readings", *chosen, "--check"]) == 0
    Path("user.py").write_text(USER)
    Path("pyrightconfig.json").write_text(
        '{"typeCheckingMode": "strict", "include": ["user.py", "readings/strategies.py"]}'
    )
    for command in (
        ["user.py"],
        ["-m", "mypy", "--strict", "--cache-dir", ".mypy", "user.py", "readings/strategies.py"],
        ["-m", "pyright", "--pythonpath", sys.executable],
    ):
        done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
