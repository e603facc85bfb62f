"""The parts of the codec benchmarks: workloads, the worker's protocol, results, goals and the comparison of runs."""

from __future__ import annotations

import io
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import messagegen_kafka
from benchmarks.compare import Change, changes
from benchmarks.contestants import THREE_FIELDS, Calls, UnsupportedError
from benchmarks.generation import COLD, ONE_CHANGED
from benchmarks.goals import goals
from benchmarks.kip625 import sizes
from benchmarks.processes import JAVA, KAFKA_PYTHON, KIO, NATIVE, PURE, Operation
from benchmarks.report import show
from benchmarks.results import Generation, Results, ResultsError, Timing, read, save
from benchmarks.worker import Service, kept_bytes, warm
from benchmarks.workloads import MESSAGES, WORKLOADS, Workload

OWN = [workload for workload in WORKLOADS if hasattr(messagegen_kafka, workload.message)]


def timings(contestant: str, encode: float, decode: float, read: float = 0) -> list[Timing]:
    bests: dict[Operation, float] = {"encode": encode, "decode": decode, "read": read}
    return [
        Timing(workload, operation, contestant, best, 2 * best)
        for workload in ("W1v1", "W2")
        for operation, best in bests.items()
        if best
    ]


@pytest.mark.parametrize("workload", OWN, ids=lambda workload: workload.name)
def test_workloads_have_the_stated_size_and_the_lazily_read_fields(workload: Workload) -> None:
    cls: Any = getattr(messagegen_kafka, workload.message)
    message = cls.from_json(workload.make(), version=workload.version)
    assert message.size(version=workload.version) == workload.size
    assert len(attrgetter(*THREE_FIELDS[workload.message])(message)) == 3


def test_messages_of_messagegen_kafka_have_workloads() -> None:
    assert {workload.name for workload in OWN} >= {"W1v1", "W1v9", "W1v12", "W2", "W4api", "W5quota"}
    assert tuple(sorted(THREE_FIELDS)) == MESSAGES


def test_kip625_sizes_match_sizes_counted_by_hand() -> None:
    found = {(size.family, size.case): (size.body, size.partition) for size in sizes()}
    assert found["fixed", "best"] == found["fixed", "worst"]
    # 100 partitions: error code, index, leader, epoch, two arrays of two brokers, an empty array, and no tags.
    assert found["upacked", "best"][1] == 1 + 1 + 1 + 1 + 3 + 3 + 1 + 1
    # Zig-zag encoding needs a second byte for the indexes 64 to 99.
    assert found["packed", "best"][1] == 12 + 36 / 100
    assert found["packed", "worst"][1] == found["upacked", "worst"][1] == found["fixed", "worst"][1] + 8


class TestService:
    def answer(self, folder: Path, calls: Calls, *lines: str) -> list[str]:
        (folder / "a body.bin").write_bytes(b"body")
        service = Service(lambda *_: calls)
        return [service.answer(line) for line in (f"open W1 Message 3 {folder / 'a body.bin'}", *lines)]

    def test_service_opens_workloads_and_measures_time_and_memory(self, tmp_path: Path) -> None:
        calls: Calls = {"encode": lambda: b"body", "decode": lambda: ["a", "new", "list"]}
        lines = ("time W1 encode 10", "memory W1", "warm W1 decode 1")
        opened, time, memory, warmed = self.answer(tmp_path, calls, *lines)
        assert opened == "ok encode decode"
        assert int(time) > 0
        assert int(memory) > 0
        assert all(int(number) > 0 for number in warmed.split())

    def test_open_rejects_codecs_that_encode_different_bytes(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match="the encoded bytes differ"):
            self.answer(tmp_path, {"encode": lambda: b"other"})

    def test_open_reports_unsupported_messages(self, tmp_path: Path) -> None:
        def refuse(message: str, version: int, data: bytes) -> Calls:
            raise UnsupportedError(f"has no {message} {version} of {len(data)} bytes")

        (tmp_path / "body").write_bytes(b"body")
        assert Service(refuse).answer(f"open W1 Message 3 {tmp_path / 'body'}") == "no has no Message 3 of 4 bytes"

    @pytest.mark.parametrize("line", ["stop W1", "open W1", "time W1 encode"])
    def test_service_rejects_unknown_commands(self, line: str) -> None:
        with pytest.raises(ValueError, match="unknown command"):
            Service(lambda *_: {}).answer(line)


def test_warm_returns_the_number_of_calls_in_the_last_batch() -> None:
    calls: list[None] = []
    last, _ = warm(lambda: calls.append(None), 2)
    assert len(calls) >= last > 1


