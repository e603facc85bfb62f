"""The command ``kafka-group-offsets`` without a broker: output, exit codes, and what it says where something fails."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from messagegen_client import admin as admin_module
from messagegen_client.cli.groups.command import EXIT_USAGE, NAME, group_offsets
from messagegen_client.cli.support import run
from messagegen_client.offsets.partitions import TopicPartition
from messagegen_kafka import OffsetCommitRequest
from messagegen_kafka.error_codes import ErrorCode
from tests.client.support.group_cluster import Commit, GroupCluster, GroupStore
from tests.client.support.offset_cluster import Log

Command = Callable[..., tuple[int, str, str]]
ORDERS = TopicPartition("orders", 0)


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> GroupStore:
    store = GroupStore()
    store.add("orders", Log(epoch=7, timestamps=[0] * 20), Log(epoch=7, timestamps=[0] * 20))
    store.commit("billing", orders=3)
    monkeypatch.setattr(admin_module, "Cluster", lambda _: GroupCluster(store))
    monkeypatch.delenv("NO_COLOR", raising=False)
    return store


@pytest.fixture
def command(store: GroupStore, capsys: pytest.CaptureFixture[str]) -> Command:
    def call(*arguments: str) -> tuple[int, str, str]:
        given = ["--bootstrap-server", "memory:9092", *arguments]
        code = run(group_offsets, NAME, given, exit_usage=EXIT_USAGE)
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "offsets.csv"
    path.write_text("billing,orders,0,7\nbilling,orders,1,2\nshipping,orders,0,0\n", encoding="utf-8")
    return str(path)


PLAN = dedent("""\
    billing
        ~ orders-0: 3 -> 7
        + orders-1: 2
    shipping
        + orders-0: 0

    2 to add, 1 to change, in 2 groups
    """)


def test_plan_and_apply(store: GroupStore, command: Command, file: str) -> None:
    assert command("plan", file) == (2, PLAN, "")
    assert store.commits == {"billing": {ORDERS: Commit(3)}}
    assert command("apply", file) == (0, f"{PLAN}3 offsets committed\n", "")
    assert store.commits == {
        "billing": {ORDERS: Commit(7), TopicPartition("orders", 1): Commit(2)},
        "shipping": {ORDERS: Commit(0)},
    }
    same = "No changes: the groups have the offsets of the file.\n"
    assert command("plan", file) == (0, same, "")
    assert command("apply", file) == (0, same, "")
    exported = command("export", "--group", "billing", "--group", "shipping")
    assert exported == (0, Path(file).read_text(encoding="utf-8"), "")


@pytest.mark.parametrize(("name", "text"), [("offsets.csv", ""), ("offsets.json", '{"groups": []}')])
def test_a_file_without_offsets_gets_a_warning(command: Command, tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    same = "No changes: the groups have the offsets of the file.\n"
    assert command("plan", str(file)) == (0, same, f"warning: {file} has no offsets\n")


def test_a_file_of_one_group(store: GroupStore, command: Command, tmp_path: Path) -> None:
    path = tmp_path / "offsets.csv"
    path.write_text("orders,0,9\n", encoding="utf-8")
    assert command("apply", "--group", "billing", str(path))[0] == 0
    assert store.commits == {"billing": {ORDERS: Commit(9)}}
    code, out, err = command("plan", str(path))
    assert (code, out) == (1, "")
    assert err == f"Error: {path}, line 1: expected group,topic,partition,offset, found 3 columns\n"


def test_nothing_is_committed_if_a_group_has_members(store: GroupStore, command: Command, file: str) -> None:
    store.consumer_members["shipping"] = 1
    said = "Error: group shipping has members; stop its consumers first\n"
    assert command("plan", file) == (1, PLAN, said)
    assert command("apply", file) == (1, PLAN, said)
    assert store.commits == {"billing": {ORDERS: Commit(3)}}


def test_an_offset_beyond_the_end_is_refused(store: GroupStore, command: Command, tmp_path: Path) -> None:
    path = tmp_path / "offsets.csv"
    path.write_text("billing,orders,0,21\n", encoding="utf-8")
    code, _, err = command("apply", str(path))
    assert code == 1
    assert err == "Error: group billing: invalid offset 21 of orders-0: its first offset is 0, and its end is 20\n"
    assert store.commits == {"billing": {ORDERS: Commit(3)}}


def test_a_group_that_fails_does_not_hold_up_others(store: GroupStore, command: Command, file: str) -> None:
    store.errors[OffsetCommitRequest] = iter([int(ErrorCode.GROUP_AUTHORIZATION_FAILED)])
    code, out, err = command("apply", file)
    assert code == 1
    assert out == f"{PLAN}1 offset committed, 2 refused\n"
    assert err.count("Error: committing offsets of group billing, orders-") == 2
    assert store.commits["shipping"] == {ORDERS: Commit(0)}


def test_an_unknown_outcome_is_said(store: GroupStore, command: Command, file: str) -> None:
    store.errors[OffsetCommitRequest] = itertools.repeat(int(ErrorCode.NOT_COORDINATOR))
    code, out, err = command("--timeout", "0.2", "apply", file)
    assert code == 1
    assert out.endswith("0 offsets committed, 3 unknown\n")
    assert "the outcome is unknown" in err
    assert err.endswith("Run plan again to see what was done.\n")


def test_json_for_programs(store: GroupStore, command: Command, file: str) -> None:
    store.partition_errors[TopicPartition("orders", 1)] = int(ErrorCode.TOPIC_AUTHORIZATION_FAILED)
    code, out, _ = command("plan", file, "--output", "json")
    planned = json.loads(out)
    assert code == 2
    assert planned["changes"][0] == {
        "group": "billing",
        "topic": "orders",
        "partition": 0,
        "before": 3,
        "after": 7,
        "metadata": {"before": "", "after": ""},
        "leaderEpoch": {"before": None, "after": None},
    }
    assert (planned["add"], planned["change"], planned["refused"]) == (2, 1, [])
    code, out, err = command("apply", file, "--output", "json")
    applied = json.loads(out)
    assert code == 1
    assert planned.items() <= applied.items()
    assert applied["counts"] == {"done": 2, "refused": 1, "unknown": 0, "not_sent": 0}
    assert [one["outcome"] for one in applied["altered"]] == ["done", "refused", "done"]
    assert applied["altered"][1]["error"]["name"] == "TOPIC_AUTHORIZATION_FAILED"
    assert applied["altered"][1]["error"]["message"] in err


def test_export_says_what_is_missing(store: GroupStore, command: Command) -> None:
    store.commits["streams"] = {ORDERS: Commit(4, "AgAAAZ")}
    code, out, err = command("export", "--group", "streams", "--group", "nobody")
    assert (code, out) == (0, "streams,orders,0,4\n")
    assert err.splitlines() == [
        "warning: group streams: the metadata of commits is left out; --format json keeps it",
        "warning: group nobody has no offsets, or does not exist",
    ]


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_metadata_and_leader_epochs_go_into_a_document_and_back(
    form: str, store: GroupStore, command: Command, tmp_path: Path
) -> None:
    before = {ORDERS: Commit(4, "AgAAAZ", 7), TopicPartition("orders", 1): Commit(0)}
    store.commits["streams"] = dict(before)
    code, out, err = command("export", "--group", "streams", "--format", form)
    assert (code, err) == (0, "")
    path = tmp_path / f"offsets.{form}"
    path.write_text(out, encoding="utf-8")
    assert command("plan", str(path))[0] == 0

    store.commits["streams"] = {ORDERS: Commit(4, "else", 7), TopicPartition("orders", 1): Commit(0, "", 2)}
    code, out, err = command("plan", str(path))
    assert (code, err) == (2, "")
    assert out.splitlines() == [
        "streams",
        '    ~ orders-0: 4 -> 4, metadata "else" -> "AgAAAZ"',
        "    ~ orders-1: 0 -> 0, leader epoch 2 -> none",
        "",
        "0 to add, 2 to change, in 1 group",
    ]
    assert command("apply", str(path))[0] == 0
    assert store.commits["streams"] == before
    assert command("plan", str(path))[0] == 0


def test_a_plan_says_which_metadata_csv_removes(store: GroupStore, command: Command, tmp_path: Path) -> None:
    store.commits["streams"] = {ORDERS: Commit(4, "A" * 50, 7)}
    path = tmp_path / "offsets.csv"
    path.write_text("streams,orders,0,4\n", encoding="utf-8")
    # The offset is committed already.
    assert command("plan", str(path))[0] == 0
    path.write_text("streams,orders,0,5\n", encoding="utf-8")
    assert f'    ~ orders-0: 4 -> 5, metadata "{"A" * 40}..." -> ""\n' in command("plan", str(path))[1]


def test_what_can_not_be_committed_is_left_out_with_a_warning(
    store: GroupStore, command: Command, tmp_path: Path
) -> None:
    path = tmp_path / "state"
    commits = [
        {"topic": "orders", "partition": 0, "offset": 7, "metadata": ""},
        {"topic": "orders", "partition": 1, "offset": None, "isKnown": False},
    ]
    path.write_text(json.dumps({"groups": [{"group": "billing", "groupType": None, "commits": commits}]}))
    said = "warning: group billing: the commit of orders-1 is not known; left out\n"
    code, out, err = command("apply", "--format", "json", "--output", "json", str(path))
    assert (code, err) == (0, said)
    assert json.loads(out)["leftOut"] == [said.removeprefix("warning: ").strip()]
    assert store.commits == {"billing": {ORDERS: Commit(7)}}
    code, out, err = command("plan", "--format", "json", "--group", "billing", str(path))
    assert (code, out) == (64, "")
    assert "--group is for files in CSV" in err


def test_names_from_a_file_can_not_move_the_cursor(store: GroupStore, command: Command, tmp_path: Path) -> None:
    path = tmp_path / "offsets.csv"
    path.write_text("a\x1b[31m,orders,0,1\n", encoding="utf-8")
    code, out, _ = command("plan", str(path))
    assert code == 2
    assert out.startswith("a\\x1b[31m\n")


@pytest.mark.parametrize("arguments", [("plan",), ("apply",), ("export",), ("plan", "nowhere.csv"), ("reset",)])
def test_wrong_usage(store: GroupStore, command: Command, arguments: tuple[str, ...]) -> None:
    code, out, _ = command(*arguments)
    assert (code, out) == (64, "")
    assert store.asked_of_groups == []
