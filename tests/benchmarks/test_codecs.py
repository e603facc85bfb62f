"""The benchmarks' own parts: what they compute must be right before what they measure can mean anything."""

from __future__ import annotations

import gc
import io
import re
from pathlib import Path

import pytest
from rich.console import Console

import messagegen_kafka
from benchmarks.columns import ALL_FIELDS, FOUR_THREADS, TWO_PROCESSES
from benchmarks.compare import Change, changes
from benchmarks.contestants import Calls, UnsupportedError
from benchmarks.goals import best_peer, goals
from benchmarks.growth import exponent
from benchmarks.kip625 import sizes
from benchmarks.processes import JAVA, KAFKA_PYTHON, KIO, NATIVE, PURE, Operation
from benchmarks.report import show
from benchmarks.results import (
    Generation,
    GrowthPoint,
    Results,
    ResultsError,
    Timing,
    geometric_mean,
    ratios,
    read,
    save,
)
from benchmarks.worker import Service, kept_bytes, warm
from benchmarks.workloads import WORKLOADS, Workload, metadata

OWN = [workload for workload in WORKLOADS if hasattr(messagegen_kafka, workload.message)]


def timings(contestant: str, encode: float, decode: float) -> list[Timing]:
    bests: dict[Operation, float] = {"encode": encode, "decode": decode}
    return [
        Timing(workload, operation, contestant, best, 2 * best)
        for workload in ("W1v1", "W2")
        for operation, best in bests.items()
    ]


@pytest.mark.parametrize("workload", OWN, ids=lambda workload: workload.name)
def test_workloads_have_their_size(workload: Workload) -> None:
    cls = getattr(messagegen_kafka, workload.message)
    message = cls.from_json(workload.make(), version=workload.version)
    assert message.size(version=workload.version) == workload.size


def test_workloads_of_own_messages_were_found() -> None:
    assert {workload.name for workload in OWN} >= {"W1v1", "W1v9", "W1v12", "W2", "W4api", "W5quota"}


def test_metadata_grows_with_its_arguments() -> None:
    small, large = metadata(1, 10, 2), metadata(3, 20, 2)
    assert [len(topic["partitions"]) for topic in small["topics"]] == [10]
    assert [len(topic["partitions"]) for topic in large["topics"]] == [20, 20, 20]


def test_kip625_sizes() -> None:
    found = {(size.family, size.case): (size.body, size.partition) for size in sizes()}
    assert found["fixed", "best"] == found["fixed", "worst"]
    # 100 partitions: error code, index, leader, epoch, two arrays of two brokers, an empty one, and no tags.
    assert found["upacked", "best"][1] == 1 + 1 + 1 + 1 + 3 + 3 + 1 + 1
    # Zig-zag takes a second byte for the indexes 64 to 99.
    assert found["packed", "best"][1] == 12 + 36 / 100
    assert found["packed", "worst"][1] == found["upacked", "worst"][1] == found["fixed", "worst"][1] + 8


def test_service_opens_times_and_weighs(tmp_path: Path) -> None:
    body = tmp_path / "a body.bin"
    body.write_bytes(b"body")
    service = Service(lambda message, version, data: Calls(lambda: data, lambda: [message, version]))
    assert service.answer(f"open W1 Message 3 {body}") == "ok encode decode"
    assert int(service.answer("time W1 encode 10")) > 0
    assert int(service.answer("collected W1 encode 10")) > 0
    calls, nanoseconds = map(int, service.answer("warm W1 decode 1").split())
    assert calls >= 1
    assert nanoseconds > 0
    assert int(service.answer("memory W1 decode")) > 0


def test_the_collector_is_on_only_where_that_is_asked_for(tmp_path: Path) -> None:
    body = tmp_path / "body"
    body.write_bytes(b"body")
    seen: set[bool] = set()
    service = Service(lambda *_: Calls(lambda: b"body", lambda: seen.add(gc.isenabled())))
    service.answer(f"open W1 Message 3 {body}")
    gc.disable()
    try:
        service.answer("time W1 decode 2")
        assert seen == {False}
        service.answer("collected W1 decode 2")
        assert seen == {False, True}
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_service_says_why_not(tmp_path: Path) -> None:
    def refuse(message: str, version: int, data: bytes) -> Calls:
        raise UnsupportedError(f"has no {message} {version} of {len(data)} bytes")

    body = tmp_path / "body"
    body.write_bytes(b"body")
    assert Service(refuse).answer(f"open W1 Message 3 {body}") == "no has no Message 3 of 4 bytes"


