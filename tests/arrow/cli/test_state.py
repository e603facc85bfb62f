"""The command ``state``: formats, sections, notes, errors and exit codes. Other tests check the states themselves."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml

from messagegen_arrow import read_log
from messagegen_arrow.cli import command as cli
from messagegen_arrow.cli.progress import RowProgress
from messagegen_arrow.cli.state import command
from messagegen_arrow.cli.state.sections import SECTIONS
from messagegen_client.quotas.entities import ClientQuotaEntity
from messagegen_client.quotas.file.reading import read_quota_file
from tests.arrow.support.history_data import write_log
from tests.arrow.support.internal_records import Record
from tests.arrow.support.log_data import TIME
from tests.arrow.support.state_data import FOLDER, quota, topic, write_cluster
from tests.conftest import Golden

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "state"
BEFORE_CHANGES = str(TIME + 19_000)


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    return write_cluster(tmp_path / "kafka-logs")


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = cli.run(["state", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize("form", ["json", "yaml", "table"])
def test_each_format_equals_its_golden_file(
    form: str, cluster: Path, capsys: pytest.CaptureFixture[str], golden: Golden
) -> None:
    code, out, err = outcome(capsys, cluster, "--format", form)
    assert (code, err) == (0, "")
    golden(GOLDEN / f"state.{form}", out)


def test_yaml_and_json_have_the_same_contents(cluster: Path, capsys: pytest.CaptureFixture[str]) -> None:
    as_json = json.loads(outcome(capsys, cluster)[1])
    assert yaml.safe_load(outcome(capsys, cluster, "--format", "yaml")[1]) == as_json
    assert list(as_json) == list(SECTIONS)


@pytest.mark.slow
@pytest.mark.parametrize("section", SECTIONS)
def test_only_selected_sections_are_shown(section: str, cluster: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = json.loads(outcome(capsys, cluster)[1])
    found = json.loads(outcome(capsys, cluster, "--only", section)[1])
    assert found.pop(section) == whole[section]
    assert list(found) == (["scope"] if section == "quotas" else [])
    assert outcome(capsys, cluster, "--only", f" {section} ,users", "--format", "table")[0] == 0


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_printed_quotas_are_a_valid_quota_file(form: str, cluster: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--only", "quotas", "--format", form]
    file = read_quota_file(outcome(capsys, cluster, "--at", BEFORE_CHANGES, *options)[1], "quotas")
    assert file.entries == {
        ClientQuotaEntity(user="ann", client_id=None): {"producer_byte_rate": 1e6, "request_percentage": 12.5},
        ClientQuotaEntity(user=None): {"controller_mutation_rate": float("inf")},
        ClientQuotaEntity(user="<default>"): {"producer_byte_rate": 2e9},
        ClientQuotaEntity(ip="192.0.2.7"): {"connection_creation_rate": 5},
        ClientQuotaEntity(user="1e6, \u202e\u00fc \U000e0001"): {"producer_byte_rate": 7},
    }
    # Pruning also removes later additions to combinations that had no quotas at that time.
    assert file.scope == {frozenset(each) for each in (["user"], ["client-id"], ["user", "client-id"], ["ip"])}
    newest = read_quota_file(outcome(capsys, cluster, *options)[1], "quotas").entries
    assert newest[ClientQuotaEntity(user="ann", client_id=None)]["producer_byte_rate"] == 2e6
    assert ClientQuotaEntity(user="<default>") not in newest


def test_quotas_with_the_value_nan_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_log(tmp_path / FOLDER, [quota(float("nan"), user="ann"), quota(5, user="ann", key="consumer_byte_rate")])
    code, out, err = outcome(capsys, tmp_path, "--only", "quotas")
    assert (code, err) == (0, "quotas: producer_byte_rate of user=ann is nan, not a limit; left out\n")
    assert json.loads(out)["quotas"] == [{"entity": {"user": "ann"}, "values": {"consumer_byte_rate": 5}}]


def test_a_state_is_written_to_the_output_file(
    cluster: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert outcome(capsys, cluster, "--only", "features", "--output", tmp_path / "f.json") == (0, "", "")
    assert json.loads((tmp_path / "f.json").read_text(encoding="utf-8")) == {"features": {"metadata.version": 30}}


def test_a_note_reports_a_missing_topic(cluster: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = outcome(capsys, cluster / FOLDER)
    assert (code, err) == (0, f"no __consumer_offsets in {cluster / FOLDER}; the state does not include it\n")
    document: dict[str, Any] = json.loads(out)
    assert "groups" not in document
    assert document["state"]["notes"] == [err.strip()]
    code, out, _ = outcome(capsys, cluster / "__consumer_offsets-0", "--format", "table")
    assert (code, out.splitlines()[:2]) == (0, ["state: none", ""])


def test_unreadable_records_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_log(tmp_path / FOLDER, [topic(), Record("__cluster_metadata", None, (topic().value or b"")[:-1])])
    code, out, err = outcome(capsys, tmp_path, "--only", "topics")
    assert (code, len(json.loads(out)["topics"])) == (1, 1)
    said = "metadata: 1 of 2 records could not be read; the state does not include them\n"
    assert err == f"{said}messagegen-data dump shows the records that could not be read, and their errors\n"
    # A file contains the note, too.
    whole = json.loads(outcome(capsys, tmp_path)[1])
    assert said.strip() in whole["state"]["notes"]


def test_progress_is_shown(cluster: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MESSAGEGEN_PROGRESS")
    monkeypatch.setattr(command, "RowProgress", lambda: RowProgress(patience=0))
    code, out, err = outcome(capsys, cluster, "--only", "groups")
    assert (code, list(json.loads(out))) == (0, ["groups"])
    rows = pa.table(read_log(cluster / "__consumer_offsets-0", include_control=True, include_segments=True)).num_rows
    # The number of rows shows that each record is read only once.
    assert re.fullmatch(rf"(Rows read so far: \d+ in 0 s\n)+Rows read: {rows} in \d\.\d s\n", err)


@pytest.mark.parametrize("at", ["now", "-1s"])
def test_times_can_be_durations_before_now(at: str, cluster: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(outcome(capsys, cluster, "--at", at)[1])["state"]["metadataOffset"] == 21


def test_implausible_numbers_of_milliseconds_get_a_warning(cluster: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = outcome(capsys, cluster, "--at", "1700000005")
    assert (code, out) == (2, "")
    assert "warning: --at 1700000005 means 1970-01-20T16:13:20.005Z in milliseconds; for seconds, write" in err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("",), "must not be empty"),
        (("nowhere",), "nowhere does not exist"),
        (("kafka-logs", "--at", "2026-11-01"), "missing time and time zone in '2026-11-01': write"),
        (("kafka-logs", "--at", ""), "--at: invalid time ''"),
        (("kafka-logs", "--at", "-20000d"), "is unknown: the oldest known state is at 2023-11-14T"),
        (
            ("kafka-logs", "--at", "2020-01-01T00:00Z"),
            "the oldest known state is at 2023-11-14T22:13:20.000Z; --only groups shows the commits",
        ),
        (("kafka-logs", "--only", "quota"), "unknown section 'quota'; expected state, topics, configs, quotas"),
        (("kafka-logs", "--only", ","), "expected at least one of state"),
        (("kafka-logs", "--format", "parquet"), "is not one of 'json', 'yaml', 'table'"),
        (("kafka-logs/__consumer_offsets-0", "--only", "quotas"), "no __cluster_metadata in kafka-logs"),
        (("kafka-logs", "--output", "kafka-logs"), "kafka-logs exists"),
    ],
)
@pytest.mark.usefixtures("cluster")
def test_wrong_usage_is_an_error(arguments: tuple[str, ...], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = outcome(capsys, *arguments)
    assert (code, out) == (2, "")
    assert reason in err
