"""``messagegen explain``, ``decode`` and ``encode`` as users meet them."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from messagegen.cli import run
from messagegen.explain.hex_text import parse_bytes
from tests.conftest import Golden
from tests.explain.support import messages_of
from tests.support.specs import OWN

FOLDER = Path(__file__).parent / "golden"
OURS = messages_of(OWN)
SPEC = """\
{
  "type": "data",
  "name": "SensorReading",
  "validVersions": "0-1",
  "flexibleVersions": "1+",
  "fields": [
    { "name": "Sensor", "type": "string", "versions": "0+" },
    { "name": "Password", "type": "string", "versions": "1+", "sensitive": true },
    { "name": "Id", "type": "uuid", "versions": "0+" },
    { "name": "Key", "type": "bytes", "versions": "0+", "nullableVersions": "0+" },
    { "name": "Replicas", "type": "[]int32", "versions": "0+" },
    { "name": "Samples", "type": "[]Sample", "versions": "0+", "fields": [
      { "name": "TimeMs", "type": "int64", "versions": "0+", "encoding": "packed64" },
      { "name": "Celsius", "type": "float64", "versions": "0+" },
      { "name": "Note", "type": "string", "versions": "1+", "taggedVersions": "1+", "tag": 0 }
    ]}
  ]
}
"""
JSON: dict[str, Any] = {
    "sensor": "roof \u20ac\u202e",
    "password": "pencil",
    "id": "AAAAAAAAAAAAAAAAAAAAAQ",
    "key": None,
    "replicas": [1, -2, 300, 400, 500],
    "samples": [{"timeMs": 1700000000000, "celsius": 21.5, "note": "x" * 100}, {"timeMs": -1, "celsius": 0.0}],
}
NAMED = ["--message", "SensorReading", "--version", "1"]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """The bytes of a message, which are in ``reading.bin`` too; a table names the folder of its spec."""
    monkeypatch.chdir(tmp_path)
    Path("specs").mkdir()
    Path("specs/SensorReading.json").write_text(SPEC)
    Path("pyproject.toml").write_text('[tool.messagegen]\nspecs = ["specs"]\n')
    Path("reading.json").write_text(json.dumps(JSON))
    message = messages_of(Path("specs").absolute()).cls("SensorReading").from_json(JSON, version=1)
    encoded = message.encode(version=1)
    Path("reading.bin").write_bytes(encoded)
    return encoded


def pipe(monkeypatch: pytest.MonkeyPatch, text: str | bytes) -> None:
    """Makes ``text`` the standard input."""
    encoded = text.encode() if isinstance(text, str) else text
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(encoded)))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("table.txt", []),
        ("full.txt", ["--full", "--show-sensitive"]),
        ("parts.json", ["--format", "json"]),
    ],
)
def test_explain(name: str, options: list[str], capsys: pytest.CaptureFixture[str], golden: Golden) -> None:
    assert run(["explain", "reading.bin", *NAMED, *options]) == 0
    out, err = capsys.readouterr()
    assert not err
    golden(FOLDER / name, out)


def test_explain_damaged_bytes(data: bytes, capsys: pytest.CaptureFixture[str], golden: Golden) -> None:
    assert run(["explain", *NAMED, "--hex", data[:70].hex()]) == 1
    out, err = capsys.readouterr()
    golden(FOLDER / "damaged.txt", f"{out}{err}")
    assert run(["explain", *NAMED, "--hex", data[:70].hex(), "--format", "json"]) == 1
    out, err = capsys.readouterr()
    assert not err
    assert json.loads(out)["problem"]["path"] == "samples[0].celsius"


def test_explain_a_request_with_the_official_headers(capsys: pytest.CaptureFixture[str], golden: Golden) -> None:
    message: Any = OURS.cls("MetadataRequest")()
    frame = message.encode_frame(version=12, correlation_id=7, client_id="me").hex(" ")
    assert run(["explain", "--as", "request", "--sized", "--specs", str(OWN), "--hex", frame]) == 0
    golden(FOLDER / "request.txt", capsys.readouterr().out)


@pytest.mark.parametrize(
    "text", ["0572 6F6F 66\n", "0x05 0x72 0x6f\n0x6f 0x66", "05,72:6f,6f,66", r'b"\x05\x72\x6f\x6f\x66"']
)
def test_hex_in_many_forms(text: str) -> None:
    assert parse_bytes(text.encode(), "auto") == b"\x05roof"


@pytest.mark.parametrize("form", ["hex", "base64", "binary"])
def test_there_and_back(
    form: str, data: bytes, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["encode", "reading.json", *NAMED, "--to", form]) == 0
    pipe(monkeypatch, capfdbinary.readouterr().out)
    assert run(["decode", *NAMED, "--show-sensitive", "--from", form]) == 0
    assert json.loads(capfdbinary.readouterr().out) == JSON
    pipe(monkeypatch, "{}")
    assert run(["encode", *NAMED]) == 1
    assert b'sensor: missing field "sensor" (SensorReading version 1)' in capfdbinary.readouterr().err


def test_what_is_redacted_does_not_come_back(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["decode", "reading.bin", *NAMED]) == 0
    out = capsys.readouterr().out
    assert json.loads(out) == JSON | {"password": "<redacted>"}
    pipe(monkeypatch, out)
    assert run(["encode", *NAMED]) == 1
    out, err = capsys.readouterr()
    assert (out, err) == ("", 'a value is "<redacted>"; decode the message with --show-sensitive\n')


def test_decode_a_request_and_a_response(capsys: pytest.CaptureFixture[str]) -> None:
    for name, part, version in (
        ("MetadataRequest", "request", []),
        ("MetadataResponse", "response", ["--version", "9"]),
    ):
        message: Any = OURS.cls(name)()
        frame = message.encode_frame(version=9, correlation_id=7).hex()
        options = ["--specs", str(OWN), "--message", name, *version]
        assert run(["decode", "--as", part, "--sized", *options, "--hex", frame]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["message"], found["version"], found["header"]["correlationId"]) == (name, 9, 7)
        assert found["body"] == message.to_json(version=9)
        assert run(["decode", "--as", part, "--sized", *options, "--hex", frame[:-2]]) == 1
        assert name in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["explain", "--hex", "00"], "Pass --message NAME and --version N."),
        (["explain", "--message", "SensorReading", "--hex", "00"], "SensorReading has versions 0 to 1."),
        (["explain", "--message", "SensorReading", "--version", "2", "--hex", "00"], "0 to 1, not 2."),
        (["explain", "--message", "SensorReadin", "--version", "1", "--hex", "00"], "did you mean SensorReading?"),
        (["explain", *NAMED, "--hex", "0g"], "line 1, column 2: 'g' is not a digit of hex"),
        (["explain", *NAMED, "--hex", "00", "reading.bin"], "Pass either FILE or --hex TEXT."),
        (["explain", *NAMED, "missing.bin"], "missing.bin: No such file or directory"),
        (["explain", *NAMED, "--sized", "--hex", "00"], "--sized requires --as request or --as response."),
        (["explain", "--as", "request", "--version", "1", "--hex", "00"], "A request contains its version"),
        (["explain", "--as", "request", "--hex", "00000000"], "no request of these specs has API key 0"),
        (["explain", "--as", "response", *NAMED, "--hex", "00"], "SensorReading is of type data, not a response."),
        (["explain", *NAMED, "--specs", "kafka:newest", "--hex", "00"], "'newest' is not a Kafka release"),
        (["explain", *NAMED, "reading.json"], "pass --from base64 or --from binary"),
        (["encode", *NAMED, "reading.bin"], "not JSON"),
    ],
)
def test_wrong_usage(arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(arguments)
    out, err = capsys.readouterr()
    assert expected in " ".join(err.replace("\u2502", "").split())
    assert code == (1 if expected in ("no request of these specs has API key 0", "not JSON") else 2)
    assert not out or expected == "no request of these specs has API key 0"
