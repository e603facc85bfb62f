"""Logs and captures in an object store or in HDFS give the rows of the same files on a disk."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner
from messagegen.cli.dump import dump

from messagegen_arrow import consumer_lag_history, metadata_history, read_capture, read_log
from messagegen_arrow.capture.files import CapturePathError
from messagegen_arrow.files import StoreError, opened, shown, writing
from messagegen_arrow.files.stores import _store, located
from messagegen_arrow.log.files import LogPathError, find_logs
from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.log.planning import settled
from messagegen_arrow.log.rows import DataLossError, RowReader
from messagegen_arrow.log.tasks import find_tasks
from messagegen_arrow.records.pure_reader import Bounds
from tests.arrow.support.broker_folder import write_capture, write_log_dir, write_orders
from tests.arrow.support.history_data import write_broker
from tests.arrow.support.log_data import TIME, many_batches, write_segment
from tests.arrow.support.log_model import BrokerLog
from tests.hdfs.fixtures import Place
from tests.support.object_store import SECRET_KEY, Bucket

pytest.importorskip("obstore", reason="obstore is not installed: `make test` installs it")


def rows(stream: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pa.table(stream).drop_columns("path").to_pylist()
    return found


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is asked of the store: the method and the key."""
    from moto.moto_server.werkzeug_app import DomainDispatcherApplication  # noqa: PLC0415 - loaded with the server

    seen: list[str] = []
    answer = DomainDispatcherApplication.__call__

    def counted(self: Any, environ: Any, start: Any) -> Any:
        seen.append(f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}")
        return answer(self, environ, start)

    monkeypatch.setattr(DomainDispatcherApplication, "__call__", counted)
    return seen


def _lags(path: Path | str) -> Any:
    return consumer_lag_history(path, path)


def test_settings_that_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AZURE_STORAGE_ACCOUNT_NAME", raising=False)
    with pytest.raises(
        StoreError, match=r"abfs://container: .*Account must be specified; set .*AZURE_STORAGE_ACCOUNT_NAME"
    ):
        located("abfs://container/logs")


def test_nothing_of_an_access_key_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_NAME", "lake")
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_KEY", "c2V-cmV0")
    with pytest.raises(StoreError) as error:
        located("abfs://container/logs")
    assert "invalid access key; set " in str(error.value)
    assert "45" not in str(error.value)


def test_log_folders(place: Place, tmp_path: Path) -> None:
    folder = write_log_dir(tmp_path / "logs")
    write_orders(tmp_path / "damaged", damaged=[2])
    place.put_folder(tmp_path, "backup")
    for name in ("logs", "damaged", "*/orders-?", f"logs/orders-0/{0:020}.log"):
        local = read_log(*map(str, sorted(tmp_path.glob(name))), include_control=True)
        assert rows(read_log(place.url("backup", *name.split("/")), include_control=True)) == rows(local), name
    (path,) = set(pa.table(read_log(place.url_with_settings("backup", "logs", "orders-0")))["path"].to_pylist())
    assert path == shown(place.url_with_settings("backup", "logs", "orders-0", f"{0:020}.log"))
    assert rows(read_log(f"file://{folder}")) == rows(read_log(folder))


def test_histories_and_captures(place: Place, tmp_path: Path) -> None:
    logs = write_broker(tmp_path / "logs")
    (tmp_path / "captures").mkdir()
    write_capture(tmp_path / "captures" / "a.pcap")
    place.put_folder(tmp_path, "x")
    url = place.url("x", "logs")
    for history in (_lags, metadata_history):
        assert pa.table(history(url)) == pa.table(history(logs))
    capture = read_capture(place.url("x", "captures"))
    assert rows(capture) == rows(read_capture(tmp_path / "captures" / "a.pcap"))


def test_large_segments_are_cut_without_being_opened(bucket: Bucket, tmp_path: Path, requests: list[str]) -> None:
    log = BrokerLog(tmp_path / "orders-0")
    for number in range(400):
        if number % 200 == 0:
            log.roll()
        log.data(3, size=300)
    log.write()
    bucket.put_folder(tmp_path, "logs")
    expected = rows(read_log(tmp_path))
    path = bucket.url("logs")
    options = LogOptions.parse({"path": path, "maxPartitionBytes": "20000"})
    requests.clear()
    tasks = find_tasks(options)
    assert len(tasks) > 5
    assert not any(".log" in each or ".index" in each for each in requests)
    reader = pickle.loads(pickle.dumps(RowReader(("offset", "value"), options, options.bounds)))
    read = [
        row for task in pickle.loads(pickle.dumps(tasks)) for batch in reader.read(task) for row in batch.to_pylist()
    ]
    assert read == [{"offset": row["offset"], "value": row["value"]} for row in expected]
    borders = [settled(each, Bounds()) for task in tasks for each in task]
    assert [each.end for each in borders[:-1] if not each.ends_file] == [each.start for each in borders if each.start]


@pytest.mark.parametrize(
    "options",
    [
        {"starting_offset": 130, "ending_offset": 150},
        {"starting_timestamp": TIME + 50, "ending_timestamp": TIME + 60},
        {"isolation_level": "read_committed"},
    ],
)
def test_only_what_is_wanted(place: Place, tmp_path: Path, options: Any) -> None:
    log = BrokerLog(tmp_path / "orders-0")
    for number in range(100):
        if number % 40 == 0:
            log.roll()
        log.data(3, size=40)
    log.write()
    place.put_folder(tmp_path, "logs")
    assert rows(read_log(place.url("logs"), **options)) == rows(read_log(tmp_path, **options))


