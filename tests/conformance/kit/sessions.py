"""Sessions: the frames of requests and responses, whose headers have different versions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from messagegen.runtime.json_form import message_from_json
from messagegen.runtime.walk import walk_encode
from tests.conformance.kit.messages import Message

_ANY_VERSION: Final = {"errorCode": 35, "apiKeys": [{"apiKey": 18, "minVersion": 0, "maxVersion": 3}]}
_SOFTWARE: Final = {"clientSoftwareName": "kit", "clientSoftwareVersion": "1.0"}


@dataclass(frozen=True, slots=True)
class Step:
    """A frame to write: the name and version of its message, and its JSON, or ``None`` for a usual value."""

    message: str
    version: int
    correlation_id: int
    json: Mapping[str, Any] | None = None


SESSIONS: Final = {
    "api-versions-fallback": (
        Step("ApiVersionsRequest", 4, 1, _SOFTWARE),
        Step("ApiVersionsResponse", 0, 1, _ANY_VERSION),
        Step("ApiVersionsRequest", 3, 2, _SOFTWARE),
        Step("ApiVersionsResponse", 3, 2),
    ),
    "old-headers": (Step("MetadataRequest", 1, 7), Step("MetadataResponse", 1, 7)),
    "flexible-headers": (Step("MetadataRequest", 9, 7), Step("MetadataResponse", 9, 7)),
    "newer-headers": (Step("MetadataRequest", 12, 2**31 - 1), Step("MetadataResponse", 12, 2**31 - 1)),
    "header-without-client-id": (Step("ControlledShutdownRequest", 0, 3), Step("ControlledShutdownResponse", 0, 3)),
}


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame and the parts that Java checks: the bytes of its header and of its body."""

    content: dict[str, Any]
    header: bytes
    body: bytes


def frames_of(messages: Mapping[str, Message]) -> Iterator[Frame]:
    """Yield the frames whose messages and headers a release has."""
    for name, steps in SESSIONS.items():
        for number, step in enumerate(steps):
            message = messages.get(step.message)
            if message is not None and step.version in message.plan.valid_versions:
                yield _frame(messages, message, name, number, step)


def _frame(messages: Mapping[str, Message], message: Message, session: str, number: int, step: Step) -> Frame:
    plan = message.plan
    header_version = message.header_version(step.version)
    assert header_version is not None
    is_request = plan.kind == "request"
    header: dict[str, Any] = {"correlationId": step.correlation_id}
    if is_request:
        header = {"requestApiKey": plan.api_key, "requestApiVersion": step.version, **header}
        header |= {"clientId": "kit"} if header_version else {}
    json = step.json
    if json is None:
        json = message.usual(step.version).json
    parts = [
        _encoded(messages["RequestHeader" if is_request else "ResponseHeader"], header, header_version),
        _encoded(message, json, step.version),
    ]
    body = b"".join(parts)
    content = {
        "session": session,
        "step": number,
        "from": "client" if is_request else "broker",
        "api_key": plan.api_key,
        "api_version": step.version,
        "header_version": header_version,
        "correlation_id": step.correlation_id,
        "header": header,
        "message": plan.name,
        "body_version": step.version,
        "json": json,
        "hex": (len(body).to_bytes(4, "big") + body).hex(),
    }
    return Frame(content, *parts)


def _encoded(message: Message, json: Mapping[str, Any], version: int) -> bytes:
    return walk_encode(message.walked, message_from_json(message.walked, json, version), version)