def test_service_refuses_other_bytes(tmp_path: Path) -> None:
    body = tmp_path / "body"
    body.write_bytes(b"body")
    service = Service(lambda *_: Calls(lambda: b"other", lambda: None))
    with pytest.raises(ValueError, match="the encoded bytes differ"):
        service.answer(f"open W1 Message 3 {body}")


@pytest.mark.parametrize("line", ["stop W1", "open W1", "time W1 encode"])
def test_service_refuses_what_is_no_command(line: str) -> None:
    with pytest.raises(ValueError, match="not a command"):
        Service(lambda *_: Calls(lambda: b"", lambda: None)).answer(line)


def test_warm_gives_the_last_batch() -> None:
    count = 0

    def call() -> None:
        nonlocal count
        count += 1

    calls, _ = warm(call, 2)
    assert count >= calls > 1


def test_kept_bytes_counts_what_is_returned_and_no_more() -> None:
    size = 1_000_000

    def decode() -> bytes:
        bytearray(3 * size)
        return bytes(size)

    assert size <= kept_bytes(decode) < 1.1 * size


def test_ratios_and_means() -> None:
    assert ratios({"a": 10.0, "b": 8.0, "c": 1.0}, {"a": 5.0, "b": 1.0}) == {"a": 2.0, "b": 8.0}
    assert geometric_mean([2, 8]) == pytest.approx(4)
    with pytest.raises(ValueError, match="no mean"):
        geometric_mean([])


def test_exponent() -> None:
    assert exponent([(10, 5.0), (100_000, 50_000.0), (100, 7.0)]) == pytest.approx(1)
    assert exponent([(10, 1.0), (100, 100.0)]) == pytest.approx(2)


def test_results_survive_the_disk(tmp_path: Path) -> None:
    results = Results(
        machine={"cores": "2"},
        versions={PURE: "1"},
        rounds=3,
        timings=tuple(timings(PURE, 1.25, 2.5)),
        collected=tuple(timings(PURE, 1.5, 3.5)),
        memory={PURE: 7},
        generation=(Generation("cold", 1.5, 2.5),),
        growth=(GrowthPoint(PURE, "encode", 10, 0.5, 99),),
    )
    save(results, tmp_path / "new" / "results.json")
    assert read(tmp_path / "new" / "results.json") == results


@pytest.mark.parametrize("text", ['{"format": 0}', "[]", "no JSON"])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ResultsError, match="measure again"):
        read(file)


def test_a_part_measured_now_replaces_an_older_one() -> None:
    old = Results(memory={PURE: 1}, imports={"a": 1.0})
    assert Results(memory={PURE: 2}).with_older(old) == Results(memory={PURE: 2}, imports={"a": 1.0})


def test_goals_are_held_against_the_right_rival() -> None:
    found = Results(
        timings=(
            *timings(PURE, 10, 30),
            *timings(NATIVE, 2, 4),
            *timings(KAFKA_PYTHON, 60, 60),
            *timings(KIO, 90, 10),
            *timings(JAVA, 1, 0.5),
        ),
        memory={PURE: 2_000_000, KIO: 2_560_000},
    )
    assert best_peer(found, "decode") == {"W1v1": 10, "W2": 10}
    verdicts = {goal.text: (goal.measured, goal.verdict) for goal in goals(found)}
    assert verdicts["messagegen pure: encode at least 5 times kafka-python"] == ("6.00 times as fast", "met")
    assert verdicts["messagegen pure: decode at least 2.5 times kafka-python"] == ("2.00 times as fast", "not met")
    assert verdicts["messagegen native: decode at least 2 times the best Python peer"] == ("2.50 times as fast", "met")
    assert verdicts["messagegen native: encode within 4 times of warm Java"] == ("2.00 times as long", "met")
    assert verdicts["messagegen native: decode within 4 times of warm Java"] == ("8.00 times as long", "not met")
    assert verdicts["messagegen pure: memory of decoded W2 below kio's"] == ("2.00 MB, kio 2.56 MB", "met")


