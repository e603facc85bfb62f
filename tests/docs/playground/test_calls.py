"""The calls of the playground, in CPython."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from docs.website.playground.calls import INDEX, Playground, index_of
from tests.docs.setting import ROOT

SPECS = ROOT / "message_specs"
STAND_INS = ROOT / "docs" / "website" / "playground" / "stand_ins"
REQUEST = "0012000400000007 0009 6b61666b612d636c69 00 0a 6b61666b612d636c69 04302e3100"
"""The request ApiVersions 4 with its header, without a size."""
SIZED = f"{len(bytes.fromhex(REQUEST)):08x} {REQUEST}"
METADATA = "0000001d 0003 0009 00000002 0005 61646d696e 00 02 07 6f7264657273 00 01 00 00 00"
"""The request Metadata 9 with its header and size."""
SECRET = {
    "type": "data",
    "name": "Login",
    "validVersions": "0-1",
    "flexibleVersions": "1+",
    "fields": [
        {"name": "User", "type": "string", "versions": "0+"},
        {"name": "Password", "type": "string", "versions": "0+", "sensitive": True},
    ],
}
OWN = json.dumps(SECRET)


@pytest.fixture(scope="module")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Playground:
    folder = tmp_path_factory.mktemp("specs")
    names = (
        "ApiVersionsRequest",
        "ApiVersionsResponse",
        "MetadataRequest",
        "RequestHeader",
        "ResponseHeader",
        "ProduceRequest",
    )
    texts = {f"{name}.json": (SPECS / f"{name}.json").read_bytes() for name in names}
    for file, text in texts.items():
        (folder / file).write_bytes(text)
    (folder / INDEX).write_text(index_of(texts), "utf-8")
    return Playground(folder)


def explained(playground: Playground, text: str, **request: object) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(playground.explain(json.dumps({"text": text, **request})))
    return answer


def rules(answer: dict[str, Any]) -> dict[str, str]:
    return {part["field"]: part["rule"] for part in answer["parts"]}


@pytest.mark.parametrize(("text", "sized"), [(REQUEST, False), (SIZED, True)])
def test_a_request_is_guessed_from_its_header(playground: Playground, text: str, sized: bool) -> None:
    answer = explained(playground, text)
    keys = ("status", "message", "version", "part", "sized")
    assert [answer[key] for key in keys] == ["clean", "ApiVersionsRequest", 4, "request", sized]
    assert sum(part["bytes"] for part in answer["parts"]) == len(bytes.fromhex(text))


def test_each_part_explains_how_its_bytes_are_read(playground: Playground) -> None:
    found = rules(explained(playground, SIZED))
    assert found["client_software_name"] == "compact length: 9 + 1, then 9 bytes of UTF-8"
    assert found["client_id"] == "int16 length: 9, then 9 bytes of UTF-8"
    assert found["tagged fields"] == "the number of tagged fields as a varint: 0"
    assert found["correlation_id"] == "4 bytes, signed"
    assert rules(explained(playground, "0012 0000 00000007 0001 61"))["client_id"].endswith(": 1, then 1 byte of UTF-8")


def test_the_version_of_a_response_is_guessed_from_its_bytes(playground: Playground) -> None:
    body = struct.pack(">ihi", 7, 0, 1) + struct.pack(">hhh", 18, 0, 4)
    answer = explained(playground, body.hex(), message="ApiVersionsResponse", part="response")
    assert (answer["status"], answer["version"]) == ("clean", 0)


def test_a_chosen_version_is_not_guessed(playground: Playground) -> None:
    own = json.dumps({**SECRET, "flexibleVersions": "none"})
    guessed = explained(playground, "0000 0000", own=own)
    chosen = explained(playground, "0000 0000", own=own, version=0)
    assert (guessed["version"], chosen["version"]) == (1, 0)


def test_damaged_bytes_are_explained_up_to_the_damage(playground: Playground) -> None:
    answer = explained(playground, SIZED[:-8])
    assert (answer["status"], answer["message"]) == ("damaged", "ApiVersionsRequest")
    assert answer["problem"]["path"] == "client_software_version"
    assert answer["parts"][-1]["field"] == "(not read)"


def test_the_guess_that_reads_most_bytes_is_shown(playground: Playground) -> None:
    # With a size, these bytes would be a damaged request of another API.
    answer = explained(playground, REQUEST[:-8])
    assert (answer["message"], answer["sized"]) == ("ApiVersionsRequest", False)
    assert answer["problem"]["path"] == "client_software_version"


def test_a_message_without_a_size_is_preferred_if_both_guesses_are_equal(playground: Playground) -> None:
    answer = explained(playground, "0012 0000 00000007 0005 61")
    assert (answer["message"], answer["sized"], answer["problem"]["path"]) == ("ApiVersionsRequest", False, "client_id")


@pytest.mark.parametrize(
    "chosen",
    [
        {"message": "ApiVersionsResponse", "part": "response"},
        {"message": "MetadataRequest", "version": 3, "part": "request"},
        {"part": "body", "version": 1},
        {"own": OWN, "version": 1},
    ],
)
def test_the_request_in_the_header_is_offered_if_the_chosen_message_does_not_fit(
    playground: Playground, chosen: dict[str, object]
) -> None:
    answer = explained(playground, METADATA, **chosen)
    assert answer.get("status") != "clean"
    assert answer["offer"] == {"message": "MetadataRequest", "version": 9}


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        (METADATA, {}),
        (METADATA, {"message": "MetadataRequest", "part": "request"}),
        (METADATA[:-3], {"message": "ApiVersionsResponse"}),
        ("ffff", {"message": "ApiVersionsResponse"}),
    ],
)
def test_no_request_is_offered_if_the_choice_fits_or_the_bytes_are_damaged(
    playground: Playground, text: str, chosen: dict[str, object]
) -> None:
    assert explained(playground, text, **chosen)["offer"] is None


@pytest.mark.parametrize(
    ("chosen", "reason"),
    [
        ({"part": "body"}, "choose the message; only a request contains its API key and version"),
        ({"part": "response"}, "choose the message; only a request contains its API key and version"),
        ({"message": "ApiVersionsRequest", "part": "request"}, "these bytes cannot be read as ApiVersionsRequest; "),
        ({"message": "MetadataRequest", "version": 3}, "these bytes cannot be read as MetadataRequest version 3; "),
        ({"version": 3}, "these bytes cannot be read as a request version 3; "),
    ],
)
def test_the_error_explains_why_a_choice_does_not_fit_the_bytes(
    playground: Playground, chosen: dict[str, object], reason: str
) -> None:
    assert explained(playground, METADATA, **{"part": "request", **chosen})["error"].startswith(reason)


def test_the_error_about_a_truncated_frame_names_its_size(playground: Playground) -> None:
    problem = explained(playground, METADATA[:-6])["problem"]
    assert problem["reason"].endswith("; the size requires 29 bytes after it, found 27")


def test_a_spec_is_returned_as_the_text_of_its_file(playground: Playground) -> None:
    answer = json.loads(playground.spec(json.dumps({"message": "MetadataRequest"})))
    assert answer["text"] == (SPECS / "MetadataRequest.json").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no bytes; paste hex, base64 or a dump"),
        ("7fff 0000 0000 0000", "these bytes do not begin with the header of a request"),
        ("0", "expected two hex digits for each byte"),
    ],
)
def test_unusable_input_is_an_error(playground: Playground, text: str, reason: str) -> None:
    assert reason in explained(playground, text)["error"]


def test_sensitive_fields_are_listed_whether_hidden_or_shown(playground: Playground) -> None:
    data = "0001 61 0002 6869"
    hidden = explained(playground, data, own=OWN, version=0, part="body")
    shown = explained(playground, data, own=OWN, version=0, part="body", sensitive=True)
    assert (hidden["sensitive"], shown["sensitive"]) == (["password"], ["password"])
    assert (hidden["parts"][-1]["value"], shown["parts"][-1]["value"]) == (None, '"hi"')


def test_a_finding_points_at_the_mistake_in_a_spec(playground: Playground) -> None:
    text = OWN.replace('"string"', '"sting"', 1)
    answer = json.loads(playground.check(json.dumps({"text": text})))
    assert (answer["files"], answer["message"]) == ({}, None)
    assert [finding["path"] for finding in answer["findings"]] == ["fields[0].type"]


def test_a_module_is_generated_for_a_valid_spec(playground: Playground) -> None:
    answer = json.loads(playground.check(json.dumps({"text": OWN})))
    assert answer["message"]["name"] == "Login"
    assert "MESSAGE_FILE_NAME" not in {finding["rule"] for finding in answer["findings"]}
    assert "class Login" in answer["files"]["login.py"]


def test_findings_are_warnings_unless_they_prevent_generation(playground: Playground) -> None:
    answer = json.loads(playground.check(json.dumps({"text": OWN})))
    assert "FIELD_ABOUT_WRITTEN" in {finding["rule"] for finding in answer["findings"]}
    assert {finding["severity"] for finding in answer["findings"]} == {"warning"}
    mistake = json.loads(playground.check(json.dumps({"text": OWN.replace('"string"', '"strin"', 1)})))
    assert [finding["severity"] for finding in mistake["findings"]] == ["error"]


def test_an_edit_that_breaks_the_wire_format_is_found(playground: Playground) -> None:
    new = OWN.replace('"string"', '"int32"', 1)
    answer = json.loads(playground.breaking(json.dumps({"old": OWN, "new": new})))
    assert answer["compared"] == 1
    assert any("WIRE" in finding["categories"] for finding in answer["findings"])
    same = json.loads(playground.breaking(json.dumps({"old": OWN, "new": OWN})))
    assert same == {"errors": [], "findings": [], "compared": 1}


def test_specs_of_different_messages_are_not_compared(playground: Playground) -> None:
    answer = json.loads(playground.breaking(json.dumps({"old": OWN.replace("Login", "Reading"), "new": OWN})))
    assert answer == {"errors": [], "findings": [], "compared": 0}


def test_a_renamed_request_is_compared(playground: Playground) -> None:
    old = (SPECS / "MetadataRequest.json").read_text("utf-8")
    new = old.replace('"MetadataRequest"', '"TopicsRequest"')
    answer = json.loads(playground.breaking(json.dumps({"old": old, "new": new})))
    assert answer["compared"] == 1
    assert answer["findings"] != []


def test_errors_in_compared_specs_name_the_old_or_the_new_spec(playground: Playground) -> None:
    answer = json.loads(playground.breaking(json.dumps({"old": OWN, "new": "{"})))
    assert [finding["file"] for finding in answer["errors"]] == ["new.json"]


def test_specs_are_checked_with_the_stand_in_for_rpds(tmp_path: Path) -> None:
    program = (
        "import json, rpds, sys; from docs.website.playground.calls import INDEX, Playground; "
        f"open({str(tmp_path / 'index.json')!r}, 'w').write('[]'); "
        f"print(rpds.__file__, Playground({str(tmp_path)!r}).check(json.dumps({{'text': sys.argv[1]}})))"
    )
    wrong = json.dumps({**SECRET, "valdVersions": "0"})
    environment = {"PYTHONPATH": f"{STAND_INS}:{ROOT}:{ROOT / 'generator'}"}
    command = [sys.executable, "-c", program, wrong]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=tmp_path)
    assert done.stderr == ""
    assert done.stdout.startswith(str(STAND_INS))
    assert "PROPERTY_KNOWN" in done.stdout
