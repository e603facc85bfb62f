"""An explanation as JSON."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64encode
from dataclasses import asdict
from typing import Any
from uuid import UUID

from messagegen.explain.explanation import Explanation
from messagegen.explain.tree import Kind, Node


def explanation_json(found: Explanation, *, sensitive: bool = False) -> dict[str, Any]:
    """The trees, the bytes that could not be read and why; ``sensitive`` shows the values of sensitive fields."""
    rest = found.rest
    hidden = found.rest_is_sensitive and not sensitive
    return {
        "size": len(found.data),
        "parts": [_node(found.data, node, sensitive=sensitive) for node in found.nodes],
        "rest": {"offset": found.end, "length": len(rest), **_hex(rest, hidden=hidden)} if rest else None,
        "problem": None if found.problem is None else asdict(found.problem),
    }


def json_of(value: object) -> object:
    """A value of a primitive type in Kafka's JSON form."""
    if isinstance(value, UUID):
        return urlsafe_b64encode(value.bytes).rstrip(b"=").decode()
    return b64encode(value).decode() if isinstance(value, bytes) else value


def _node(data: bytes, node: Node, *, sensitive: bool) -> dict[str, Any]:
    hidden = node.sensitive and not sensitive
    found: dict[str, Any] = {
        "kind": node.kind.value,
        "name": node.name,
        "path": node.path,
        "type": node.type,
        "offset": node.offset,
        "length": node.end - node.offset,
        "prefix": node.prefix,
        **_hex(data[node.offset : node.own_end], hidden=hidden),
    }
    if hidden:
        return found
    if node.kind in (Kind.VALUE, Kind.UNKNOWN_TAG) or node.is_null:
        found["value"] = json_of(node.value)
    elif node.kind in (Kind.ARRAY, Kind.TAG_SECTION):
        found["count"] = node.value
    if node.kind not in (Kind.VALUE, Kind.UNKNOWN_TAG):
        found["children"] = [_node(data, child, sensitive=sensitive) for child in node.children]
    return found


def _hex(data: bytes, *, hidden: bool) -> dict[str, Any]:
    return {"redacted": True} if hidden else {"hex": data.hex()}
