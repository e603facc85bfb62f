"""Logs that workers write as Parquet: what the jobs of Spark make of the files is tested there."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from messagegen_arrow.catalog import default_catalog
from messagegen_arrow.columns.message_decoder import MessageDecoder
from messagegen_arrow.columns.model import MessageColumns
from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.log.parquet_files import LogFileWriter
from messagegen_arrow.log.rows import RowReader
from messagegen_arrow.log.tasks import find_tasks
from tests.arrow.support.log_data import Batch, Data, write_segment


@pytest.mark.parametrize("folders", [(), ("topic", "partition")])
def test_a_folder_that_is_gone_is_not_made_again(tmp_path: Path, folders: tuple[str, ...]) -> None:
    write_segment(tmp_path / "orders-0", 0, [Batch(0, [Data(value=b"")]).encode()])
    options = LogOptions.parse({"path": str(tmp_path), "columns": "value,_error"})
    table = default_catalog().message("OffsetCommitValue")
    decoder = MessageDecoder(table.name, MessageColumns.of(table, 3, {}), 3, "DROPMALFORMED")
    reader = RowReader(("value", "_error"), options, options.bounds)
    schema = pa.schema([("message", decoder(pa.array([], pa.binary())).type)])
    writer = LogFileWriter(reader, decoder, ("value",), schema, folders, drops=True)
    [ranges] = find_tasks(options)
    staging = tmp_path / "attempts"
    with pytest.raises(FileNotFoundError):
        list(writer.write(ranges, staging))
    assert not staging.exists()
    staging.mkdir()
    [file] = writer.write(ranges, staging)
    assert (file.rows, file.malformed) == (1, 1)
    assert (staging / file.path).is_file()
