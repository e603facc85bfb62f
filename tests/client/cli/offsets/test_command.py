"""The command ``kafka-offsets`` without a broker: output, exit codes, and what it says where something fails."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
from collections.abc import Callable
from textwrap import dedent

import pytest

from messagegen_client import admin as admin_module
from messagegen_client.cli.offsets.command import NAME, offsets
from messagegen_client.cli.support import run
from messagegen_client.errors import BootstrapError, BrokerConnectionError
from tests.client.fakes.offset_cluster import Log, OffsetCluster, OffsetStore

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> OffsetStore:
    store = OffsetStore()
    store.add("orders", Log(1, 5, [1793491200000, 1793491200123]), Log(2, 6, [1793400000000]), Log(1, 7))
    store.add("payments", Log(2, 8, [15], start=100))
    monkeypatch.setattr(admin_module, "Cluster", lambda _: OffsetCluster(store))
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "40")
    return store


@pytest.fixture
def command(store: OffsetStore, capsys: pytest.CaptureFixture[str]) -> Command:
    def call(*arguments: str) -> tuple[int, str, str]:
        code = run(offsets, NAME, ["--bootstrap-server", "memory:9092", *arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def test_a_table_with_what_was_found_and_what_was_not(command: Command) -> None:
    code, out, err = command("--topic", "orders", "--time", "2026-11-01T00:00:00.100Z")
    assert (code, err) == (0, "")
    assert out == dedent("""\
        first records at or after 2026-11-01T00:00:00.100Z (1793491200100)
        topic   partition  offset  timestamp                 leader epoch
        orders          0       1  2026-11-01T00:00:00.123Z             5
        orders          1    none  all records are older
        orders          2    none  all records are older
        """)


def test_ends_are_the_default(command: Command) -> None:
    code, out, err = command("--topic", "payments,orders:0")
    assert (code, err) == (0, "")
    assert [line.split() for line in out.splitlines()[2:]] == [["payments", "0", "101", "8"], ["orders", "0", "2", "5"]]
    assert out.startswith("latest offsets\n")
    assert command("--topic", "payments", "--time", "earliest")[1].splitlines()[2].split() == [
        "payments",
        "0",
        "100",
        "8",
    ]


def test_a_time_of_ten_digits_is_questioned(command: Command) -> None:
    code, out, err = command("--topic", "orders:0", "--time", "1793491200", "--output", "tsv")
    assert (code, out.splitlines()[1].split("\t")[2]) == (0, "0")
    assert err == (
        "warning: --time: 1793491200 is in milliseconds (1970-01-21T18:11:31.200Z); "
        "for seconds write 1793491200000 (2026-11-01T00:00:00.000Z)\n"
    )
    for time in ("179349120", "1793491200000", "1970-01-21T18:11:31.200Z"):
        assert command("--topic", "orders:0", "--time", time)[2] == ""


def test_places_that_there_are_not(command: Command) -> None:
    _, out, _ = command("--topic", "orders:2", "--time", "max-timestamp")
    assert out.splitlines()[-1].split(maxsplit=2) == ["orders", "2", "none  no records"]


@pytest.mark.parametrize("columns", ["1", "80"])
def test_no_column_is_lost_on_a_narrow_terminal(
    store: OffsetStore, command: Command, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    store.add("x" * 200, Log(1, 5, [15]))
    _, out, _ = command("--topic", f"orders,{'x' * 200}:0-1", "--time", "16")
    plain = re.sub(r"\x1b\[[0-9;]*m", "", out)
    assert ["orders", "0", "0", "2026-11-01T00:00:00.000Z", "5"] in [line.split() for line in plain.splitlines()]
    assert plain.count("x") == 400
    assert "UNKNOWN_TOPIC_OR_PARTITION" in plain
    assert max(map(len, plain.splitlines()[1:])) <= 80


def test_json_for_programs(command: Command) -> None:
    code, out, err = command("--topic", "orders:0-1,orders:9", "--time", "1793491200001", "--output", "json")
    document = json.loads(out)
    assert code == 1
    assert (document["time"], document["timestamp"]) == ("1793491200001", 1793491200001)
    assert document["partitions"][:2] == [
        {
            "topic": "orders",
            "partition": 0,
            "offset": 1,
            "timestamp": 1793491200123,
            "leader_epoch": 5,
            "error": None,
        },
        {
            "topic": "orders",
            "partition": 1,
            "offset": None,
            "timestamp": None,
            "leader_epoch": None,
            "error": None,
        },
    ]
    error = document["partitions"][2]["error"]
    assert error["name"] == "UNKNOWN_TOPIC_OR_PARTITION"
    assert error["message"] in err


def test_ends_have_no_timestamp_in_json(command: Command) -> None:
    document = json.loads(command("--topic", "orders:0", "--output", "json")[1])
    assert document["timestamp"] is None
    assert document["partitions"][0]["timestamp"] is None


def test_tsv_for_shells(command: Command) -> None:
    code, out, _ = command("--topic", "orders", "--topic", "orders:7", "--time", "1793491200001", "--output", "tsv")
    assert code == 0
    assert [line.split("\t") for line in out.splitlines()] == [
        ["topic", "partition", "offset", "timestamp", "leader_epoch", "error"],
        ["orders", "0", "1", "1793491200123", "5", ""],
        ["orders", "1", "", "", "", ""],
        ["orders", "2", "", "", "", ""],
    ]


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


def test_many_failures_are_told_in_a_few_lines(command: Command) -> None:
    code, out, err = command("--topic", "orders:100-149", "--output", "tsv")
    assert code == 1
    assert len(out.splitlines()) == 51
    assert err.count("Error: ") == 20
    assert err.endswith("and 30 more partitions failed\n")


def test_an_unknown_topic_is_named(command: Command) -> None:
    code, out, err = command("--topic", "orders,nowhere")
    assert (code, out) == (1, "")
    assert err.startswith("Error: asking for the partitions of topic nowhere: ")


def test_a_cluster_that_is_not_there_is_one_line(store: OffsetStore, command: Command) -> None:
    def unreachable() -> None:
        raise BootstrapError([("memory:9092", BrokerConnectionError("memory:9092: connection refused"))])

    store.before_metadata = unreachable
    code, out, err = command("--topic", "orders")
    assert (code, out) == (1, "")
    assert err == "Error: no broker could be reached: memory:9092: connection refused\n"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--topic-partitions", "a", "--topic", "b"), "--topic-partitions can't be used with --topic or --partitions."),
        (("--topic", "a:1", "--partitions", "0"), "--partitions can't be used with partitions in --topic."),
        (("--topic", "a:3-1"), "--topic: a:3-1 is reversed; write a:1-3."),
        (
            ("--topic", "a", "--time", "2026-11-01T00:00"),
            "missing time zone in '2026-11-01T00:00'; write 2026-11-01T00:00Z for UTC",
        ),
        (("--topic", "a", "--time", "soon"), "--time: invalid time 'soon'"),
        (("--topic", "a", "--isolation-level", "x"), "read_committed"),
        (("--topic", "a", "--timeout", "0"), "--timeout"),
    ],
)
def test_wrong_usage(store: OffsetStore, command: Command, arguments: tuple[str, ...], expected: str) -> None:
    code, out, err = command(*arguments)
    assert (code, out) == (2, "")
    assert expected in err
    assert (store.requests, store.refreshes) == ([], 0)


def test_the_isolation_level_goes_along(store: OffsetStore, command: Command) -> None:
    command("--topic", "payments", "--isolation-level", "read_committed")
    assert store.requests[0][2].isolation_level == 1


def test_names_that_would_move_the_cursor_are_escaped(store: OffsetStore, command: Command) -> None:
    store.add("\x1b[2J", Log(1, errors=itertools.repeat(29)))
    code, out, err = command("--topic", ".*2J:0")
    assert code == 1
    assert "\x1b" not in out + err
    assert "\\x1b[2J" in out
    assert "\\x1b[2J" in err


def test_names_are_no_markup(store: OffsetStore, command: Command) -> None:
    store.add("[red]x", Log(1, 0, [5]))
    assert "[red]x" in command("--topic", ".*x")[1]


def test_help_teaches_and_loads_little(command: Command) -> None:
    code, out, _ = command("--help")
    assert code == 0
    assert "Examples" in out
    assert "kafka-offsets --topic orders --time 2026-11-01T00:00Z" in out
    heavy = "('rich', 'messagegen_kafka.list_offsets_request', 'javaproperties', 'scramp')"
    script = f"""import sys
