"""The commands ``messagegen explain``, ``decode`` and ``encode``, and their output."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from messagegen.cli import run
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
    """The bytes of a message, also written to ``reading.bin`` beside the message's spec and a settings table."""
    monkeypatch.chdir(tmp_path)
    Path("specs").mkdir()
    Path("specs/SensorReading.json").write_text(SPEC)
    Path("pyproject.toml").write_text('[tool.messagegen]\nspecs = ["specs"]\n')
    Path("reading.json").write_text(json.dumps(JSON))
    message = messages_of(Path("specs").absolute()).plan("SensorReading").cls.from_json(JSON, version=1)
    encoded: bytes = message.encode(version=1)
    Path("reading.bin").write_bytes(encoded)
    return encoded


def pipe(monkeypatch: pytest.MonkeyPatch, text: str | bytes) -> None:
    """Replace standard input by ``text``."""
    encoded = text.encode() if isinstance(text, str) else text
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(encoded)))


@pytest.mark.parametrize(("name", "options"), [("table.txt", []), ("sensitive.txt", ["--show-sensitive"])])
def test_explain_prints_a_table_of_parts(
    name: str, options: list[str], capsys: pytest.CaptureFixture[str], golden: Golden
) -> None:
    assert run(["explain", "--binary", "reading.bin", *NAMED, *options]) == 0
    out, err = capsys.readouterr()
    assert not err
    golden(FOLDER / name, out)


