"""Tables in a folder, and what is in them by their own libraries."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

from messagegen_arrow.tables.opening import open_table
from messagegen_arrow.tables.table import Table
from tests.support.object_store import ACCESS_KEY, REGION, SECRET_KEY, Bucket

# Polars would tell everybody about a package that makes large tables faster.
os.environ.setdefault("POLARS_ICEBERG_PLANNER", "pyiceberg")

FORMATS: Final = ("iceberg", "delta")


def table_at(folder: Path, format_: str) -> Table:
    """A table of a folder; each call is as in another process."""
    pytest.importorskip({"iceberg": "pyiceberg", "delta": "deltalake"}[format_])
    if format_ == "delta":
        return open_table(f"delta:{folder}/delta")
    options = options_of(folder, format_)
    make_namespace(options)
    return open_table("iceberg:lake.kafka.rows", options)


def options_of(folder: Path, format_: str) -> dict[str, str]:
    """What opens the table of a folder besides its name."""
    if format_ == "delta":
        return {}
    return {"type": "sql", "uri": f"sqlite:///{folder}/catalog.db", "warehouse": f"file://{folder}/warehouse"}


def table_on(bucket: Bucket, folder: Path, format_: str) -> tuple[str, dict[str, str]]:
    """The name of a table in a bucket, and the options that open it; the catalog is in a folder."""
    if format_ == "delta":
        options = {
            "AWS_ENDPOINT_URL": bucket.endpoint,
            "AWS_ALLOW_HTTP": "true",
            "AWS_REGION": REGION,
            "AWS_ACCESS_KEY_ID": ACCESS_KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
        }
        return f"delta:{bucket.url('delta')}", options
    options = {
        **options_of(folder, format_),
        "warehouse": bucket.url("warehouse"),
        "s3.endpoint": bucket.endpoint,
        "s3.region": REGION,
        "s3.access-key-id": ACCESS_KEY,
        "s3.secret-access-key": SECRET_KEY,
    }
    make_namespace(options)
    return "iceberg:lake.kafka.rows", options


def make_namespace(options: dict[str, str]) -> None:
    """The namespace ``kafka`` of the catalog."""
    from pyiceberg.catalog import load_catalog  # noqa: PLC0415 - not where it is not installed

    load_catalog("lake", **options).create_namespace_if_not_exists("kafka")


def rows_of(table: Table, order: str = "offset") -> list[dict[str, Any]]:
    """The rows, as Polars reads them."""
    loaded = loaded_table(table)
    frame = pl.read_delta(loaded) if table.name.startswith("delta:") else pl.scan_iceberg(loaded).collect()
    return frame.sort(order).to_dicts()


def referenced(table: Table) -> set[Path]:
    """The files that the table consists of, in a folder."""
    return {Path(url.removeprefix("file://")) for url in files_of(table)}


def files_of(table: Table) -> list[str]:
    """The URLs of the files that the table consists of."""
    loaded = loaded_table(table)
    is_delta = table.name.startswith("delta:")
    return list(loaded.file_uris()) if is_delta else [task.file.file_path for task in loaded.scan().plan_files()]


def files_below(folder: Path) -> set[Path]:
    """The Parquet files of all tables in a folder; not those of Delta's checkpoints."""
    return {path for path in folder.rglob("*.parquet") if "_delta_log" not in path.parts}


def loaded_table(table: Table) -> Any:
    """The table as its library has it, in its newest state."""
    any_table: Any = table
    return any_table.load()
