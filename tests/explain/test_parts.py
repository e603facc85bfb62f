"""Requests and responses with their headers, and what is not shown of sensitive messages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from messagegen.explain import Explanation, explain_body, explain_request
from messagegen.explain.table import explanation_json, rows, table
from messagegen.generation.messages import Messages
from tests.explain.support import check_tiles, messages_of
from tests.support.specs import OWN

OURS = messages_of(OWN)
SECRET = b"\0user\0pencil"


def frame(name: str, version: int, **fields: Any) -> bytes:
    """A whole frame of a message, with the size before it."""
    message: Any = OURS.cls(name)(**fields)
    data: bytes = message.encode_frame(version=version, correlation_id=7)
    return data


def shown(found: Explanation) -> str:
    """All that an explanation shows, as a table and as JSON."""
    return "\n".join([*table(list(rows(found, full=True))), str(explanation_json(found))])


@pytest.mark.parametrize("sized", [True, False])
def test_a_request_names_its_message_and_version(sized: bool) -> None:
    data = frame("MetadataRequest", 12)
    found = explain_request(data if sized else data[4:], OURS, sized=sized)
    check_tiles(found)
    assert found.problem is None
    outermost = [part.name for part in found.parts if part.depth == 0]
    assert outermost == [*["size"] * sized, "RequestHeader version 2", "MetadataRequest version 12"]
    (header, _), (request, version) = found.messages
    assert (header.correlation_id, request, version) == (7, OURS.cls("MetadataRequest")(), 12)


@pytest.mark.parametrize(
    ("head", "reason", "end"),
    [
        ("03e7 0000", "no request of these specs has API key 999", 4),
        ("0003 03e7", "MetadataRequest has versions", 4),
        ("0003 00", "unexpected end: bytes needed: 2, left: 1", 2),
    ],
)
def test_a_request_that_cannot_be_named(head: str, reason: str, end: int) -> None:
    found = explain_request(bytes.fromhex(head) + b"rest" * (end == 4), OURS)
    check_tiles(found)
    assert found.problem is not None
    assert reason in found.problem.reason
    assert found.end == end
    assert b"rest".hex() not in shown(found)


def test_a_name_chooses_among_messages_of_one_api_key() -> None:
    data = frame("AlterClientQuotasRequest", 1)[4:]
    specs = [OURS.specs[name] for name in ("AlterClientQuotasRequest", "RequestHeader")]
    both = Messages([*specs, replace(OURS.specs["MetadataRequest"], api_key=49)])
    found = explain_request(data, both)
    assert str(found.problem) == "AlterClientQuotasRequest and MetadataRequest of these specs have API key 49 (byte 0)"
    assert explain_request(data, both, "AlterClientQuotasRequest").problem is None
    found = explain_request(data, OURS, "MetadataRequest")
    assert str(found.problem) == "the header has API key 49, but MetadataRequest has another one (byte 0)"


def test_a_size_that_is_wrong() -> None:
    data = bytearray(frame("MetadataRequest", 12))
    data[3] += 1
    found = explain_request(bytes(data), OURS, sized=True)
    assert found.problem is not None
    assert found.problem.reason.startswith(f"the size is {data[3]}, but header and body have")
    found = explain_request(bytes(data) + b"12345", OURS, sized=True)
    assert found.rest == b"12345"
    assert explain_request(b"\0\0", OURS, sized=True).problem is not None


def test_sensitive_values_are_hidden_in_every_form() -> None:
    data = frame("SaslAuthenticateRequest", 2, auth_bytes=SECRET)
    found = explain_request(data, OURS, sized=True)
    assert found.problem is None
    assert SECRET.hex() not in shown(found)
    assert "<redacted>" in shown(found)
    assert SECRET.hex() in shown(explain_request(data, OURS, sized=True, sensitive=True))


@pytest.mark.parametrize("cut", range(1, 30))
def test_no_secret_is_in_what_is_left_of_damaged_bytes(cut: int) -> None:
    found = explain_request(frame("SaslAuthenticateRequest", 2, auth_bytes=SECRET)[:-cut], OURS, sized=True)
    assert found.problem is not None
    assert SECRET[:4].hex() not in shown(found)


def test_a_config_is_hidden_by_its_name_and_where_its_name_is_not_known() -> None:
    cls = OURS.cls("ConfigRecord")
    plan = OURS.plan("ConfigRecord")
    names = {"ssl.key.password": False, "retention.ms": True}
    for name, visible in names.items():
        message = cls.from_json({"resourceType": 4, "resourceName": "1", "name": name, "value": "1234"}, version=0)
        data = message.encode(version=0)
        assert (b"1234".hex() in shown(explain_body(data, plan, 0))) is visible
        # The tag section is missing, so the struct has no end; nobody knows what decides.
        assert b"1234".hex() not in shown(explain_body(data[:-1], plan, 0))
