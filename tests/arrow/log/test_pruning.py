"""Indexes reduce the bytes to read, and wrong indexes change nothing."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.arrow.support.log_data import TIME
from tests.arrow.support.log_model import BrokerLog
from tests.arrow.support.log_reading import values


def found(log: BrokerLog, **options: str) -> list[int]:
    return [int(value or b"") for value in values(log.folder, **options)]


@settings(max_examples=30)
@given(st.data())
def test_wrong_indexes_do_not_change_the_selected_rows(data: st.DataObject) -> None:
    times = data.draw(st.lists(st.integers(0, 50), min_size=1, max_size=60))
    with TemporaryDirectory() as folder:
        log = BrokerLog(Path(folder) / "orders-0", interval=100)
        for number, time in enumerate(times):
            log.data(1, time=TIME + time)
            if data.draw(st.integers(0, 9)) == 0 and number:
                log.roll()
        for file in sorted(log.write().glob("*index")):
            content = bytearray(file.read_bytes())
            what = data.draw(st.sampled_from(["right", "right", "gone", "cut", "zeros", "noise"]))
            if what == "gone":
                file.unlink()
            elif what == "cut":
                file.write_bytes(content[: data.draw(st.integers(0, len(content)))])
            elif what == "zeros":
                file.write_bytes(bytes(len(content)))
            elif what == "noise":
                file.write_bytes(data.draw(st.binary(max_size=200)))
        first, last, early = (data.draw(st.integers(0, 60)) for _ in range(3))
        options = {"startingOffset": str(first), "endingOffset": str(last), "startingTimestamp": str(TIME + early)}
        options["maxPartitionBytes"] = data.draw(st.sampled_from(["100", "1000", "1m"]))
        expected = [
            each.base_offset for each in log.logged if first <= each.base_offset < last and each.time >= TIME + early
        ]
        assert found(log, **options) == expected
