"""What the benchmarks make of lazy decoding: everybody must read and write the same, and all of it, before it is timed."""

from __future__ import annotations

import io
from dataclasses import fields, is_dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import messagegen_kafka
from benchmarks.compare import changes
from benchmarks.contestants import Calls, Forwarded, lazy_calls
from benchmarks.goals import goals
from benchmarks.processes import AIOKAFKA, ALL_OPERATIONS, JAVA, KAFKA_PYTHON, KIO, NATIVE, PURE, Operation
from benchmarks.readings import FORWARDINGS, READINGS, Walk, walk_of
from benchmarks.report import show
from benchmarks.results import LAZILY, Results, Timing
from benchmarks.worker import Service, proxy_files
from benchmarks.workloads import MESSAGES, WORKLOADS, Workload

OWN = [workload for workload in WORKLOADS if hasattr(messagegen_kafka, workload.message)]
own_workloads = pytest.mark.parametrize("workload", OWN, ids=lambda workload: workload.name)


def decoded(workload: Workload) -> tuple[Any, Any, bytes]:
    cls = getattr(messagegen_kafka, workload.message)
    data = cls.from_json(workload.make(), version=workload.version).encode(version=workload.version)
    return cls, cls.decode(data, version=workload.version), data


def structs_of(value: object) -> list[Any]:
    """All structs of a message."""
    if isinstance(value, tuple):
        return [struct for each in value for struct in structs_of(each)]
    if not is_dataclass(value):
        return []
    return [value, *(struct for field in fields(value) for struct in structs_of(getattr(value, field.name)))]


def timing(operation: Operation, contestant: str, best: float) -> Timing:
    return Timing("W3req", operation, contestant, best, 2 * best)


FOUND = Results(
    rounds=3,
    timings=(
        timing("decode", PURE, 240),
        timing("floor", PURE, 150),
        timing("decode", NATIVE, 60),
        timing("decode", KIO, 120),
        timing("decode", KAFKA_PYTHON, 300),
        timing("decode", JAVA, 30),
        timing("read", NATIVE, 10),
        timing("read-deep", NATIVE, 12),
        timing("proxy", NATIVE, 20),
        timing("proxy", KIO, 500),
        timing("proxy", AIOKAFKA, 280),
        timing("proxy", KAFKA_PYTHON, 400),
        timing("proxy", JAVA, 25),
        timing("touch", NATIVE, 80),
        timing("touch-lazy", NATIVE, 120),
    ),
    memory={LAZILY: 50_000},
)


def test_all_messages_are_read_and_those_with_topics_forwarded() -> None:
    assert tuple(sorted(READINGS)) == MESSAGES
    with_topics = [workload.name for workload in WORKLOADS if workload.message in FORWARDINGS]
    assert with_topics == ["W1v1", "W1v9", "W1v12", "W2", "W3req", "W3resp", "W4prod", "W5oc"]


@own_workloads
def test_fields_that_are_read_are_those_of_the_message(workload: Workload) -> None:
    cls, message, data = decoded(workload)
    calls = lazy_calls(cls, workload.message, workload.version, data)
    reading = READINGS[workload.message]
    assert calls["read"]() == attrgetter(*reading.fields)(message)
    deep = calls["read-deep"]()
    assert isinstance(deep, list)
    assert deep[0] == getattr(message, reading.fields[0])
    assert len(deep) == 1 + len(reading.deep)
    assert calls["lazy"]() == message


@own_workloads
def test_a_walk_reads_every_attribute_of_every_struct(workload: Workload) -> None:
    cls, message, data = decoded(workload)
    walk = walk_of([message])
    lazy = cls.decode(data, version=workload.version, lazy=True)
    walk.touch((lazy,))
    structs = structs_of(message)
    # Only an object of which all was read has its class as its type.
    assert [type(struct) for struct in structs_of(lazy)] == [type(struct) for struct in structs]
    assert type(lazy) is cls

    visited: list[object] = []

    def spy(each: Walk) -> Walk:
        def attributes(struct: object) -> tuple[Any, ...]:
            visited.append(struct)
            return each.attributes(struct)

        return Walk(attributes, tuple((place, spy(inner)) for place, inner in each.nested))

    spy(walk).touch((message,))
    assert len(visited) == len(structs)
    assert {id(struct) for struct in visited} == {id(struct) for struct in structs}


