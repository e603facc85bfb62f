"""The group commands without a broker: options, files, and what they print."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_client.cli.groups.options import parse_duration
from messagegen_client.cli.groups.output import (
    Lags,
    Reset,
    lag_csv,
    lag_json,
    lag_table,
    reset_csv,
    reset_json,
    reset_table,
)
from messagegen_client.cli.groups.running import default_backup, members_text
from messagegen_client.cli.offsets.command import NAME, offsets
from messagegen_client.cli.offsets.input import OptionError
from messagegen_client.cli.support import run
from messagegen_client.errors import BrokerConnectionError, broker_error
from messagegen_client.groups.descriptions import (
    ConsumerGroupDescription,
    GroupState,
    GroupType,
    MemberDescription,
)
from messagegen_client.groups.files import OffsetFileError, csv_text, read_csv, write_new
from messagegen_client.groups.lag import PartitionLag
from messagegen_client.groups.offsets import OffsetAndMetadata
from messagegen_client.groups.resets import ConsumerGroupResetPlan, OffsetChange, OffsetReset
from messagegen_client.net.metadata import Broker
from messagegen_client.net.partitions import TopicPartition
from messagegen_client.records.batches import RecordTime

Command = Callable[..., tuple[int, str, str]]

FIRST, SECOND, THIRD = (TopicPartition("orders", number) for number in range(3))
READER = MemberDescription("one", None, "app", "/10.0.0.1", (FIRST,))
BILLING = ConsumerGroupDescription(
    "billing", GroupType.CLASSIC, GroupState.STABLE, Broker(1, "one", 9092), "range", (READER,)
)


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.setenv("COLUMNS", "200")

    def call(*arguments: str) -> tuple[int, str, str]:
        code = run(offsets, NAME, [*arguments, "--bootstrap-server", "127.0.0.1:1"])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["reset", "--group", "g"], "expected one of --to-datetime, --by-duration, --to-earliest"),
        (["plan", "--group", "g", "--to-earliest", "--to-latest"], "not --to-earliest and --to-latest"),
        (
            ["plan", "--group", "g", "--to-datetime", "2026-11-01T00:00"],
            "missing time zone in '2026-11-01T00:00'; write 2026-11-01T00:00Z",
        ),
        (
            ["plan", "--group", "g", "--to-datetime", "earliest"],
            "is not a time; use for example --to-earliest",
        ),
        (["plan", "--group", "g", "--by-duration", "2y"], "--by-duration: invalid duration '2y'; write for example 2h"),
        (["plan", "--group", "g", "--to-offset", "-1"], "--to-offset: invalid offset"),
        (["plan", "--group", "g", "--shift-by", "1.5"], "--shift-by: invalid number '1.5': expected a whole number"),
        (["plan", "--group", "g", "--from-file", "no-such.csv"], "--from-file: no-such.csv can't be read"),
        (["reset", "--group", "g", "--to-earliest", "--backup", "f"], "--backup requires --execute"),
        (["plan", "--group", "g", "--to-earliest", "--topic", "a[b"], "--topic: invalid regular expression 'a[b'"),
        (["lag"], "Missing option '--group'"),
        (["--topic", "orders", "lag", "--group", "g"], "--topic can't be used before lag"),
        (["lag", "--group", "g", "--to-earliest"], "No such option '--to-earliest'"),
    ],
)
def test_wrong_usage(command: Command, arguments: list[str], said: str) -> None:
    code, out, err = command(*arguments)
    assert (code, out) == (2, "")
    assert said in " ".join(err.replace("\u2502", "").split())


def test_a_file_names_its_partitions_itself(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "offsets.csv"
    file.write_text("orders,0,7\n")
    code, _, err = command("plan", "--group", "g", "--from-file", str(file), "--topic", "orders")
    assert (code, "--topic can't be used with --from-file" in err) == (2, True)
    file.write_bytes(b"\xff")
    assert "is not UTF-8" in command("plan", "--group", "g", "--from-file", str(file))[2]
    file.write_text("")
    assert (
        "has no offsets; expected lines of topic,partition,offset"
        in command("plan", "--group", "g", "--from-file", str(file))[2]
    )


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("2h", timedelta(hours=2)),
        ("-90s", timedelta(seconds=90)),
        ("P1D", timedelta(days=1)),
        ("PT0H30M", timedelta(minutes=30)),
        ("P1DT2H3M4.5S", timedelta(days=1, hours=2, minutes=3, seconds=4.5)),
    ],
)
def test_durations(text: str, duration: timedelta) -> None:
    assert parse_duration(text) == duration


@pytest.mark.parametrize("text", ["", "P", "PT", "2", "h", "1d2h", "P1M", "999999999999999w"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(OptionError):
        parse_duration(text)


names = st.text("abcdefghijklmnopqrstuvwxyzABCDEFXYZ0123456789._-", min_size=1, max_size=20)


@given(
    st.dictionaries(st.builds(TopicPartition, names, st.integers(0, 2**31 - 1)), st.integers(0, 2**63 - 1), min_size=1)
)
def test_a_file_reads_back(wanted: dict[TopicPartition, int]) -> None:
    assert read_csv(csv_text(wanted), "g") == wanted
    with_groups = "".join(f"g,{line}\r\nother,{line}\r\n" for line in csv_text(wanted).splitlines())
    assert read_csv("\ufeff" + with_groups, "g") == wanted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("orders,0\n", "line 1: expected topic,partition,offset or group,topic,partition,offset"),
        ("orders,0,1\n\ng,orders,0,1\n", "line 3: expected topic,partition,offset"),
        ("orders,x,1\n", "line 1: invalid partition: expected a whole number below 2147483648, not 'x'"),
        ("orders,0,-1\n", "line 1: invalid offset: expected a whole number"),
        ("orders,0,9223372036854775808\n", "invalid offset"),
        ("orders,0,1\norders,0,2\n", "line 2: duplicate partition orders-0"),
        (",0,1\n", "line 1: invalid topic name"),
        ("h,orders,0,1\nk,orders,0,1\n", "no line for group g, only for h, k"),
    ],
)
def test_files_that_can_not_be_used(text: str, said: str) -> None:
    with pytest.raises(OffsetFileError, match=said):
        read_csv(text, "g")


def test_a_file_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "before.csv"
    write_new(path, "one")
    with pytest.raises(FileExistsError):
        write_new(path, "two")
    assert [file.name for file in tmp_path.iterdir()] == ["before.csv"]
    assert path.read_text() == "one"
    with pytest.raises(FileNotFoundError):
        write_new(tmp_path / "no" / "such", "three")


def test_the_name_of_a_file_to_go_back_with() -> None:
    now = datetime(2026, 11, 22, 2, 3, 4, tzinfo=UTC)
    assert str(default_backup("billing", now)) == "billing-offsets-20261122T020304Z.csv"
    assert str(default_backup("../a b/ü", now)) == "_a_b__-offsets-20261122T020304Z.csv"
    assert len(str(default_backup("x" * 300, now))) < 150


def reset(**changes: object) -> Reset:
    plan = ConsumerGroupResetPlan(
        "billing",
        {
            FIRST: OffsetChange(20, 7),
            SECOND: OffsetChange(None, 12, "all records are older: using the end"),
            THIRD: OffsetChange(3, 3),
        },
    )
    return Reset(**{"plan": plan, "target": "to the first offsets", "group": None, **changes})  # type: ignore[arg-type]


def test_a_plan_in_each_form() -> None:
    assert reset_table(reset()) == dedent("""\
        plan for group billing (new group): to the first offsets
        topic   partition  committed  new  change
        orders          0         20    7     -13
        orders          1       none   12          all records are older: using the end
        orders          2          3    3    none
        """)
    assert reset_csv(reset()) == "orders,0,7\norders,1,12\norders,2,3\n"
    document = json.loads(reset_json(reset()))
    assert (document["executed"], document["type"], document["backup"]) == (False, None, None)
    assert document["partitions"][0] == {
        "topic": "orders",
        "partition": 0,
        "committed": 20,
        "new": 7,
        "note": None,
        "outcome": None,
        "error": None,
    }
    assert reset().plan.offsets == {FIRST: 7, SECOND: 12}
    assert reset().plan.before == {FIRST: 20}


def test_what_became_of_a_reset() -> None:
    lost = BrokerConnectionError("gone", outcome_unknown=True)
    done = reset(results={FIRST: None, SECOND: lost}, group=BILLING, backup="before.csv")
    lines = reset_table(done).splitlines()
    assert lines[0] == "reset group billing (Classic, Stable): to the first offsets"
    assert lines[3].split() == ["orders", "1", "none", "12", "unknown:", "BrokerConnectionError"]
    document = json.loads(reset_json(done))
    assert (document["executed"], document["state"], document["backup"]) == (True, "Stable", "before.csv")
    assert [one["outcome"] for one in document["partitions"]] == ["done", "unknown", None]
    assert document["partitions"][1]["error"]["name"] == "BrokerConnectionError"


def test_a_lag_in_each_form() -> None:
    results = {
        FIRST: PartitionLag(OffsetAndMetadata(7), 20, RecordTime(7, 1_000)),
        SECOND: PartitionLag(None, 5),
        THIRD: PartitionLag(OffsetAndMetadata(3), 4, time_error=broker_error(76, "reading")),
    }
    missing = TopicPartition("payments", 0)
    lags = Lags(BILLING, 3_500, results, {missing: broker_error(3, "listing")})
    assert lag_table(lags) == dedent("""\
        lag of group billing (Classic, Stable): 14 records, 2.500 s
        topic     partition  committed  end  lag  seconds  client id  host
        orders            0          7   20   13    2.500  app        10.0.0.1
        orders            1       none    5
        orders            2          3    4    1                                UNSUPPORTED_COMPRESSION_TYPE
        payments          0                                                     UNKNOWN_TOPIC_OR_PARTITION
        """)
    assert lag_csv(lags) == dedent("""\
        topic,partition,committed,end,lag,seconds,client_id,host,error
        orders,0,7,20,13,2.500,app,10.0.0.1,
        orders,1,,5,,,,,
        orders,2,3,4,1,,,,UNSUPPORTED_COMPRESSION_TYPE
        payments,0,,,,,,,UNKNOWN_TOPIC_OR_PARTITION
        """)
    first = json.loads(lag_json(lags))["partitions"][0]
    assert (first["seconds"], first["next_record"]) == (2.5, {"offset": 7, "timestamp": 1000})


def test_many_members_are_counted() -> None:
    many = ConsumerGroupDescription(
        "billing", GroupType.CONSUMER, GroupState.STABLE, Broker(1, "one", 9092), "uniform", (READER,) * 12
    )
    assert members_text(many).startswith("group billing has 12 members: app (10.0.0.1), app (10.0.0.1)")
    assert members_text(many).endswith(" and 2 more")


def test_targets_are_checked() -> None:
    now = datetime(2026, 11, 1, tzinfo=UTC)
    assert OffsetReset.by_duration(timedelta(hours=1), now).number == 1793491200000 - 3_600_000
    with pytest.raises(ValueError, match="invalid offset"):
        OffsetReset.to_offset(-1)
    with pytest.raises(ValueError, match="invalid offset"):
        OffsetReset.to_offsets({("a", 0): True})
    with pytest.raises(ValueError, match="invalid shift"):
        OffsetReset.shift_by(1.5)  # type: ignore[arg-type]
