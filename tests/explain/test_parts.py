"""Requests and responses with their headers, and hidden parts of sensitive messages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from messagegen.explain import Explanation, explain, table
from messagegen.findings import UsageError
from messagegen.generation.messages import Messages
from tests.explain.support import check_tiles, messages_of
from tests.support.specs import OWN

OURS = messages_of(OWN)
SECRET = b"\0user\0pencil"


def frame(name: str, version: int, **fields: Any) -> bytes:
    """Return the frame of a message, including its size prefix."""
    cls: Any = OURS.plan(name).cls
    data: bytes = cls(**fields).encode_frame(version=version, correlation_id=7)
    return data


def request(data: bytes, *, sized: bool = True, sensitive: bool = False) -> Explanation:
    plan, version = OURS.request(data[4 * sized :], None)
    return explain(data, [OURS.header(plan, version), (plan, version)], sized=sized, sensitive=sensitive)


def shown(found: Explanation) -> str:
    """Return the table of an explanation without blanks."""
    return "\n".join(table(found.parts, found.data)).replace(" ", "")


@pytest.mark.parametrize("sized", [True, False])
def test_the_header_of_a_request_selects_its_message_and_version(sized: bool) -> None:
    data = frame("MetadataRequest", 12)
    found = request(data if sized else data[4:], sized=sized)
    check_tiles(found)
    assert found.problem is None
    outermost = [part.name for part in found.parts if part.depth == 0]
    assert outermost == [*["size"] * sized, "RequestHeader version 2", "MetadataRequest version 12"]
    (header, _), (message, version) = found.messages
    assert (header.correlation_id, message, version) == (7, OURS.plan("MetadataRequest").cls(), 12)


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ("03e7 0000", "API key 999; requests of these specs with that key: none"),
        ("0003 03e7", "MetadataRequest has versions 0 to 13, not 999"),
        ("0003 00", "a request begins with its API key and version; bytes left: 3"),
    ],
)
def test_an_unknown_request_is_an_error(head: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        OURS.request(bytes.fromhex(head), None)


def test_a_message_name_resolves_an_ambiguous_api_key() -> None:
    data = frame("AlterClientQuotasRequest", 1)[4:]
    other = replace(OURS.specs["MetadataRequest"], api_key=49)
    both = Messages({**OURS.specs, other.name: other})
    with pytest.raises(UsageError, match="AlterClientQuotasRequest, MetadataRequest"):
        both.request(data, None)
    assert both.request(data, "AlterClientQuotasRequest")[0].name == "AlterClientQuotasRequest"
    with pytest.raises(UsageError, match="API key 49; requests of these specs with that key: none"):
        OURS.request(data, "MetadataRequest")


def test_a_wrong_size_is_reported() -> None:
    data = bytearray(frame("MetadataRequest", 12))
    data[3] += 1
    found = request(bytes(data))
    assert found.problem is not None
    assert found.problem.reason == f"the size is {data[3]}, not {data[3] - 1}"
    found = request(bytes(data) + b"12345")
    assert found.data[found.parts[-1].offset :] == b"12345"


def test_the_error_about_a_truncated_frame_names_its_size() -> None:
    data = frame("MetadataRequest", 12)
    whole, found = (request(each).problem for each in (data[:-1], data[:-1] + b"\2"))
    assert whole is not None
    assert whole.reason.endswith(f"; the size requires {data[3]} bytes after it, found {data[3] - 1}")
    assert found is not None
    assert "the size" not in found.reason


def test_sensitive_values_are_hidden() -> None:
    data = frame("SaslAuthenticateRequest", 2, auth_bytes=SECRET)
    found = request(data)
    check_tiles(found)
    assert found.problem is None
    assert SECRET.hex() not in shown(found)
    assert "<redacted>" in shown(found)
    assert SECRET.hex() in shown(request(data, sensitive=True))


@pytest.mark.parametrize("cut", range(1, 22))
def test_the_rest_of_damaged_bytes_contains_no_secret(cut: int) -> None:
    found = request(frame("SaslAuthenticateRequest", 2, auth_bytes=SECRET)[:-cut])
    check_tiles(found)
    assert found.problem is not None
    assert SECRET[:4].hex() not in shown(found)


def test_a_config_value_is_hidden_if_its_name_is_sensitive_or_unknown() -> None:
    plan = OURS.plan("ConfigRecord")
    names = {"ssl.key.password": False, "retention.ms": True}
    for name, visible in names.items():
        message = plan.cls.from_json({"resourceType": 4, "resourceName": "1", "name": name, "value": "1234"}, version=0)
        data = message.encode(version=0)
        assert (b"1234".hex() in shown(explain(data, [(plan, 0)]))) is visible
        # The tag section is missing, so the struct has no end, and the deciding field is unknown.
        assert b"1234".hex() not in shown(explain(data[:-1], [(plan, 0)]))
