from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.broker.__main__ import main
from tests.broker.fixtures import BusyBroker
from tests.broker.pcap import ip_packets
from tests.broker.sample import Sample, make_sample
from tests.broker.test_capture import read_lines
from tests.broker.tools import JavaTools
from tests.broker.traffic import STEPS, TrafficError, make_traffic

pytestmark = [pytest.mark.java, pytest.mark.slow, pytest.mark.xdist_group("broker")]

RECORDS = 60


@pytest.fixture(scope="module")
def steps() -> list[str]:
    return []


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory, steps: list[str]) -> Sample:
    return make_sample(tmp_path_factory.mktemp("sample") / "new", records=RECORDS, on_step=steps.append)


def dump(java_tools: JavaTools, folder: Path, *options: str, suffix: str = ".log") -> str:
    files = ",".join(str(file) for file in sorted(folder.glob(f"*{suffix}")))
    result = java_tools.run("kafka-dump-log", "--files", files, *options)
    assert (result.exit, result.err) == (0, "")
    return result.out


def test_every_step_is_told(sample: Sample, steps: list[str]) -> None:
    assert len(steps) == STEPS + 2
    assert (steps[0], steps[-1]) == ("broker started", "broker stopped")


def test_the_folder_has_what_was_asked_for_and_no_more(sample: Sample) -> None:
    assert {file.name for file in sample.log.parent.iterdir()} == {"log", "capture.pcap", "capture.jsonl.gz"}
    assert not [file for file in sample.log.parent.parent.iterdir() if file != sample.log.parent]
    assert (sample.log / ".kafka_cleanshutdown").exists()


@pytest.mark.parametrize("codec", ["none", "gzip", "snappy", "lz4", "zstd"])
def test_all_codecs_are_there(java_tools: JavaTools, sample: Sample, codec: str) -> None:
    texts = [dump(java_tools, sample.log / f"codec-{codec}-{number}", "--print-data-log") for number in (0, 1)]
    assert all(f"compresscodec: {codec}" in text for text in texts)
    assert sum(text.count("| offset:") for text in texts) == RECORDS
    assert any("headerKeys: [number,käse]" in text for text in texts)


def test_transactions_end_in_every_way(java_tools: JavaTools, sample: Sample) -> None:
    text = dump(java_tools, sample.log / "ledger-0", "--print-data-log")
    assert text.count("endTxnMarker: COMMIT") == 4
    assert text.count("endTxnMarker: ABORT") == 2
    states = "".join(
        dump(java_tools, folder, "--transaction-log-decoder") for folder in sample.log.glob("__transaction_state-*")
    )
    # Ongoing, CompleteCommit and CompleteAbort; the crashed producer never got further than the first.
    assert {"1", "4", "5"} <= set(re.findall(r'"transactionStatus":(\d)', states))
    crashed = [line for line in states.splitlines() if "ledger-crashed" in line]
    assert '"transactionStatus":1' in crashed[-1]


def test_groups_of_each_protocol_left_records(java_tools: JavaTools, sample: Sample) -> None:
    offsets = "".join(
        dump(java_tools, folder, "--offsets-decoder") for folder in sorted(sample.log.glob("__consumer_offsets-*"))
    )
    kinds = set(re.findall(r'key: {"type":"(\d+)"', offsets))
    # Offset commits and classic groups; consumer, share and streams groups with members and assignments.
    assert {"1", "2", "3", "5", "6", "7", "8", "10", "11", "12", "13", "14", "15", "16", "17", "19"} <= kinds
    assert '"metadata":"committed by second"' in offsets
    assert "payload: <DELETE>" in offsets
    shared = "".join(
        dump(java_tools, folder, "--share-group-state-decoder") for folder in sample.log.glob("__share_group_state-*")
    )
    assert '"groupId":"workers"' in shared


def test_cluster_metadata_has_snapshots(java_tools: JavaTools, sample: Sample) -> None:
    metadata = sample.log / "__cluster_metadata-0"
    log = dump(java_tools, metadata, "--cluster-metadata-decoder")
    snapshots = dump(java_tools, metadata, "--cluster-metadata-decoder", suffix=".checkpoint")
    for kind in ("TOPIC_RECORD", "CONFIG_RECORD", "CLIENT_QUOTA_RECORD", "USER_SCRAM_CREDENTIAL_RECORD"):
        assert kind in log
    assert "REMOVE_TOPIC_RECORD" in log
    assert "CLIENT_QUOTA_RECORD" in snapshots


def test_captures_hold_the_traffic(sample: Sample) -> None:
    lines = read_lines(sample.frames)
    assert len(lines) == sample.frame_count
    keys = Counter(line["api_key"] for line in lines if line["dir"] == "request")
    # Produce, ListOffsets, JoinGroup, EndTxn, AlterClientQuotas, and heartbeats of the newer protocols.
    assert {0, 2, 11, 26, 49, 68, 76, 88} <= set(keys)
    payload = sum(len(packet.data.data) for packet in ip_packets(sample.pcap))
    assert payload >= sum(4 + len(line["hex"]) // 2 for line in lines)


def test_acls_are_made_where_there_is_an_authorizer(busy_broker: BusyBroker, java_tools: JavaTools) -> None:
    assert "ACLs" in busy_broker.steps
    cluster = busy_broker.cluster
    cluster.start_all()
    listed = java_tools.run("kafka-acls", "--bootstrap-server", cluster.bootstrap(), "--list")
    assert "principal=User:ann" in listed.out
    # Topics of that name are there by now.
    with pytest.raises(TrafficError, match="topics: TopicExistsException"):
        list(make_traffic(cluster, records=10))


def test_folders_with_something_in_them_are_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept")
    for verb in ("sample", "start"):
        result = CliRunner().invoke(main, [verb, str(tmp_path)])
        assert result.exit_code == 1
        assert result.stderr == f"error: {tmp_path} is not empty: name a new folder, or remove this one\n"
    assert [file.name for file in tmp_path.iterdir()] == ["mine"]


def test_wrong_properties_are_wrong_use(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["start", str(tmp_path), "--property", "nonsense"])
    assert result.exit_code == 2
    assert "'nonsense' is not NAME=VALUE" in result.stderr


def test_a_started_broker_says_where_it_is_and_stops_on_a_signal(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.broker", "start", str(tmp_path / "new")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        said = [running.stdout.readline() for _ in range(7)]
        running.send_signal(signal.SIGINT)
        assert (running.wait(), running.stderr.read()) == (0, "")
    assert said[0].startswith("PLAINTEXT       127.0.0.1:")
    assert said[-1] == "running; Ctrl-C stops\n"
    assert (tmp_path / "new" / "node-1" / "data" / ".kafka_cleanshutdown").exists()
