"""Tables in a folder, and what is in them by their own libraries."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

from messagegen_arrow.tables.opening import open_table
from messagegen_arrow.tables.table import Table

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
    """The files that the table consists of."""
    loaded = loaded_table(table)
    is_delta = table.name.startswith("delta:")
    urls = loaded.file_uris() if is_delta else [task.file.file_path for task in loaded.scan().plan_files()]
    return {Path(url.removeprefix("file://")) for url in urls}


def files_below(folder: Path) -> set[Path]:
    """The Parquet files of all tables in a folder; not those of Delta's checkpoints."""
    return {path for path in folder.rglob("*.parquet") if "_delta_log" not in path.parts}


def loaded_table(table: Table) -> Any:
    """The table as its library has it, in its newest state."""
    any_table: Any = table
    return any_table.load()