def test_goals_that_were_not_measured_say_so() -> None:
    assert {goal.verdict for goal in goals(Results())} == {"not measured"}


def test_columns_have_a_goal_for_one_thread_and_one_for_four() -> None:
    found = {
        goal.text: goal
        for goal in goals(Results(columns={ALL_FIELDS: 990.0, FOUR_THREADS: 1800.0, TWO_PROCESSES: 1900.0}))
    }
    one = found["messagegen native: Arrow columns of 8.4 KB MetadataResponse rows, at least 1,000 MB/s a core"]
    four = found["messagegen native: columns, 4 threads at least 1.8 times 1 thread"]
    assert (one.measured, one.verdict) == ("990 MB/s", "not met")
    assert (four.measured, four.verdict) == ("1.82 times (two processes: 1.92 times)", "met")


def test_the_report_shows_timings_with_the_collector_on() -> None:
    lines = io.StringIO()
    off, on = [*timings(PURE, 10, 30), *timings(KAFKA_PYTHON, 60, 60)], [
        *timings(PURE, 10, 40),
        *timings(KAFKA_PYTHON, 60, 90),
    ]
    show(Results(rounds=3, timings=tuple(off), collected=tuple(on)), Console(file=lines, width=140))
    _, _, after = lines.getvalue().partition("decode, with the collector on, microseconds: best (median) of 3 rounds")
    assert re.search(r"W2 .* 40\.00 \(80\.00\) .* 90\.00 \(180\.0\)", after)
    _, _, after = after.partition("decode, with the collector on, how many times as fast (best rounds)")
    assert re.search(r"W2 .* 2\.25", after)


def test_growth_with_the_square_misses_its_goal() -> None:
    points = [GrowthPoint(PURE, "decode", n, n * n / 1e9, 100 * n) for n in (10, 100_000)]
    (goal,) = [goal for goal in goals(Results(growth=tuple(points))) if goal.met is not None]
    assert (goal.measured, goal.verdict) == ("time 2.000, peak memory 1.000", "not met")


def test_compare_knows_a_slow_computer_from_a_slow_codec() -> None:
    before = Results(timings=(*timings(PURE, 10, 10), *timings(KAFKA_PYTHON, 40, 40)))
    after = Results(timings=(*timings(PURE, 20, 40), *timings(KAFKA_PYTHON, 80, 80)))
    found = {(change.workload, change.operation): change.verdict(0.15) for change in changes(before, after)}
    assert found["W1v1", "encode"] == found["W2", "encode"] == "same"
    assert found["W1v1", "decode"] == found["W2", "decode"] == "slower"


def test_tolerance_is_the_same_both_ways() -> None:
    assert Change("W2", "encode", PURE, 1.0, 1.2).verdict(0.15) == "faster"
    assert Change("W2", "encode", PURE, 1.2, 1.0).verdict(0.15) == "slower"
    assert Change("W2", "encode", PURE, 1.1, 1.0).verdict(0.15) == "same"


def test_goals_of_record_batches() -> None:
    times = {
        "encode, 1 record of 1 kB": {PURE: 9.0, "kafka-python": 1.0},
        "encode, 200 records of 100 B": {PURE: 10.0, "kafka-python": 40.0, "kio": 50.0, "aiokafka": 1.0},
        "encode, 200 records with 2 headers": {PURE: 10.0, "kafka-python": 10.0},
    }
    found = {goal.text: goal for goal in goals(Results(records=times))}
    goal = found["messagegen pure: encode record batches at least 1.5 times the best peer in pure Python"]
    assert (goal.measured, goal.verdict) == (
        "2.00 times as fast (at least 1.00, encode, 200 records with 2 headers)",
        "met",
    )
    assert found["messagegen native: decode record batches at least 10 times the best peer in pure Python"].met is None
