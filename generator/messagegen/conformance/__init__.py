"""The conformance protocol: JSON lines as input and output, so that any two implementations can be compared."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

from messagegen.names import message_class


def answer(messages: ModuleType, line: str) -> dict[str, Any]:
    """Return the answer of generated classes to one question; a failure becomes an ``error``."""
    try:
        question = json.loads(line)
        operation, version = question["op"], question["version"]
        message: Any = getattr(messages, message_class(question["message"]))
        if operation == "encode":
            return {"hex": message.from_json(question["json"], version=version).encode(version=version).hex()}
        if operation not in ("decode", "reencode"):
            return {"error": f"unknown op {operation!r}; expected encode, decode or reencode"}
        value = message.decode(bytes.fromhex(question["hex"]), version=version)
        if operation == "decode":
            return {"json": value.to_json(version=version)}
        return {"hex": value.encode(version=version).hex()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        return {"error": f"{type(error).__name__}: {error}"}
