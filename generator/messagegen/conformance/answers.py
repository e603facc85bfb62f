"""Answers lines of the conformance protocol from generated classes."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, TextIO

from messagegen.generation.loading import load_package


def run(specs: Sequence[Path], package: str | None, lines: Iterable[str], out: TextIO) -> None:
    """Writes one JSON line for each line of ``lines``, in order, using specs or an importable output.

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
        operation, version = question["op"], question["version"]
        message: Any = getattr(messages, question["message"])
        if operation == "encode":
            return {"hex": message.from_json(question["json"], version=version).encode(version=version).hex()}
        if operation not in ("decode", "reencode"):
            return {"error": f"unknown op {operation!r}; expected encode, decode or reencode"}
        value = message.decode(bytes.fromhex(question["hex"]), version=version)
        return (
            {"json": value.to_json(version=version)}
            if operation == "decode"
            else {"hex": value.encode(version=version).hex()}
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        return {"error": f"{type(error).__name__}: {error}"}
