"""The loop of all peers in Python: ``python loop.py PEER.py`` answers JSON lines, as docs/vectors.md describes.

A peer is a module with two functions: ``find`` returns the library's class for a question, or ``None``, and
``reencode`` decodes bytes with it and returns them encoded again.
"""

from __future__ import annotations

import json
import runpy
import sys
from typing import Any


def answer(peer: dict[str, Any], question: dict[str, Any]) -> dict[str, str]:
    """Return the answer to one question; whatever the library raises becomes an error."""
    if question["op"] != "reencode":
        return {"unsupported": question["op"]}
    found = peer["find"](question)
    if found is None:
        return {"unsupported": f"{question['message']}, version {question['version']}"}
    try:
        return {"hex": peer["reencode"](found, bytes.fromhex(question["hex"]), question["version"]).hex()}
    except Exception as error:  # noqa: BLE001 - libraries raise anything
        return {"error": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    module = runpy.run_path(sys.argv[1])
    for line in sys.stdin:
        sys.stdout.write(json.dumps(answer(module, json.loads(line))) + "\n")
        sys.stdout.flush()
