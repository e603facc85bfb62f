"""The command ``plan``: a table of the fields of each struct, with a column for each version."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from messagegen.cli import run

SPEC = {
    "type": "request",
    "name": "ReadRequest",
    "apiKey": 7,
    "validVersions": "0-10",
    "flexibleVersions": "9+",
    "fields": [
        {"name": "Id", "type": "int64", "versions": "0+", "encoding": {"0-1": "fixed64", "2+": "packed32"}},
        {"name": "Note", "type": "string", "versions": "1+", "nullableVersions": "3+"},
        {
            "name": "Rack",
            "type": "string",
            "versions": "9+",
            "taggedVersions": "10+",
            "tag": 0,
            "nullableVersions": "10+",
        },
        {"name": "Data", "type": "records", "versions": "0", "nullableVersions": "0"},
        {
            "name": "Topics",
            "type": "[]Topic",
            "versions": "0+",
            "fields": [{"name": "Name", "type": "string", "versions": "0-8"}],
        },
    ],
}
TABLE = """\
ReadRequest: request 7, versions 0-10, flexible 9-10
ReadRequest  type                       0  1  2  3  4  5  6  7  8  9 10
  Id         int64 (packed32 in 2-10)   x  x  x  x  x  x  x  x  x  x  x
  Note       string                        x  x  ?  ?  ?  ?  ?  ?  ?  ?
  Rack       string                                                x t?
  Data       records                    ?
  Topics     []Topic                    x  x  x  x  x  x  x  x  x  x  x

Topic   type     0  1  2  3  4  5  6  7  8  9 10
  Name  string   x  x  x  x  x  x  x  x  x
"""


def test_the_fields_of_each_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ReadRequest.json").write_text(json.dumps(SPEC))
    monkeypatch.chdir(tmp_path)
    assert run(["plan", "--specs", "ReadRequest.json"]) == 0
    assert capsys.readouterr().out == TABLE
