"""Answers for kafka-python: the classes that it builds from its own specs."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import kafka.protocol  # type: ignore[import-untyped]  # it has no types
from kafka.protocol.api_message import ApiMessage  # type: ignore[import-untyped]  # it has no types


def _classes(parent: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for child in type.__subclasses__(parent):
        found |= {child.__name__: child, **_classes(child)}
    return found


for module in pkgutil.walk_packages(kafka.protocol.__path__, "kafka.protocol."):
    if ".old" not in module.name and not module.name.endswith("generate_stubs"):
        importlib.import_module(module.name)
CLASSES = _classes(ApiMessage)


def find(question: dict[str, Any]) -> Any:
    """Return the class of a message, or ``None``."""
    cls = CLASSES.get(question["message"])
    return cls if cls is not None and question["version"] <= cls.max_version else None


def reencode(cls: Any, data: bytes, version: int) -> bytes:
    """Decode bytes and encode the message again."""
    return bytes(cls.decode(data, version=version).encode())
