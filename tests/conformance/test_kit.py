"""The conformance kit: its lines, their checks by Java, its schema and its archive."""

from __future__ import annotations

import io
import json
import re
import tarfile
import time
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from messagegen.runtime.json_form import message_to_json
from messagegen.runtime.walk import walk_decode
from tests.conformance.kit.__main__ import main
from tests.conformance.kit.archive import NAME, packed, with_checksums
from tests.conformance.kit.batches import all_batches
from tests.conformance.kit.checks import KitError, checked_lines, decode_faults, encode_faults
from tests.conformance.kit.messages import TAGS_REVERSED, Line, Message, json_text, messages_of
from tests.conformance.kit.refused import REASONS, refused_of
from tests.conftest import Golden
from tests.oracle import KAFKA_RELEASE, Answer, Oracle
from tests.support.specs import GOLDEN, PURPOSE_MADE, field, plan_of, plans

SCHEMA = Path(__file__).parent / "kit" / "lines.schema.json"
HEARTBEAT = Line("Heartbeat", 0, "typical", False, {"epoch": 7}, b"\0\7", b"\0\7")


@pytest.fixture(scope="module")
def purpose_made() -> list[Message]:
    return [Message(plan) for plan in plans(PURPOSE_MADE).values()]


def test_the_kit_contains_refused_bytes_for_every_reason(purpose_made: list[Message]) -> None:
    reasons = {reason for message in purpose_made for _, reason, _ in refused_of(message)}
    assert reasons == REASONS.keys()


def test_tagged_fields_in_descending_order_decode_to_the_same_value() -> None:
    tagged = [field(f"Tag{tag}", "int8", taggedVersions="0+", tag=tag) for tag in range(3)]
    message = Message(plan_of(*tagged, validVersions="0", flexibleVersions="0+"))
    (line,) = [line for line in message.lines if line.shape == TAGS_REVERSED]
    assert (line.data.hex(), line.again.hex()) == ("03020103010102000101", "03000101010102020103")
    value, end = walk_decode(message.walked, line.data, 0, 0)
    assert (message_to_json(message.walked, value, 0), end) == (line.json, len(line.data))


@pytest.mark.parametrize(
    "answer",
    [
        {"hex": "0008", "json": {"epoch": 7}},
        {"hex": "0007", "json": {"epoch": 8}},
        {"hex": "0007", "json": {"epoch": 7}, "trailing": 1},
        {"error": "java.lang.RuntimeException"},
    ],
)
def test_a_line_that_java_decodes_differently_is_reported(answer: dict[str, Any]) -> None:
    assert list(decode_faults(HEARTBEAT, Answer({"hex": "0007", "json": {"epoch": 7}}))) == []
    assert len(list(decode_faults(HEARTBEAT, Answer(answer)))) == 1


def test_a_line_that_java_encodes_differently_is_reported() -> None:
    assert list(encode_faults(HEARTBEAT, Answer({"hex": "0007"}))) == []
    assert len(list(encode_faults(HEARTBEAT, Answer({"hex": "0008"})))) == 1
    assert len(list(encode_faults(HEARTBEAT, Answer({"error": "java.lang.RuntimeException"})))) == 1


def test_lines_are_strict_json_in_ascii() -> None:
    assert json_text({"a": "\u2028"}) == '{"a":"\\u2028"}'
    assert (
        json_text({"a": [float("nan"), float("inf"), -float("inf"), 1.5]}) == '{"a":["NaN","Infinity","-Infinity",1.5]}'
    )


def test_record_batches_do_not_depend_on_the_current_time(monkeypatch: pytest.MonkeyPatch) -> None:
    before = list(all_batches())
    monkeypatch.setattr(time, "time", lambda: 1.0)
    assert list(all_batches()) == before


def test_an_archive_depends_only_on_its_files() -> None:
    files = {"b/x.jsonl": b"{}\n", "a": b"1"}
    assert packed(files) == packed(dict(reversed(files.items())))
    with tarfile.open(fileobj=io.BytesIO(packed(files))) as archive:
        assert [(one.name, one.mtime, one.uid) for one in archive] == [(f"{NAME}/a", 0, 0), (f"{NAME}/b/x.jsonl", 0, 0)]
    assert with_checksums(files)["SHA256SUMS"].decode().splitlines()[0] == f"{sha256(b'1').hexdigest()}  a"


def test_the_readme_of_the_kit_names_no_release() -> None:
    introduction = SCHEMA.with_name("README.md").read_text(encoding="utf-8").partition("|")[0]
    assert "`releases.json` lists the releases" in introduction
    assert re.findall(r"\d+\.\d+", introduction) == []


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kit of one release and a few messages."""
    out = tmp_path_factory.mktemp("kit")
    arguments = [
        "--release",
        KAFKA_RELEASE,
        "--message",
        "ApiVersions*",
        "--message",
        "Abort*Record",
        "--out",
        str(out),
    ]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return out / NAME


def lines_of(kit: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted(kit.rglob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield path.relative_to(kit).as_posix(), json.loads(line)


@pytest.mark.java
@pytest.mark.slow
def test_every_line_matches_its_schema(kit: Path) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    lines = list(lines_of(kit))
    assert [(path, error.message) for path, line in lines for error in validator.iter_errors(line)] == []
    assert {path.partition("/")[0] for path, _ in lines} == {"messages", "refused", "batches.jsonl", "sessions.jsonl"}
    spoiled = {**lines[-1][1], "hex": "abc"}
    assert list(validator.iter_errors(spoiled))


@pytest.mark.java
@pytest.mark.slow
def test_a_kit_is_the_same_on_every_machine(kit: Path, golden: Golden) -> None:
    sums = (kit / "SHA256SUMS").read_text(encoding="utf-8")
    for line in sums.splitlines():
        digest, path = line.split("  ")
        assert sha256((kit / path).read_bytes()).hexdigest() == digest
    # Compressed bytes depend on the versions of the libraries.
    kept = [line for line in sums.splitlines(keepends=True) if "/" in line or "sessions" in line]
    golden(GOLDEN / "vectors" / "kit.txt", "".join(kept))


@pytest.mark.java
@pytest.mark.slow
def test_java_finds_each_wrong_byte(oracle: Oracle) -> None:
    """The bytes of unknown tagged fields are an exception: Java keeps them as they are, and JSON does not show them."""
    right = next(message for message in messages_of(KAFKA_RELEASE) if message.plan.name == "LeaveGroupRequest")
    assert len(checked_lines(KAFKA_RELEASE, oracle, [right])) == len(right.lines)
    line = right.usual(right.plan.valid_versions.highest)
    assert len(line.data) > 20
    for place in range(len(line.data)):
        data = line.data[:place] + bytes([line.data[place] ^ 1]) + line.data[place + 1 :]
        wrong = Message(right.plan)
        wrong.__dict__["lines"] = (replace(line, data=data, again=data),)
        with pytest.raises(KitError, match="lines differ from Kafka"):
            checked_lines(KAFKA_RELEASE, oracle, [wrong])


@pytest.mark.java
@pytest.mark.slow
def test_the_example_line_in_the_documentation_is_in_the_kit(kit: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "vectors.md").read_text(encoding="utf-8")
    (line,) = [line for line in page.splitlines() if line.startswith('{"message":"ApiVersionsRequest"')]
    assert line in (kit / "messages" / "ApiVersionsRequest.jsonl").read_text(encoding="utf-8").splitlines()