from messagegen_client.cli.offsets.command import NAME, offsets
from messagegen_client.cli.support import run
assert run(offsets, NAME, ['--help']) == 0
sys.exit(' '.join(name for name in {heavy} if name in sys.modules) or 0)"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def listed(out: str) -> list[str]:
    return [":".join(line.split("\t")[:2]) for line in out.splitlines()[1:]]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], ["__internal:0", "orders:0", "orders:1", "orders:2", "payments:0"]),
        (["--exclude-internal-topics"], ["orders:0", "orders:1", "orders:2", "payments:0"]),
        (["--partitions", "1, 2"], ["orders:1", "orders:2"]),
        (["--topic", "or.*"], ["orders:0", "orders:1", "orders:2"]),
        (["--topic", "or.*,.*s:0"], ["orders:0", "orders:1", "orders:2", "payments:0"]),
        (["--topic", "payments,[a-o]*rders:1-7"], ["payments:0", "orders:1", "orders:2"]),
        (["--topic", ".*", "--partitions", "2"], ["orders:2"]),
        (["--topic", "orders", "--partitions", "2,0"], ["orders:0", "orders:2"]),
        (["--topic-partitions", "orders:0-2,pay.*"], ["orders:0", "orders:1", "payments:0"]),
        (["--topic-partitions", "orders:1-"], ["orders:1", "orders:2"]),
        (["--topic-partitions", "orders:-1", "--topic-partitions", "p.*:"], ["orders:0", "payments:0"]),
        (["--topic-partitions", ":2"], ["orders:2"]),
        (["--topic-partitions", "order"], []),
        (["--topic", "o.*:9"], []),
    ],
)
def test_topics_as_kafkas_own_tool_takes_them(
    store: OffsetStore, command: Command, arguments: list[str], expected: list[str]
) -> None:
    store.add("__internal", Log(1))
    code, out, err = command(*arguments, "--output", "tsv")
    assert listed(out) == expected
    assert (code, err) == (
        (0, "")
        if expected
        else (1, "Error: no partition matches; without topics, all that the user may describe are listed\n")
    )


def test_a_point_in_a_name_is_a_point(store: OffsetStore, command: Command) -> None:
    store.add("a.b", Log(1))
    store.add("a-b", Log(1))
    assert listed(command("--topic", "a.b", "--output", "tsv")[1]) == ["a.b:0"]
    assert listed(command("--topic-partitions", "a.b", "--output", "tsv")[1]) == ["a-b:0", "a.b:0"]