def test_explain_prints_the_parts_before_damaged_bytes(
    data: bytes, capsys: pytest.CaptureFixture[str], golden: Golden, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe(monkeypatch, data[:70].hex())
    assert run(["explain", *NAMED]) == 1
    out, err = capsys.readouterr()
    golden(FOLDER / "damaged.txt", f"{out}{err}")


def test_explain_prints_parts_as_json(data: bytes, capsys: pytest.CaptureFixture[str], golden: Golden) -> None:
    assert run(["explain", "--binary", "reading.bin", *NAMED, "--format", "json"]) == 0
    out, err = capsys.readouterr()
    assert not err
    golden(FOLDER / "parts.json", out)
    parts = json.loads(out)["parts"]
    assert sum(part["bytes"] for part in parts) == len(data)
    assert [part["field"] for part in parts if part["redacted"]] == ["password"]


def test_explain_prints_damaged_bytes_as_json(
    data: bytes, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe(monkeypatch, data[:70].hex())
    assert run(["explain", *NAMED, "--format", "json"]) == 1
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert not err
    assert found["status"] == "damaged"
    assert found["problem"]["message"] == "SensorReading"
    assert found["problem"]["path"] == "samples[0].celsius"
    last = found["parts"][-1]
    assert (last["field"], last["hex"], last["redacted"]) == ("(not read)", None, True)
    assert last["value"] == "may be sensitive; --show-sensitive shows it"


def test_explain_reads_a_request_with_the_official_headers(
    capsys: pytest.CaptureFixture[str], golden: Golden, monkeypatch: pytest.MonkeyPatch
) -> None:
    message: Any = OURS.plan("MetadataRequest").cls()
    pipe(monkeypatch, message.encode_frame(version=12, correlation_id=7, client_id="me").hex(" "))
    assert run(["explain", "--as", "request", "--sized", "--specs", str(OWN)]) == 0
    golden(FOLDER / "request.txt", capsys.readouterr().out)


@pytest.mark.parametrize("binary", [[], ["--binary"]])
def test_decode_returns_the_json_that_encode_read(
    binary: list[str], capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["encode", "reading.json", *NAMED, *binary]) == 0
    pipe(monkeypatch, capfdbinary.readouterr().out)
    assert run(["decode", *NAMED, "--show-sensitive", *binary]) == 0
    assert json.loads(capfdbinary.readouterr().out) == JSON
    pipe(monkeypatch, "{}")
    assert run(["encode", *NAMED]) == 1
    assert b'sensor: missing field "sensor" (SensorReading version 1)' in capfdbinary.readouterr().err


def test_encode_rejects_redacted_values(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(["decode", "--binary", "reading.bin", *NAMED]) == 0
    out = capsys.readouterr().out
    assert json.loads(out) == JSON | {"password": "<redacted>"}
    pipe(monkeypatch, out)
    assert run(["encode", *NAMED]) == 1
    out, err = capsys.readouterr()
    assert (out, err) == ("", 'a value is "<redacted>"; decode the message with --show-sensitive\n')


def test_decode_reads_requests_and_responses_with_headers(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, part, version in (
        ("MetadataRequest", "request", []),
        ("MetadataResponse", "response", ["--version", "9"]),
    ):
        message: Any = OURS.plan(name).cls()
        frame = message.encode_frame(version=9, correlation_id=7).hex()
        command = ["decode", "--as", part, "--sized", "--specs", str(OWN), "--message", name, *version]
        pipe(monkeypatch, frame)
        assert run(command) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["message"], found["version"], found["header"]["correlationId"]) == (name, 9, 7)
        assert found["body"] == message.to_json(version=9)
        pipe(monkeypatch, frame[:-2])
        assert run(command) == 1
        assert name in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "text", "expected"),
    [
        (["explain"], "00", "Pass --message NAME and --version N."),
        (["explain", "--message", "SensorReading"], "00", "Pass --message NAME and --version N."),
        (["explain", "--message", "SensorReading", "--version", "2"], "00", "0 to 1, not 2"),
        (["explain", "--message", "SensorReadin", "--version", "1"], "00", "did you mean SensorReading?"),
        (["explain", *NAMED], "0g", "invalid hex (non-hexadecimal number found"),
        (["explain", *NAMED, "missing.bin"], "", "missing.bin: No such file or directory"),
        (["explain", *NAMED, "--sized"], "00", "--sized requires --as request or --as response."),
        (["explain", "--as", "request", "--version", "1"], "00", "A request contains its version"),
        (["explain", "--as", "request"], "00000000", "API key 0; requests of these specs with that key: none"),
        (["explain", "--as", "response", *NAMED], "00", "SensorReading is of type data, not a response."),
        (["explain", *NAMED, "--specs", "kafka:newest"], "00", "'newest' is not a Kafka release"),
        (["explain", *NAMED, "reading.bin"], "", "the input is binary, not hex; pass --binary"),
        (["encode", *NAMED, "reading.bin"], "", "not JSON"),
    ],
)
def test_wrong_usage_is_an_error(
    arguments: list[str],
    text: str,
    expected: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pipe(monkeypatch, text)
    code = run(arguments)
    out, err = capsys.readouterr()
    assert expected in " ".join(err.split())
    assert (code, out) == (1 if expected == "not JSON" else 2, "")


class TestSpecsThatAreNotNeeded:
    """Commands check only the specs of the message and of headers, unless the message is missing."""

    @pytest.fixture(autouse=True)
    def specs(self) -> None:
        Path("specs/Broken.json").write_text('{ "type": "data", "name": "Broken" }')
        for name in ("ApiVersionsRequest", "RequestHeader", "ResponseHeader"):
            Path(f"specs/{name}.json").write_bytes((OWN / f"{name}.json").read_bytes())

    @pytest.mark.parametrize("command", ["explain", "decode"])
    def test_bytes_of_a_named_message_are_read(self, command: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert run([command, *NAMED, "--binary", "reading.bin"]) == 0, capsys.readouterr().err

    def test_json_of_a_named_message_is_encoded(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["encode", *NAMED, "reading.json"]) == 0, capsys.readouterr().err

    @pytest.mark.parametrize("name", [[], ["--message", "ApiVersionsRequest"]])
    def test_the_api_key_of_a_request_selects_its_message(
        self, name: list[str], capsys: pytest.CaptureFixture[str]
    ) -> None:
        Path("request.hex").write_text("0012 0000 00000001 0001 61")
        assert run(["explain", "--as", "request", *name, "request.hex"]) == 0, capsys.readouterr().err
        assert "api_key" in capsys.readouterr().out

    def test_a_message_whose_name_contains_an_escape_is_found(self, capsys: pytest.CaptureFixture[str]) -> None:
        Path("specs/Broken.json").unlink()
        Path("specs/SensorReading.json").write_text(SPEC.replace('"SensorReading"', '"Sensor\\u0052eading"'))
        assert run(["encode", *NAMED, "reading.json"]) == 0, capsys.readouterr().err

    def test_all_specs_are_checked_if_the_message_is_missing(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["encode", "--message", "SensorReadin", "--version", "1", "reading.json"]) != 0
        assert "Broken.json" in capsys.readouterr().err
        Path("specs/Broken.json").unlink()
        assert run(["encode", "--message", "SensorReadin", "--version", "1", "reading.json"]) != 0
        assert "did you mean SensorReading?" in capsys.readouterr().err
