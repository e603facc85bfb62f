"""Logs in an object store have the same rows as the same files on a disk."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from messagegen_arrow import consumer_lag_history, metadata_history, read_capture, read_log
from messagegen_arrow.capture.files import CapturePathError
from messagegen_arrow.cli import command as cli
from messagegen_arrow.files import StoredFile, StoreError
from messagegen_arrow.log.errors import DataLossError, LogPathError
from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.log.planning import LogPlanner
from messagegen_arrow.log.rows import RowReader
from tests.arrow.support.broker_folder import write_log_dir, write_orders
from tests.arrow.support.history_data import write_broker
from tests.arrow.support.log_data import many_batches, write_segment
from tests.arrow.support.log_model import BrokerLog
from tests.support.object_store import SECRET_KEY, Bucket

pytest.importorskip("obstore", reason="obstore is not installed: `make test` installs it")


def rows(stream: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pa.table(stream).drop_columns("path").to_pylist()
    return found


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that collects the requests to the store, each as method and key."""
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


@pytest.mark.slow
def test_log_folders_in_a_store_equal_local_folders(bucket: Bucket, tmp_path: Path) -> None:
    folder = write_log_dir(tmp_path / "logs")
    write_orders(tmp_path / "damaged", damaged=[2])
    bucket.put_folder(tmp_path, "backup")
    for name in ("logs", "damaged", "*/orders-?", f"logs/orders-0/{0:020}.log"):
        local = read_log(*map(str, sorted(tmp_path.glob(name))), include_control=True, mode="PERMISSIVE")
        stored = read_log(bucket.url("backup", *name.split("/")), include_control=True, mode="PERMISSIVE")
        assert rows(stored) == rows(local), name
    assert rows(read_log(f"file://{folder}")) == rows(read_log(folder))


@pytest.mark.slow
def test_histories_and_dumps_are_read_from_a_store(
    bucket: Bucket, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = write_broker(tmp_path / "logs")
    bucket.put_folder(tmp_path, "x")
    url = bucket.url("x", "logs")
    for history in (_lags, metadata_history):
        assert pa.table(history(url)) == pa.table(history(logs))
    assert cli.run(["dump", url, "--topic", "orders"]) == 0
    assert '"topic":"orders"' in capsys.readouterr().out


@pytest.mark.slow
def test_large_segments_are_split_into_tasks_without_being_opened(
    bucket: Bucket, tmp_path: Path, requests: list[str]
) -> None:
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
    tasks = LogPlanner(options).plan()
    assert len(tasks) > 5
    assert not any(".log" in each or ".index" in each for each in requests)
    reader = RowReader(("offset", "value"), options)
    read = [row for task in tasks for batch in reader.read(task) for row in batch.to_pylist()]
    assert read == [{"offset": row["offset"], "value": row["value"]} for row in expected]


def test_a_replaced_object_is_read_and_a_deleted_object_is_reported(bucket: Bucket, tmp_path: Path) -> None:
    write_segment(tmp_path / "orders-0", 0, many_batches(0, 20))
    bucket.put_folder(tmp_path, "logs")
    options = LogOptions.parse({"path": bucket.url("logs")})
    (task,) = LogPlanner(options).plan()
    write_segment(tmp_path / "orders-0", 0, many_batches(0, 30))
    bucket.put_folder(tmp_path, "logs")
    reader = RowReader(("offset",), options)
    # If a segment has grown since planning, its new copy still contains the planned bytes.
    assert sum(batch.num_rows for batch in reader.read(task)) == 90
    bucket.delete(f"logs/orders-0/{0:020}.log")
    with pytest.raises(DataLossError, match="is gone"):
        list(reader.read(task))


class TestErrors:
    def test_missing_objects_are_reported(self, bucket: Bucket, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(LogPathError, match=r"s3://.*/nowhere does not exist"):
            read_log(bucket.url("nowhere"))
        assert cli.run(["dump", bucket.url("nowhere")]) == 2
        assert "nowhere does not exist" in capsys.readouterr().err
        bucket.put("notes/a.txt", b"x")
        with pytest.raises(LogPathError, match="notes holds no Kafka logs"):
            read_log(bucket.url("notes"))
        with pytest.raises(OSError, match="NoSuchBucket"):
            read_log("s3://no-such-bucket-anywhere/logs")

    def test_captures_in_a_store_are_refused(self, bucket: Bucket) -> None:
        with pytest.raises(CapturePathError, match="captures are read from local files; copy it first"):
            read_capture(bucket.url("a.pcap"))

    def test_refused_access_is_reported(self, bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("messagegen_arrow.files.stores._store", lambda *_: _refusing())
        with pytest.raises(StoreError, match="check credentials, region and endpoint in the environment") as caught:
            read_log(bucket.url("logs"))
        assert SECRET_KEY not in str(caught.value)
        assert "signature" not in str(caught.value)

    def test_a_missing_library_is_reported(self, bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "obstore.exceptions", None)
        with pytest.raises(StoreError, match="needs obstore; install it with `pip install obstore`"):
            read_log(bucket.url("logs"))


class _Refusing:
    def list_with_delimiter(self, _: str) -> None:
        from obstore.exceptions import GenericError  # noqa: PLC0415 - optional

        raise GenericError(f"GET https://host/logs?signature=x&key={SECRET_KEY} failed\n\nDebug source: {SECRET_KEY}")


def _refusing(*_: object) -> _Refusing:
    return _Refusing()


def test_parts_of_an_object_are_read(bucket: Bucket) -> None:
    bucket.put("a", b"text")
    file = StoredFile(bucket.url("a"))
    assert (file.size(), file.read_at(2, 1), file.read_at(9, 3), file.read_at(9, 4)) == (4, b"ex", b"t", b"")