@pytest.mark.parametrize(
    "workload", [each for each in OWN if each.message in FORWARDINGS], ids=lambda workload: workload.name
)
def test_a_proxy_changes_one_field(workload: Workload) -> None:
    cls, message, data = decoded(workload)
    forwarding = FORWARDINGS[workload.message]
    assert getattr(message, forwarding.changed) != forwarding.value
    lazy = cls.decode(data, version=workload.version, lazy=True)
    names = [getattr(topic, forwarding.name) for topic in getattr(message, forwarding.topics)]
    assert forwarding.names(lazy) == names
    assert all(name.startswith("topic-") for name in names)
    again = cls.decode(
        lazy.__replace__(**forwarding.changes).encode(version=workload.version), version=workload.version
    )
    setattr(message, forwarding.changed, forwarding.value)
    assert again == message


@pytest.mark.parametrize(
    ("forwarded", "problem"),
    [
        ((["a", "b"], b"changed"), None),
        ((["a", "b"], b"body"), "bytes of the proxy differ"),
        ((["a"], b"changed"), "names that the proxy read differ"),
    ],
)
def test_a_proxy_must_read_and_write_what_it_should(tmp_path: Path, forwarded: Forwarded, problem: str | None) -> None:
    body = tmp_path / "W1.bin"
    body.write_bytes(b"body")
    names, data = proxy_files(body)
    names.write_text("a\nb\n", encoding="utf-8")
    data.write_bytes(b"changed")
    others = {"read": lambda: None}
    service = Service(lambda *_: Calls(lambda: b"body", lambda: None, lambda: forwarded, others))
    line = f"open W1 Message 3 {body}"
    if problem is None:
        assert service.answer(line) == "ok encode decode proxy read"
        assert int(service.answer("time W1 proxy 2")) > 0
    else:
        with pytest.raises(ValueError, match=problem):
            service.answer(line)


def test_goals_of_lazy_decoding() -> None:
    found = {goal.text: (goal.measured, goal.verdict) for goal in goals(FOUND)}
    read = f"{NATIVE}: lazy decode, three fields read, at least 10 times the best Python peer's decode"
    assert found[read] == ("12.00 times as fast (at least 12.00, W3req)", "met")
    proxy = f"{NATIVE}: proxy at least 15 times the best Python peer"
    assert found[proxy] == ("14.00 times as fast (at least 14.00, W3req)", "not met")
    assert found[f"{NATIVE}: proxy faster than warm Java"] == ("1.25 times as fast (at least 1.25, W3req)", "met")
    touched = f"{NATIVE}: lazy decode, then everything touched, at most 1.3 times the eager time"
    assert found[touched] == ("1.50 times as long (at most 1.50, W3req)", "not met")
    floor = f"{PURE}: decode of W3req within 1.5 times of the floor (benchmarks floor)"
    assert found[floor] == ("1.60 times", "not met")


@pytest.mark.parametrize(("kept", "verdict"), [(45_612, "met"), (45_613, "not met")])
def test_an_untouched_message_may_keep_a_tenth_of_its_bytes(kept: int, verdict: str) -> None:
    found = {goal.text: goal for goal in goals(Results(memory={LAZILY: kept}))}
    goal = found[f"{NATIVE}: memory of a lazily decoded W2, untouched, at most its bytes and 10 %"]
    assert (goal.measured, goal.verdict) == (f"456,128 + {kept:,} bytes", verdict)


def test_the_report_shows_what_lazy_decoding_costs() -> None:
    lines = io.StringIO()
    show(FOUND, Console(file=lines, width=200))
    _, _, after = lines.getvalue().partition("lazy decode, fields read")
    row = next(line for line in after.splitlines() if " W3req " in line)
    assert row.split() == ["W3req", "120.0", "60.00", "10.00", "12.00", "12.00", "10.00", "3.00"]
    _, _, after = after.partition("proxy, microseconds: best (median) of 3 rounds")
    assert "280.0 (560.0)" in after
    _, _, after = after.partition("decode, then everything touched")
    row = next(line for line in after.splitlines() if " W3req " in line)
    assert row.split() == ["W3req", "80.00", "120.0", "1.50"]


def test_what_kafka_python_does_not_do_is_compared_with_its_decoding() -> None:
    found = {(change.contestant, change.operation): change.before for change in changes(FOUND, FOUND)}
    assert found[NATIVE, "read"] == 30
    assert found[NATIVE, "proxy"] == 20
    assert {operation for _, operation in found} == {*ALL_OPERATIONS} - {"encode"}