def test_many_folders_are_listed_once(bucket: Bucket, requests: list[str]) -> None:
    (data,) = many_batches(0, 1)
    for number in range(40):
        for base in (0, 3):
            bucket.put(f"logs/orders-{number}/{base:020}.log", data)
    requests.clear()
    logs = find_logs([bucket.url("logs")])
    assert len(logs) == 40
    assert len(requests) <= 43
    requests.clear()
    again = find_logs([segment.path for log in logs for segment in log.segments])
    assert again == logs
    assert len(requests) == 40


def test_a_replaced_object_is_found_again_or_missed(place: Place, tmp_path: Path) -> None:
    write_segment(tmp_path / "orders-0", 0, many_batches(0, 20))
    place.put_folder(tmp_path, "logs")
    options = LogOptions.parse({"path": place.url("logs")})
    (task,) = find_tasks(options)
    write_segment(tmp_path / "orders-0", 0, many_batches(0, 30))
    place.put_folder(tmp_path, "logs")
    reader = RowReader(("offset",), options, options.bounds)
    # A copy of a segment that has grown since still has what was planned, and more.
    assert sum(batch.num_rows for batch in reader.read(task)) == 90
    place.delete(f"logs/orders-0/{0:020}.log")
    with pytest.raises(DataLossError, match="is gone"):
        list(reader.read(task))


def test_types_of_contents(bucket: Bucket) -> None:
    writing.put(bucket.url("page"), b"<p>", "text/html; charset=utf-8")
    assert bucket.content_type("page") == "text/html; charset=utf-8"


class TestErrors:
    def test_a_local_file_that_is_not_there(self, bucket: Bucket, tmp_path: Path) -> None:
        for put in (writing.put, writing.put_new):
            with pytest.raises(FileNotFoundError) as missing:
                put(bucket.url("a"), tmp_path / "nowhere")
            assert missing.value.filename == str(tmp_path / "nowhere")

    def test_what_is_not_there(self, bucket: Bucket) -> None:
        with pytest.raises(LogPathError, match=r"s3://.*/nowhere does not exist here"):
            read_log(bucket.url_with_settings("nowhere"))
        with pytest.raises(CapturePathError, match=r"holds no captures"):
            read_capture(bucket.url("*.pcap"))
        bucket.put("notes/a.txt", b"x")
        with pytest.raises(LogPathError, match="notes holds no Kafka logs"):
            read_log(bucket.url("notes"))

    def test_a_bucket_that_is_not_there(self, bucket: Bucket) -> None:
        with pytest.raises(OSError, match=r"the bucket.* does not exist"):
            read_log("s3://no-such-bucket-anywhere/logs")

    def test_a_store_that_does_not_answer(self, bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("messagegen_arrow.files.object_store._RETRIES", 0)
        with pytest.raises(StoreError, match="check the network, and endpoint and region") as caught:
            read_log(f"s3://{bucket.name}/logs?endpoint=http://127.0.0.1:9")
        assert SECRET_KEY not in str(caught.value)

    def test_without_the_library(self, bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
        _store.cache_clear()
        monkeypatch.setitem(sys.modules, "obstore.store", None)
        with pytest.raises(StoreError, match=r"needs obstore; install it with: pip install 'messagegen\[stores\]'"):
            read_log(bucket.url("logs"))

    def test_a_profile_that_is_not_there(self, bucket: Bucket) -> None:
        with pytest.raises(StoreError, match=r"The config profile .nobody. could not be found"):
            read_log(f"{bucket.url('logs')}?profile=nobody")


def test_profiles(bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    (tmp_path / "credentials").write_text("[auditor]\naws_access_key_id = a\naws_secret_access_key = b\n")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))
    bucket.put("a", b"text")
    with opened(f"{bucket.url('a')}?profile=auditor") as file:
        assert (file.size(), file.read_at(2, 1), file.read_at(9, 3), file.read_at(9, 4)) == (4, b"ex", b"t", b"")


class TestCommand:
    def test_dump_reads_and_writes(self, place: Place, tmp_path: Path) -> None:
        write_orders(tmp_path)
        place.put_folder(tmp_path, "logs")
        out = place.url("out", "rows.jsonl")
        done = CliRunner().invoke(dump, [place.url("logs"), "--columns", "offset", "--output", out])
        assert (done.exit_code, done.output) == (0, "")
        assert [json.loads(line)["offset"] for line in place.get("out/rows.jsonl").splitlines()] == list(range(6))
        again = CliRunner().invoke(dump, [place.url("logs"), "--output", out])
        assert again.exit_code == 1
        assert "File exists" in again.output
        assert place.keys() == [f"logs/orders-0/{0:020}.log", "out/rows.jsonl"]

    def test_what_is_wrong_is_a_message(self, bucket: Bucket) -> None:
        done = CliRunner().invoke(dump, [bucket.url_with_settings("nowhere")])
        assert done.exit_code == 2
        assert f"{bucket.url('nowhere')} does not exist here" in done.output
        done = CliRunner().invoke(dump, ["s3://bucket/a?token=hidden"])
        assert "invalid setting token" in done.output
        assert "hidden" not in done.output
