"""Answers lines of the conformance protocol from generated classes."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, TextIO

from messagegen.generation.loading import load_package


def run(specs: Sequence[Path], package: str | None, lines: Iterable[str], out: TextIO) -> None:
    """Yields one JSON line for each line of ``lines``, in order, using specs or an importable output.

    Raises ``SpecError``, ``UsageError`` and ``ImportError`` before the first answer, and nothing later.
    """
    messages = importlib.import_module(package) if package else load_package(*specs)
    for line in lines:
        if line.strip():
            out.write(json.dumps(answer(messages, line), ensure_ascii=True) + "\n")
            out.flush()


def answer(messages: ModuleType, line: str) -> dict[str, Any]:
    """The answer to one question; every failure is an ``error``."""
    try:
        question = json.loads(line)
        operation = _OPERATIONS[question["op"]]
        message = getattr(messages, question["message"])
        return operation(message, question, question["version"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        return {"error": f"{type(error).__name__}: {error}"}


def _encode(message: Any, question: Mapping[str, Any], version: int) -> dict[str, Any]:
    return {"hex": message.from_json(question["json"], version=version).encode(version=version).hex()}


def _decode(message: Any, question: Mapping[str, Any], version: int) -> dict[str, Any]:
    return {"json": message.decode(bytes.fromhex(question["hex"]), version=version).to_json(version=version)}


def _reencode(message: Any, question: Mapping[str, Any], version: int) -> dict[str, Any]:
    return {"hex": message.decode(bytes.fromhex(question["hex"]), version=version).encode(version=version).hex()}


_OPERATIONS: dict[str, Callable[[Any, Mapping[str, Any], int], dict[str, Any]]] = {
    "encode": _encode,
    "decode": _decode,
    "reencode": _reencode,
}
