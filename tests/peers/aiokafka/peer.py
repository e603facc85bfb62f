"""Answers for aiokafka: its structs of one message in one version."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import aiokafka.protocol  # type: ignore[import-untyped]  # it has no types
from aiokafka.protocol.api import RequestStruct, Response  # type: ignore[import-untyped]  # it has no types

for module in pkgutil.iter_modules(aiokafka.protocol.__path__, "aiokafka.protocol."):
    importlib.import_module(module.name)


def _structs(kind: str, parent: Any) -> dict[tuple[str, int, int], Any]:
    return {(kind, cls.API_KEY, cls.API_VERSION): cls for cls in parent.__subclasses__()}


STRUCTS = _structs("request", RequestStruct) | _structs("response", Response)


def find(question: dict[str, Any]) -> Any:
    """Return the struct of a message in one version, or ``None``."""
    return STRUCTS.get((question["kind"], question["api_key"], question["version"]))


def reencode(struct: Any, data: bytes, version: int) -> bytes:
    """Decode bytes and encode the struct again."""
    return bytes(struct.decode(data).encode())
