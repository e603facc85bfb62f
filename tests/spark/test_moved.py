from __future__ import annotations

import sys

import pytest

from messagegen_spark.moved import main


@pytest.mark.parametrize(
    ("name", "instead"),
    [("messagegen-pipeline", "readStream.format('kafka-log')"), ("messagegen-advise", "messagegen-data advise")],
)
def test_commands_that_were_removed_say_what_to_use(
    name: str, instead: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [f"/usr/bin/{name}", "decode"])
    with pytest.raises(SystemExit) as left:
        main()
    said = capsys.readouterr().err
    assert left.value.code == 2
    assert said.startswith(f"{name} was removed: ")
    assert instead in said
