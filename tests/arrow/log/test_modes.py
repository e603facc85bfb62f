"""Damage in queries without a mode, and options that ``kafka-log`` does not have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from messagegen_arrow import read_log
from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.malformed import MalformedMessageError
from messagegen_arrow.options import OptionError
from tests.arrow.support.log_changes import damaged
from tests.arrow.support.log_data import many_batches, write_segment
from tests.arrow.support.log_reading import numbers


def read(log: Path, **options: str) -> list[dict[str, Any]]:
    return [row for batch in read_log(log, **options) for row in batch.to_pylist()]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    first, second, third = many_batches(0, 3)
    write_segment(tmp_path / "orders-0", 0, [first, damaged(second), third])
    return tmp_path


def test_damage_ends_a_query_without_a_mode(log: Path) -> None:
    with pytest.raises(MalformedMessageError, match=r"\(base offset 3\) can't be read: crc: the checksum is wrong"):
        list(read(log))


@pytest.mark.parametrize("name", ["mode", "Mode", "MODE"])
def test_permissive_mode_returns_a_row_for_each_damaged_part(log: Path, name: str) -> None:
    found = list(read(log, **{name: "permissive"}))
    assert [row["value"] for row in found] == [*numbers(0, 3), None, *numbers(6, 9)]
    assert [row["_error"] is not None for row in found] == [row["value"] is None for row in found]


@pytest.mark.parametrize("name", ["fields", "pushFilters", "types"])
def test_options_that_were_removed_are_unknown(log: Path, name: str) -> None:
    for given in (name, name.upper()):
        with pytest.raises(OptionError, match=f"kafka-log has no option {given}; "):
            LogOptions.parse({"path": str(log), given: "true"})
    with pytest.raises(OptionError, match=r"known options: .*failOnDataLoss, fromLogStart"):
        LogOptions.parse({"path": str(log), "zzz": "red"})
