"""The conformance protocol for adapters: it needs nothing of messagegen, so that it runs where only the other library is."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

Operation = Callable[[str, int, Any], Any]
"""Takes the name of a message, a version, and JSON or bytes; gives bytes or JSON."""


class UnsupportedError(Exception):
    """Raised for a message, a version or an operation that a library does not have."""


def serve(operations: Mapping[str, Operation]) -> None:
    """Answers each line on standard input; what libraries print goes to standard error."""
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        answers.write(json.dumps(_answer(operations, json.loads(line))) + "\n")
        answers.flush()


def _answer(operations: Mapping[str, Operation], question: Mapping[str, Any]) -> dict[str, Any]:
    operation = operations.get(question["op"])
    if operation is None:
        return {"unsupported": f"no {question['op']}"}
    given = question["json"] if question["op"] == "encode" else bytes.fromhex(question["hex"])
    try:
        got = operation(question["message"], question["version"], given)
    except UnsupportedError as error:
        return {"unsupported": str(error)}
    except Exception as error:  # noqa: BLE001 - whatever a library raises is its answer
        return {"error": f"{type(error).__name__}: {error}"}
    return {"json": got} if question["op"] == "decode" else {"hex": got.hex()}
