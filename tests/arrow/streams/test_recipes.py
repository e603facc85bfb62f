"""The documentation's recipes for tables run unchanged, if their library is installed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.arrow.support.history_data import write_broker

PAGE = Path(__file__).resolve().parents[3] / "docs" / "logs-and-captures.md"
RECIPES = {
    library: code
    for code, library in re.findall(
        r"^```py\n(.*?from (\w+).*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
}


def run_twice(library: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(library, reason=f"{library} is not installed: `make test` installs it")
    monkeypatch.chdir(folder)
    write_broker(folder / "kafka-logs")
    (folder / "warehouse").mkdir()
    for _ in range(2):
        exec(compile(RECIPES[library], f"{PAGE.name} ({library})", "exec"), {})


def test_the_delta_recipe_runs_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_twice("deltalake", tmp_path, monkeypatch)
    from deltalake import DeltaTable  # noqa: PLC0415 - optional

    assert sorted(DeltaTable("orders-table").to_pyarrow_table()["offset"].to_pylist()) == sorted([*range(10)] * 2)


@pytest.mark.slow
def test_the_iceberg_recipe_runs_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_twice("pyiceberg", tmp_path, monkeypatch)
    from pyiceberg.catalog import load_catalog  # noqa: PLC0415 - optional

    catalog = load_catalog("lake", type="sql", uri="sqlite:///lake.db", warehouse="warehouse")
    assert sorted(catalog.load_table("kafka.orders").scan().to_arrow()["offset"].to_pylist()) == sorted(
        [*range(10)] * 2
    )
