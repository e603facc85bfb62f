"""`messagegen-data clients` from a user's view: formats, exit codes, and captures that hide clients."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any, Final

import pytest

from messagegen_arrow import captured_clients
from messagegen_arrow.capture.settings import CaptureSettings
from messagegen_arrow.cli import command as cli
from messagegen_kafka import ApiVersionsRequest, SaslAuthenticateRequest, SaslHandshakeRequest
from tests.arrow.support.capture_traffic import Said, Wire, request, sized, write_dump, write_packets, write_pcap

CAPTURED: Final = Path(__file__).parent / "captured.jsonl.gz"
"""The traffic of real clients with a broker of Kafka 3.9; ``test_upgrade.py`` recorded it."""
ONE_WITH_TLS: Final = (
    "1 connection with TLS cannot be read, so capture a listener without TLS, or behind a proxy that ends TLS"
)
TLS_HELLO: Final = bytes.fromhex("160301020001fc0303") + bytes(512)


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = cli.run(["clients", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def documents(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> list[dict[str, Any]]:
    _, out, err = outcome(capsys, *arguments, "--format", "json")
    assert err == ""
    return [json.loads(line) for line in out.splitlines()]


def software(name: str = "shop-client", version: str = "1.2") -> bytes:
    body = ApiVersionsRequest(client_software_name=name, client_software_version=version)
    return request(1, body, 3)


def test_captured_clients_get_the_expected_verdicts(capsys: pytest.CaptureFixture[str]) -> None:
    found = documents(capsys, CAPTURED, "--broker", "4.4.0")
    assert [(each["verdict"], each["clientId"], each["softwareName"], each["softwareVersion"]) for each in found] == [
        ("breaks", "0.10.2.2", None, None),
        ("works", "aiokafka", None, None),
        ("works", "2.4.1", "apache-kafka-java", "2.4.1"),
        ("works", "4.4.0", "apache-kafka-java", "4.4.0"),
        ("works", "librdkafka", "confluent-kafka-python", "2.16.1-rdkafka-2.16.0"),
        ("works", "kafka-python", "kafka-python", "3.0.12"),
    ]
    assert found[0]["apis"][0] == {
        "apiKey": 0,
        "name": "Produce",
        "versions": [2],
        "verdict": "breaks",
        "release": "4.4.0",
        "releaseVersions": "3-13",
    }


def test_a_range_reports_the_first_release_with_the_worst_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    found = {each["clientId"]: each for each in documents(capsys, CAPTURED, "--broker", "3.9..4.4")}
    assert (found["0.10.2.2"]["verdict"], found["0.10.2.2"]["release"]) == ("breaks", "4.0.2")
    assert (found["4.4.0"]["verdict"], found["4.4.0"]["release"]) == ("fell back", "3.9.2")
    assert found["2.4.1"]["verdict"] == "works"


def test_the_exit_code_is_1_if_a_client_breaks(capsys: pytest.CaptureFixture[str]) -> None:
    assert outcome(capsys, CAPTURED, "--broker", "4.4.0")[0] == 1
    assert outcome(capsys, CAPTURED, "--broker", "3.9")[0] == 0


def test_tables_have_the_worst_client_first(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "150")
    _, out, _ = outcome(capsys, CAPTURED, "--broker", "4.4.0")
    head, first, *rest = out.splitlines()
    assert head.split() == ["verdict", "software", "clientId", "apis"]
    assert first.split(maxsplit=2) == ["breaks", "0.10.2.2", "Produce 2 (4.4.0 has 3-13), Metadata 2, ApiVersions 0"]
    assert len(rest) == 5


def test_the_markdown_format_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = outcome(capsys, CAPTURED, "--broker", "4.4.0", "--format", "markdown")
    lines = out.splitlines()
    assert lines[0] == "| verdict | software | clientId | apis |"
    assert lines[1] == "|---|---|---|---|"
    assert lines[2] == "| breaks |  | 0.10.2.2 | Produce 2 (4.4.0 has 3-13), Metadata 2, ApiVersions 0 |"


def test_clients_of_removed_apis_break_and_clients_of_unknown_apis_are_unknown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutdown = bytes.fromhex("0007000300000001000362362d") + b"x"
    unknown = bytes.fromhex("00c8000000000001000362372d") + b"x"
    lines = [{"conn": at, "dir": "request", "hex": frame.hex()} for at, frame in enumerate((shutdown, unknown))]
    code, out, _ = outcome(capsys, write_dump(tmp_path / "a.jsonl", lines), "--broker", "4.4", "--format", "markdown")
    assert code == 1
    assert out.splitlines()[2:] == [
        "| breaks | b6- | ControlledShutdown 3 (4.4.0 has none) |",
        "| unknown: not an API of Kafka | b7- | API key 200 0 (4.4.0 has none) |",
    ]


def test_a_client_is_unknown_if_the_capture_has_no_responses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    produce = "0000000200000002000762696c6c696e6700010000753000000000"
    path = write_dump(tmp_path / "a.jsonl", [{"conn": 1, "dir": "request", "hex": produce}])
    (found,) = documents(capsys, path, "--broker", "4.4.0")
    assert found["verdict"] == "unknown: no offer of the broker"


def test_reports_about_packets_show_addresses_and_principals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packets: list[bytes] = []
    for address in ("10.0.0.1", "10.0.0.3", "fe80::1"):
        wire = Wire(client=address, broker="fe80::2" if ":" in address else "10.0.0.2")
        wire.open()
        wire.say(login())
        wire.close()
        packets += wire.packets
    path = write_packets(tmp_path / "a.pcap", packets)
    (found,) = documents(capsys, path, "--broker", "4.4.0")
    assert (found["addresses"], found["connections"], found["principal"]) == (3, 3, "User:ann")
    assert b"secret" in path.read_bytes()
    table = outcome(capsys, path, "--broker", "4.4.0")[1].splitlines()
    assert table[0].split() == ["verdict", "software", "clientId", "principal", "addresses", "apis"]
    assert table[1].split(maxsplit=6)[:6] == ["works", "shop-client", "1.2", "tests", "User:ann", "3"]
    for form in ("json", "markdown", "table"):
        assert "secret" not in "".join(outcome(capsys, path, "--broker", "4.4.0", "--format", form)[1:])


def login() -> list[Said]:
    token = SaslAuthenticateRequest(auth_bytes=b"\0ann\0secret")
    return [
        (True, sized(software(), request(2, SaslHandshakeRequest(mechanism="PLAIN"), 1), request(3, token, 2))),
    ]


def test_several_files_are_read_as_one_capture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wire = Wire()
    wire.open()
    wire.say([(True, sized(software()))])
    write_packets(tmp_path / "a.pcap1", wire.packets)
    wire.packets.clear()
    wire.say([(True, sized(request(2)))])
    write_packets(tmp_path / "a.pcap2", wire.packets)
    (found,) = documents(capsys, tmp_path, "--broker", "4.4.0")
    assert [found["softwareName"], found["clientId"]] == ["shop-client", "tests"]
    assert [api["name"] for api in found["apis"]] == ["Metadata", "ApiVersions"]


@pytest.mark.parametrize("most", [1, 100])
def test_idle_connections_are_forgotten_but_not_their_clients(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(
        "messagegen_arrow.clients.captures.CaptureSettings", lambda: CaptureSettings((), max_connections=most)
    )
    lines = [{"conn": at, "dir": "request", "hex": software().hex()} for at in range(3)]
    (found,) = documents(capsys, write_dump(tmp_path / "a.jsonl", lines), "--broker", "4.4.0")
    assert found["connections"] == 3


def test_standard_input_is_a_capture(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(CAPTURED.read_bytes())))
    assert outcome(capsys, "-", "--broker", "4.4.0")[0] == 1
    code, _, err = outcome(capsys, "-", CAPTURED, "--broker", "4.4.0")
    assert (code, err.splitlines()[-1]) == (2, "Error: standard input (-) can't be combined with other paths")


def test_a_capture_with_tls_alone_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_pcap(tmp_path / "a.pcap", [(True, TLS_HELLO)])
    code, out, err = outcome(capsys, path, "--broker", "4.4.0")
    assert (code, out) == (2, "")
    assert err == f"Error: expected requests of Kafka clients, found none; {ONE_WITH_TLS}\n"


def test_tls_beside_readable_traffic_makes_the_report_incomplete(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_pcap(tmp_path / "a.pcap", [(True, TLS_HELLO)])
    write_pcap(tmp_path / "b.pcap", [(True, sized(software()))], client_port=40001)
    code, out, err = outcome(capsys, tmp_path, "--broker", "4.4.0")
    assert code == 2
    works, unread = out.splitlines()[1:]
    assert works.startswith("works")
    assert (unread[:24].rstrip(), unread.split("  ")[-1]) == ("unknown: cannot be read", "1 connection with TLS")
    assert err == f"the report is incomplete: {ONE_WITH_TLS}\n"


def test_a_capture_without_requests_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = outcome(capsys, write_pcap(tmp_path / "a.pcap", []), "--broker", "4.4.0")
    assert (code, out) == (2, "")
    assert err == (
        f"Error: expected requests of Kafka clients, found none in {tmp_path}/a.pcap; is it empty, or does it lack the "
        "port of a broker?\n"
    )


LINE = 'expected a line such as {"conn": 1, "dir": "request", "hex": "..."}'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("garbage", "BAD_FILE: it is not a capture; expected pcap, pcapng or a line such as "),
        ("{\n", f"BAD_LINE: line 1 is not a frame: it is not valid JSON; {LINE}"),
        (
            '{"conn": 1, "dir": "request", "hex": "0x"}\n',
            "BAD_LINE: line 1 is not a frame: hex must have hexadecimal digits only",
        ),
        ('{"conn": 1, "hex": "00"}\n', f"BAD_LINE: line 1 is not a frame: it lacks conn, dir or hex; {LINE}"),
        (
            json.dumps({"conn": 1, "dir": "request", "hex": sized(software()).hex()}),
            "BAD_LINE: line 1 is not a frame: its hex begins with the 4-byte size of the frame; write hex without it",
        ),
    ],
)
def test_the_error_for_an_unreadable_file_describes_the_expected_content(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, reason: str
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(text)
    code, out, err = outcome(capsys, path, "--broker", "4.4.0")
    assert (code, out) == (2, "")
    start = "Error: expected requests of Kafka clients, found none; 1 row cannot be read, the first: "
    assert err.startswith(f"{start}{path}: {reason}")


def test_the_error_mentions_both_tls_and_the_other_protocol(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_pcap(tmp_path / "a.pcap", [(True, TLS_HELLO)])
    write_pcap(tmp_path / "b.pcap", [(True, b"GET / HTTP/1.1\r\nHost: broker\r\n\r\n")], client_port=40001)
    _, _, err = outcome(capsys, tmp_path, "--broker", "4.4.0")
    reasons = f"{ONE_WITH_TLS}; 1 row cannot be read, the first: {tmp_path}/b.pcap: NOT_KAFKA: "
    assert err.startswith(f"Error: expected requests of Kafka clients, found none; {reasons}")


def cut(path: Path) -> Path:
    """Remove the end of a file, as of a capture that was copied while it was written."""
    path.write_bytes(path.read_bytes()[:-5])
    return path


def test_a_truncated_capture_prints_a_report_but_exits_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = cut(write_pcap(tmp_path / "a.pcap", [(True, sized(software()))]))
    code, out, err = outcome(capsys, path, "--broker", "4.4.0", "--format", "markdown")
    assert code == 2
    assert out.splitlines()[2].startswith("| works |")
    assert out.splitlines()[3].startswith("| unknown: cannot be read |")
    assert out.splitlines()[3].endswith("| 1 row |")
    reason = "1 row cannot be read, the first: "
    assert err.startswith(
        f"the report is incomplete: {reason}{path}: BAD_FILE: the capture file ends within a packet; "
    )
    assert captured_clients(path).unread in err
    _, out, _ = outcome(capsys, path, "--broker", "4.4.0", "--format", "json")
    assert json.loads(out.splitlines()[-1]) == {"verdict": "unknown: cannot be read", "rows": 1, "tlsConnections": 0}


def test_a_truncated_capture_with_a_breaking_client_exits_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutdown = bytes.fromhex("0007000300000001000362362d") + b"x"
    path = cut(write_pcap(tmp_path / "a.pcap", [(True, sized(shutdown))]))
    assert outcome(capsys, path, "--broker", "4.4.0")[0] == 1


def test_a_frame_that_is_cut_after_its_version_hides_no_client(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_pcap(tmp_path / "a.pcap", [(True, sized(software())), (True, sized(request(2))[:-1])])
    code, out, err = outcome(capsys, path, "--broker", "4.4.0", "--format", "markdown")
    assert (code, err) == (0, "")
    assert "Metadata 9" in out


@pytest.mark.parametrize("form", ["json", "markdown", "table"])
def test_names_of_clients_are_safe_to_print(tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    hostile = "::error::x\u202e\x1b[2J|##[error]y\n"
    path = write_pcap(tmp_path / "a.pcap", [(True, sized(software(hostile, hostile), request(2, client_id=hostile)))])
    code, out, err = outcome(capsys, path, "--broker", "4.4.0", "--format", form)
    assert (code, err) == (0, "")
    for line in out.removesuffix("\n").split("\n"):
        assert line.isprintable()
        assert "##[" not in line
        assert not line.lstrip().startswith("::")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ([CAPTURED], "Missing option '--broker'"),
        ([CAPTURED, "--broker", "5.0"], "unknown release '5.0'; expected one of 2.4.1"),
        ([CAPTURED, "--broker", "4.4..3.9"], "4.4 is newer than 3.9; write the older release first"),
        (["missing.pcap", "--broker", "4.4.0"], "missing.pcap does not exist"),
    ],
)
def test_wrong_usage_is_explained(capsys: pytest.CaptureFixture[str], arguments: list[str | Path], error: str) -> None:
    code, out, err = outcome(capsys, *arguments)
    assert (code, out) == (2, "")
    assert error in err