def test_kept_bytes_counts_only_the_returned_object() -> None:
    size = 1_000_000

    def decode() -> bytes:
        bytearray(3 * size)
        return bytes(size)

    assert size <= kept_bytes(decode) < 1.1 * size


def test_saved_results_can_be_read_back_unchanged(tmp_path: Path) -> None:
    results = Results(
        machine={"cores": "2"},
        versions={PURE: "1"},
        rounds=3,
        timings=tuple(timings(PURE, 1.25, 2.5)),
        memory={PURE: 7},
        generation=(Generation("cold", 1.5, 2.5),),
    )
    save(results, tmp_path / "new" / "results.json")
    assert read(tmp_path / "new" / "results.json") == results


@pytest.mark.parametrize("text", ['{"format": 0}', "[]", "no JSON"])
def test_files_that_are_not_results_are_rejected(tmp_path: Path, text: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ResultsError, match="measure again"):
        read(file)


def test_the_committed_results_can_be_read_and_shown() -> None:
    saved = Path(__file__).parents[2] / "benchmarks" / "results" / "latest.json"
    console = Console(file=io.StringIO(), width=200)
    show(read(saved), console)
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    assert all(name in text for name in (PURE, NATIVE, KIO, KAFKA_PYTHON, JAVA, "record batches", "import above", COLD))


def test_newly_measured_parts_replace_older_parts() -> None:
    old = Results(memory={PURE: 1}, imports={"a": 1.0})
    assert Results(memory={PURE: 2}).with_older(old) == Results(memory={PURE: 2}, imports={"a": 1.0})


def test_goals_compare_each_codec_with_its_rival() -> None:
    found = Results(
        timings=(
            *timings(PURE, 10, 30),
            *timings(NATIVE, 2, 4, read=2),
            *timings(KAFKA_PYTHON, 60, 60),
            *timings(KIO, 90, 10),
            *timings(JAVA, 1, 0.5),
        ),
        memory={PURE: 2_000_000, KIO: 2_560_000},
        generation=(Generation(COLD, 1.87, 2.0), Generation(ONE_CHANGED, 0.9, 1.0)),
        records={
            "encode, 1 record of 1 kB": {PURE: 9.0, KAFKA_PYTHON: 1.0},
            "encode, 200 records of 100 B": {PURE: 10.0, KAFKA_PYTHON: 40.0, KIO: 50.0, "aiokafka": 1.0},
        },
    )
    goal = {each.text: (each.measured.partition(" ")[0], each.verdict) for each in goals(found)}
    assert goal["messagegen pure: encode at least 5 times kafka-python"] == ("6.00", "met")
    assert goal["messagegen pure: decode at least 2.5 times kafka-python"] == ("2.00", "not met")
    assert goal["messagegen native: decode at least 2 times the best Python peer"] == ("2.50", "met")
    assert goal["messagegen native: encode at least 0.25 times warm Java"] == ("0.50", "met")
    assert goal["messagegen native: decode at least 0.25 times warm Java"] == ("0.13", "not met")
    lazy = "messagegen native: lazy decode, three fields read, at least 10 times the best Python peer's decode"
    assert goal[lazy] == ("5.00", "not met")
    assert goal["messagegen pure: memory of decoded W2, MB, below kio's"] == ("2.00", "met")
    assert goal["generate all official specs, cold: seconds, below 2.4"] == ("1.87", "met")
    assert goal["generate all official specs, one spec changed: seconds, below 2.4"] == ("0.90", "met")
    records = "messagegen pure: encode record batches at least 1.5 times the best peer in pure Python"
    assert goal[records] == ("4.00", "met")
    assert {each.verdict for each in goals(Results())} == {"not measured"}


def test_a_slower_computer_is_not_reported_as_a_slower_codec() -> None:
    before = Results(timings=(*timings(PURE, 10, 10), *timings(KAFKA_PYTHON, 40, 40)))
    after = Results(timings=(*timings(PURE, 20, 40), *timings(KAFKA_PYTHON, 80, 80)))
    found = {(change.workload, change.operation): change.verdict(0.15) for change in changes(before, after)}
    assert found["W1v1", "encode"] == found["W2", "encode"] == "same"
    assert found["W1v1", "decode"] == found["W2", "decode"] == "slower"


@pytest.mark.parametrize(("before", "after", "verdict"), [(1, 1.2, "faster"), (1.2, 1, "slower"), (1.1, 1, "same")])
def test_the_tolerance_is_symmetric(before: float, after: float, verdict: str) -> None:
    assert Change("W2", "encode", PURE, before, after).verdict(0.15) == verdict
