"""`messagegen-data dump` from a user's view: formats, standard input, errors, exit codes, pipes."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from messagegen_arrow.cli import command as cli
from messagegen_arrow.console.running import EXIT_BROKEN_PIPE
from messagegen_arrow.engine import native_engine
from messagegen_kafka import FetchRequest, OffsetCommitValue, SaslAuthenticateRequest
from tests.arrow.support.broker_folder import COMMITS, ORDERS, order, write_capture, write_log_dir
from tests.arrow.support.capture_traffic import request, sized, write_pcap
from tests.arrow.support.log_data import TIME, Batch, Data, many_batches, write_segment

PROGRAM = [sys.executable, "-m", "messagegen_arrow.cli", "dump"]
VALUES = ["--message", "OffsetCommitValue", "--version", "3"]


@pytest.fixture
def log_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_log_dir(tmp_path / "data")


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = cli.run(["dump", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_messages_are_printed_as_json_lines(log_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = outcome(capsys, log_dir / "orders-0", *VALUES, "--fields", "offset", "--offsets", "2-3")
    assert (code, err) == (0, "")
    assert [json.loads(line)["message"] for line in out.splitlines()] == [{"offset": 2}, {"offset": 3}]


CONTROLS = "".join(map(chr, [*range(0x20), *range(0x7F, 0xA0)]))
HOSTILE = f"{CONTROLS}\u2028::error::x\u2029\u061c\u200f\u202e\u2066\U000e0001##[error]y ##vso[task.complete]z"


@pytest.mark.parametrize("form", ["json", "table"])
@pytest.mark.parametrize("message", [[], VALUES])
def test_text_of_records_is_safe_to_print(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, message: list[str]
) -> None:
    value = OffsetCommitValue(offset=1, metadata=HOSTILE).encode(version=3)
    headers = ((HOSTILE.encode(), HOSTILE.encode()),)
    folder = tmp_path / f"{HOSTILE.replace('/', '').replace(chr(0), '')[:60]}" / "orders-0"
    write_segment(folder, 0, [Batch(0, [Data(value, HOSTILE.encode(), headers=headers)]).encode()])
    code, out, err = outcome(capsys, folder, *message, "--format", form, "--limit", "5")
    assert (code, err) == (0, "")
    for line in out.removesuffix("\n").split("\n"):
        assert line.isprintable()
        assert "##[" not in line
        assert "##vso[" not in line
        assert not line.lstrip().startswith("::")
    if form == "json":
        (row,) = map(json.loads, out.split("\n")[:-1])
        assert [header["key"] for header in row["headers"]] == [HOSTILE]
        assert not message or row["message"]["metadata"] == HOSTILE


def test_the_flag_versioned_reads_each_version_from_the_value(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    values = [version.to_bytes(2) + OffsetCommitValue(offset=version).encode(version=version) for version in range(5)]
    records = [Data(value) for value in (*values, None, b"", b"\0\x09")]
    write_segment(tmp_path / "orders-0", 0, [Batch(0, records).encode()])
    arguments = ["--message", "OffsetCommitValue", "--versioned", "--columns", "offset,message", "--fields", "offset"]
    code, out, err = outcome(capsys, tmp_path, *arguments)
    messages = [json.loads(line) for line in out.splitlines()]
    assert [row["message"] for row in messages] == [*({"offset": version} for version in range(5)), None, None, None]
    assert [row.get("_error", {}).get("message") for row in messages[5:]] == [
        None,
        "the version is null",
        "unexpected version 9; expected 0 to 4",
    ]
    assert (code, err.count("2 of 8 rows could not be read; the first: ")) == (1, 1)


TIMES = json.loads((Path(__file__).parents[2] / "fixtures" / "timestamps.json").read_text("utf-8"))


@pytest.mark.parametrize("case", TIMES["doubtful"], ids=lambda case: str(case["text"]))
def test_an_implausible_number_of_milliseconds_gets_a_warning(
    log_dir: Path, capsys: pytest.CaptureFixture[str], case: dict[str, str]
) -> None:
    text, orders = case["text"], log_dir / "orders-0"
    for option, arguments in {
        "--since": ["--since", text],
        "--until": ["--until", text],
        "--option startingTimestamp": ["--option", f"startingTimestamp={text}"],
        "--option endingtimestamp": ["--option", f"endingtimestamp={text}"],
    }.items():
        code, _, err = outcome(capsys, orders, *arguments, "--limit", "0")
        assert (code, err) == (0, f"warning: {option} {case['warning']}\n")


@pytest.mark.parametrize("text", TIMES["undoubted"])
def test_plausible_times_get_no_warning(log_dir: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    assert outcome(capsys, log_dir / "orders-0", "--since", text, "--limit", "0") == (0, "", "")


def test_times_can_be_durations_before_now(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    minute = 60_000
    now = int(time.time() * 1000)
    times = [now - 90 * minute, now - 30 * minute, now + 30 * minute]
    batches = [Batch(offset, base_timestamp=written).encode() for offset, written in enumerate(times)]
    write_segment(tmp_path / "orders-0", 0, batches)
    code, out, err = outcome(capsys, tmp_path, "--since", "-1h", "--until", "now", "--columns", "offset")
    assert (code, out, err) == (0, '{"offset":1}\n', "")


@pytest.mark.parametrize("form", ["json", "table"])
@pytest.mark.parametrize(
    ("milliseconds", "shown"),
    [
        (253402300799999, '"9999-12-31T23:59:59.999Z"'),
        (253402300800000, "253402300800000"),
        (1900000000000000, "1900000000000000"),
        ((1 << 63) // 1000 - 1, "9223372036854774"),
        (-1, '"1969-12-31T23:59:59.999Z"'),
        (-62135596800001, "-62135596800001"),
        (-1900000000000000, "-1900000000000000"),
    ],
)
def test_times_outside_the_years_1_to_9999_are_shown_as_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, milliseconds: int, shown: str
) -> None:
    times = [milliseconds, TIME]
    batches = [Batch(offset, base_timestamp=time).encode() for offset, time in enumerate(times)]
    write_segment(tmp_path / "orders-0", 0, batches)
    code, out, err = outcome(capsys, tmp_path, "--columns", "timestamp", "--format", form)
    assert (code, err) == (0, "")
    if form == "json":
        assert out.splitlines() == [f'{{"timestamp":{shown}}}', '{"timestamp":"2023-11-14T22:13:20.000Z"}']
    else:
        assert out.split() == ["timestamp", shown.strip('"'), "2023-11-14T22:13:20.000Z"]


@pytest.mark.parametrize(("text", "offsets"), [("4", [4]), ("4-", [4, 5]), ("-1", [0, 1]), ("9-", [])])
def test_offsets_select_records(
    log_dir: Path, capsys: pytest.CaptureFixture[str], text: str, offsets: list[int]
) -> None:
    _, out, _ = outcome(capsys, log_dir / "orders-0", "--columns", "offset", "--offsets", text)
    assert [json.loads(line)["offset"] for line in out.splitlines()] == offsets


def test_a_table_fits_the_width_of_the_terminal(
    log_dir: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = outcome(capsys, log_dir, "--format", "table", "--columns", "offset,topic,value")
    assert code == 0
    assert out.splitlines()[0].split() == ["offset", "topic", "value"]
    assert len(out.splitlines()) == ORDERS + COMMITS + 3 + 3
    assert max(map(len, out.splitlines())) <= 80


def test_parquet_files_contain_the_rows_of_one_topic(log_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = outcome(
        capsys,
        log_dir,
        "--topic",
        "__consumer_offsets",
        "--types",
        "OffsetCommit",
        "--format",
        "parquet",
        "--output",
        "a",
    )
    assert (code, out, err) == (0, "", "")
    table = parquet.read_table("a")
    assert pa.types.is_struct(table.schema.field("OffsetCommit").type)
    assert table.num_rows == COMMITS + 1
    code, _, err = outcome(capsys, log_dir, "--format", "parquet", "--output", "b")
    assert (code, Path("b").exists()) == (2, False)
    assert "choose with --topic" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "nowhere does not exist"),
        (["data", "--format", "parquet"], "pass --output FILE"),
        (["data", "--output", "data/orders-0"], "data/orders-0"),
        (["data/orders-0", "--message", "OffsetCommitValeu", "--version", "3"], "did you mean OffsetCommitValue"),
        (["data/orders-0", "--message", "OffsetCommitValue"], "pass --version N"),
        (["data/orders-0", "--offsets", "x"], "is not a range such as 100-199"),
        (["data/orders-0", "--offsets", "5-1"], "--offsets 5-1: the first offset is after the last one"),
        (["data/orders-0", "--since", "yesterday"], "--since: invalid time 'yesterday'"),
        (["data/orders-0", "--until", "-1hour"], "--until: invalid time '-1hour'"),
        (["data/orders-0", "--fields", "offset"], "--fields needs --message or --types"),
        (["data/orders-0", "--version", "3"], "--version needs --message"),
        (["data/orders-0", "--versioned"], "--versioned needs --message"),
        (["data/orders-0", *VALUES, "--versioned"], "pass either --version or --versioned"),
        (["data", "--output", "nowhere/a.json"], "'--output': no such folder: nowhere"),
        (["data/orders-0", "--option", "isolationLevel"], "is not KEY=VALUE"),
        (["a.pcap", "--option", "ports=9092"], "--option is for logs, but this is a capture"),
        (["data/orders-0", "--option", "isolationLevl=x"], "did you mean isolationLevel"),
        (["data/orders-0", "-"], "standard input (-) can't be combined with other paths"),
        (["data/orders-0", "a.pcap"], "the paths hold both logs and captures"),
        (["a.pcap", "--topic", "orders"], "--topic is for logs, but this is a capture"),
        (["data/__cluster_metadata-0", "--show-sensitive"], "secrets in internal topics are never decoded"),
        ([], "Missing argument"),
    ],
)
def test_wrong_usage_is_an_error(
    log_dir: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    write_capture(log_dir.parent / "a.pcap")
    code, out, err = outcome(capsys, *arguments)
    assert (code, out) == (2, "")
    assert said in " ".join(err.split())


def test_an_existing_file_is_kept(log_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine").write_text("mine")
    code, _, err = outcome(capsys, log_dir, "--output", "mine")
    assert (code, Path("mine").read_text()) == (2, "mine")
    assert "mine exists; remove it, or name another file" in err


def test_errors_name_the_position_even_if_its_columns_are_not_selected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_segment(tmp_path / "orders-0", 0, [Batch(0, [Data(order(1)), Data(b"no")]).encode()])
    _, _, err = outcome(capsys, tmp_path, *VALUES, "--columns", "offset,message")
    segment = tmp_path / "orders-0" / f"{0:020}.log"
    assert err.startswith(f"1 of 2 rows could not be read; the first: {segment}: offset 1: message.offset: ")


def test_a_parquet_file_is_complete_despite_unreadable_messages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    request = FetchRequest(replica_id=-1).encode(version=17)
    write_segment(tmp_path / "orders-0", 0, [Batch(0, [Data(request), Data(None), Data(b"no")]).encode()])
    arguments = ["--message", "FetchRequest", "--version", "17", "--format", "parquet", "--output", "a"]
    code, _, err = outcome(capsys, tmp_path, *arguments)
    assert (code, err.count("1 of 3 rows could not be read")) == (1, 1)
    good, null, bad = parquet.read_table("a").column("message").to_pylist()
    assert (good["replicaState"]["replicaId"], null, bad) == (-1, None, None)


def test_secrets_are_shown_only_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    login = sized(request(1, SaslAuthenticateRequest(auth_bytes=b"hunter2"), 2))
    pcap = write_pcap(tmp_path / "a.pcap", [(True, login)])
    _, out, _ = outcome(capsys, pcap)
    assert "authBytes" not in out
    _, out, _ = outcome(capsys, pcap, "--show-sensitive")
    assert json.loads(out)["body"] == {"authBytes": "aHVudGVyMg=="}


@pytest.mark.slow
def test_standard_input_is_read(log_dir: Path) -> None:
    segment = (log_dir / "__consumer_offsets-0" / f"{0:020}.log").read_bytes()
    capture = write_capture(log_dir / "a.pcap").read_bytes()
    for data, topic, first in ((segment, ["--topic", "__consumer_offsets"], "partition"), (capture, [], "time")):
        done = subprocess.run([*PROGRAM, "-", *topic], input=data, capture_output=True, check=True)
        assert next(iter(json.loads(done.stdout.splitlines()[0]))) == first


@pytest.mark.slow
def test_dump_ends_quietly_if_head_closes_the_pipe(log_dir: Path) -> None:
    folder = write_segment(log_dir / "many-0", 0, many_batches(0, 30_000)).parent
    with subprocess.Popen([*PROGRAM, folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b'{"topic":"many"')
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == EXIT_BROKEN_PIPE


def test_an_error_names_the_package_of_the_missing_engine(
    log_dir: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "messagegen_native", None)
    native_engine.cache_clear()
    code, _, err = outcome(capsys, log_dir / "__consumer_offsets-0")
    assert code == 2
    assert err.startswith("Error: messagegen-native is not installed: install its wheel with `pip install --no-index")
    assert err.count("\n") == 1


def test_help_does_not_import_pyarrow() -> None:
    code = (
        "import sys\n"
        "from messagegen_arrow.cli.command import run\n"
        "run(['dump', '--help'])\n"
        "assert 'pyarrow' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_a_log_without_rows_gets_a_note(log_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = (0, "", "no rows: there are no records, or none matches the options\n")
    assert outcome(capsys, log_dir / "orders-0", "--offsets", "9-") == said


def test_an_unknown_topic_is_an_error(log_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = outcome(capsys, log_dir / "orders-0", "--topic", "order")
    assert (code, out) == (2, "")
    assert err.endswith("no topic order; did you mean orders?\n")
