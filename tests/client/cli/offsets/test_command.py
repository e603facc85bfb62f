"""The output, exit codes and errors of ``kafka-offsets``, tested without a broker."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from textwrap import dedent

import pytest

from messagegen_client import admin as admin_module
from messagegen_client.cli.offsets.command import NAME, offsets
from messagegen_client.cli.offsets.times import parse_time
from messagegen_client.cli.support import run
from messagegen_client.errors import BootstrapError, BrokerConnectionError
from messagegen_client.offsets.partitions import UNKNOWN_ATTEMPTS
from messagegen_client.offsets.specs import OffsetSpec
from messagegen_kafka.error_codes import ErrorCode
from tests.client.support.offset_cluster import Log, OffsetCluster, OffsetStore

Command = Callable[..., tuple[int, str, str]]
NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> OffsetStore:
    store = OffsetStore()
    store.add("orders", Log(1, 5, [1793491200000, 1793491200123]), Log(2, 6, [1793400000000]), Log(1, 7))
    store.add("payments", Log(2, 8, [15], start=100))
    monkeypatch.setattr(admin_module, "Cluster", lambda _: OffsetCluster(store))
    return store


@pytest.fixture
def command(store: OffsetStore, capsys: pytest.CaptureFixture[str]) -> Command:
    def call(*arguments: str) -> tuple[int, str, str]:
        code = run(offsets, NAME, ["--bootstrap-server", "memory:9092", *arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def test_the_table_also_shows_partitions_without_a_result(command: Command) -> None:
    code, out, err = command("--topic", "orders", "--time", "2026-11-01T00:00:00.100Z")
    assert (code, err) == (0, "")
    assert out == dedent("""\
        first records at or after 2026-11-01T00:00:00.100Z (1793491200100)
        topic   partition  offset  timestamp                 leader epoch
        orders          0       1  2026-11-01T00:00:00.123Z             5
        orders          1    none  all records are older
        orders          2    none  all records are older
        """)


def test_json_contains_all_results(store: OffsetStore, command: Command) -> None:
    store.logs[list(store.logs)[2]].errors = itertools.repeat(29)
    code, out, err = command("--topic", "orders", "--time", "1793491200001", "--format", "json")
    document = json.loads(out)
    assert code == 1
    assert (document["time"], document["timestamp"]) == ("1793491200001", 1793491200001)
    first, second, third = document["partitions"]
    assert first == {
        "topic": "orders",
        "partition": 0,
        "offset": 1,
        "timestamp": 1793491200123,
        "leaderEpoch": 5,
        "error": None,
    }
    assert (second["offset"], second["timestamp"], second["leaderEpoch"], second["error"]) == (None,) * 4
    assert (third["error"]["code"], third["error"]["name"]) == (29, "TOPIC_AUTHORIZATION_FAILED")
    assert third["error"]["message"] in err
    document = json.loads(command("--topic", "payments", "--format", "json")[1])
    assert (document["timestamp"], document["partitions"][0]["timestamp"]) == (None, None)


def test_partitions_that_fail_do_not_hide_the_others(store: OffsetStore, command: Command) -> None:
    store.logs[next(iter(store.logs))].errors = itertools.repeat(29)
    code, out, err = command("--topic", "orders")
    assert code == 1
    assert [line.split()[:4] for line in out.splitlines()[2:]] == [
        ["orders", "0", "error", "TOPIC_AUTHORIZATION_FAILED"],
        ["orders", "1", "1", "6"],
        ["orders", "2", "0", "7"],
    ]
    assert err.startswith("Error: listing offsets of orders-0: ")
    assert err.count("\n") == 1


def test_only_the_first_of_many_errors_are_shown(store: OffsetStore, command: Command) -> None:
    store.add("many", *(Log(1, errors=itertools.repeat(29)) for _ in range(50)))
    code, _, err = command("--topic", "many")
    assert code == 1
    assert err.count("Error: listing offsets of many-") == 20
    assert err.endswith("Error: 30 more partitions failed\n")


def test_an_unreachable_cluster_prints_a_one_line_error(store: OffsetStore, command: Command) -> None:
    def unreachable() -> None:
        raise BootstrapError([("memory:9092", BrokerConnectionError("memory:9092: connection refused\n::error::x"))])

    store.before_metadata = unreachable
    code, out, err = command("--topic", "orders")
    assert (code, out) == (1, "")
    assert err == "Error: no broker could be reached: memory:9092: connection refused\\u000a::error::x\n"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--topic-partitions", "a", "--topic", "b"), "--topic-partitions can't be used with --topic or --partitions."),
        (("--topic-partitions", "a", "--partitions", "1"), "can't be used with --topic or --partitions."),
        (("--topic-partitions", "a:x"), "--topic-partitions: invalid item 'a:x'; write PATTERN"),
        (("--topic-partitions", "a:2-2"), "the range of 'a:2-2' is empty; it excludes its second number"),
        (("--topic-partitions", "(:1"), "--topic-partitions: invalid regular expression '('"),
        (("--topic", "a,,b"), "--topic: invalid regular expression '' (it is empty)"),
        (("--topic", "[a"), "--topic: invalid regular expression '[a'"),
        (("--partitions", "1-2"), "--partitions: invalid partition '1-2'; write numbers separated by commas"),
        (("--partitions", ""), "--partitions: invalid partition ''"),
        (("--time", "2026-11-01T00:00"), "write 2026-11-01T00:00:00Z for UTC, or 2026-11-01T00:00:00+01:00"),
        (("--time", "soon"), "--time: invalid time 'soon': write for example 2026-11-01T00:00Z"),
        (("--time", "soon"), "-2h, or one of earliest, latest,"),
        (("--time", "-900000000000000d"), "is too long ago"),
        (("--isolation-level", "x"), "read_committed"),
        (("--timeout", "0"), "--timeout"),
        (("orders",), "Got unexpected extra argument (orders)"),
    ],
)
def test_wrong_usage_is_an_error(
    store: OffsetStore, command: Command, arguments: tuple[str, ...], expected: str
) -> None:
    code, out, err = command(*arguments)
    assert (code, out) == (2, "")
    assert expected in err
    assert (store.requests, store.refreshes) == ([], 0)


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        (" latest ", OffsetSpec.latest()),
        ("-2", OffsetSpec.earliest()),
        ("-6", OffsetSpec.earliest_pending_upload()),
        ("2026-11-01T00:00:00.0001Z", OffsetSpec.for_timestamp(1793491200001)),
        ("-90m", OffsetSpec.for_timestamp(NOW - timedelta(minutes=90))),
        ("-5ms", OffsetSpec.for_timestamp(NOW - timedelta(milliseconds=5))),
        ("-1w", OffsetSpec.for_timestamp(NOW - timedelta(weeks=1))),
        ("now", OffsetSpec.for_timestamp(NOW)),
    ],
)
def test_times_are_parsed(text: str, spec: OffsetSpec) -> None:
    assert parse_time(text, NOW).spec == spec


TIMES = json.loads((Path(__file__).parents[3] / "fixtures" / "timestamps.json").read_text("utf-8"))


@pytest.mark.parametrize("case", TIMES["doubtful"], ids=lambda case: str(case["text"]))
def test_an_implausible_number_of_milliseconds_gets_a_warning(command: Command, case: dict[str, str]) -> None:
    code, _, err = command("--topic", "payments", "--time", case["text"])
    assert (code, err) == (0, f"warning: --time {case['warning']}\n")
    code, out, err = command("--topic", "payments", "--time", case["text"], "--format", "json")
    assert (code, err) == (0, f"warning: --time {case['warning']}\n")
    assert json.loads(out)["warnings"] == [f"--time {case['warning']}"]


def test_now_as_time_gets_a_warning_that_recommends_latest(command: Command) -> None:
    code, out, err = command("--topic", "payments", "--time", "now")
    assert code == 0
    assert "all records are older" in out
    assert err == "warning: --time now finds records from now on; for the offset after the last record, write latest\n"


@pytest.mark.parametrize(
    ("option", "meant"),
    [
        ("--at", "--time"),
        ("--since", "--time"),
        ("--offset", "--time"),
        ("--output", "--format"),
        ("--broker-list", "--bootstrap-server"),
    ],
)
def test_the_error_about_an_option_of_another_command_names_the_right_option(
    command: Command, option: str, meant: str
) -> None:
    code, out, err = command(option, "now")
    assert (code, out) == (2, "")
    assert f"No such option '{option}'; write {meant}" in err


@pytest.mark.parametrize("text", [*TIMES["undoubted"], "-2h", "-1", "latest"])
def test_unambiguous_times_get_no_warning(command: Command, text: str) -> None:
    code, out, err = command("--topic", "payments", "--time", text, "--format", "json")
    assert (code, err) == (0, "")
    assert json.loads(out)["warnings"] == []


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], ["__internal:0", "orders:0", "orders:1", "orders:2", "payments:0"]),
        (["--exclude-internal-topics"], ["orders:0", "orders:1", "orders:2", "payments:0"]),
        (["--topic", "__internal", "--exclude-internal-topics"], ["__internal:0"]),
        (["--partitions", "1, 2"], ["orders:1", "orders:2"]),
        (["--topic", "or.*"], ["orders:0", "orders:1", "orders:2"]),
        (["--topic", "payments,[a-o]*rders"], ["payments:0", "orders:0", "orders:1", "orders:2"]),
        (["--topic", ".*", "--partitions", "2"], ["orders:2"]),
        (["--topic", "orders", "--partitions", "2,0"], ["orders:0", "orders:2"]),
        (["--topic-partitions", "orders:0-2,pay.*"], ["orders:0", "orders:1", "payments:0"]),
        (["--topic-partitions", "orders:1-"], ["orders:1", "orders:2"]),
        (["--topic-partitions", "orders:-1", "--topic-partitions", "p.*:"], ["orders:0", "payments:0"]),
        (["--topic-partitions", ":2"], ["orders:2"]),
        (["--topic", "o.*", "--partitions", "9"], []),
        (["--topic", "z.*"], []),
    ],
)
def test_topics_are_selected_as_in_kafka_get_offsets(
    store: OffsetStore, command: Command, arguments: list[str], expected: list[str]
) -> None:
    store.add("__internal", Log(1))
    code, out, err = command(*arguments)
    assert [":".join(line.split()[:2]) for line in out.splitlines()[2:]] == expected
    said = "Error: no partition matches; if no topic is named, only topics that the user may describe are searched\n"
    assert (code, err) == ((0, "") if expected else (1, said))


def test_a_dot_in_a_topic_name_is_literal_and_an_unknown_topic_is_an_error(
    store: OffsetStore, command: Command
) -> None:
    store.add("a.b", Log(1))
    store.add("a-b", Log(1))
    assert "a-b" not in command("--topic", "a.b")[1]
    code, out, err = command("--topic", "orders,nowhere")
    assert (code, out) == (1, "")
    assert err.startswith("Error: asking for the partitions of topic nowhere: ")
    # Two requests are from the first command. An unknown topic is requested again, because a new topic comes with a
    # delay.
    assert store.refreshes == 2 + UNKNOWN_ATTEMPTS


def test_a_partition_that_times_out_has_the_error_of_its_last_answer(store: OffsetStore, command: Command) -> None:
    store.logs[next(iter(store.logs))].errors = itertools.repeat(int(ErrorCode.LEADER_NOT_AVAILABLE))
    code, out, err = command("--topic", "orders", "--format", "json")
    assert code == 1
    failed, *others = json.loads(out)["partitions"]
    assert (failed["error"]["code"], failed["error"]["name"]) == (5, "LEADER_NOT_AVAILABLE")
    assert [each["error"] for each in others] == [None, None]
    assert "LEADER_NOT_AVAILABLE" in err


def test_a_timeout_error_contains_the_timeout_and_the_last_error_code(store: OffsetStore, command: Command) -> None:
    store.logs[next(iter(store.logs))].errors = itertools.repeat(int(ErrorCode.NOT_LEADER_OR_FOLLOWER))
    code, out, _ = command("--topic", "orders", "--format", "json", "--timeout", "0.2")
    assert code == 1
    error = json.loads(out)["partitions"][0]["error"]
    assert (error["code"], error["name"]) == (6, "NOT_LEADER_OR_FOLLOWER")
    assert "timed out after 0.2 s" in error["message"]
