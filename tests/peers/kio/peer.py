"""Answers for kio: its readers and writers of entities."""

from __future__ import annotations

import io
from typing import Any

from kio.index import (  # type: ignore[import-not-found]  # only the environment of this peer has it
    UnknownAPIKey,
    UnknownEntity,
    load_request_schema,
    load_response_schema,
)
from kio.serial import entity_reader, entity_writer  # type: ignore[import-not-found]  # likewise


def find(question: dict[str, Any]) -> Any:
    """Return the entity of a message in one version, or ``None``."""
    load = load_request_schema if question["kind"] == "request" else load_response_schema
    try:
        return load(question["api_key"], question["version"])
    except (UnknownAPIKey, UnknownEntity):
        return None


def reencode(entity: Any, data: bytes, version: int) -> bytes:
    """Decode bytes and encode the entity again."""
    value, _ = entity_reader(entity)(data, 0)
    out = io.BytesIO()
    entity_writer(entity)(out, value)
    return out.getvalue()
