"""Vectors as files: an index of all, and the bytes of each as a seed for fuzzers.

``vectors.jsonl`` has a line of JSON for each vector, in the words of the conformance protocol. ``vectors.json`` has the format,
the number of vectors and the SHA-256 of the index. ``seeds/MESSAGE/VERSION/SHAPE.bin`` are the bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, Final

from messagegen.vectors.make import Vector

FORMAT: Final = 2
INDEX: Final = "vectors.jsonl"
SUMMARY: Final = "vectors.json"


def files(vectors: Iterable[Vector]) -> dict[str, str | bytes]:
    """The files of vectors, texts and bytes by relative POSIX path."""
    found: dict[str, str | bytes] = {}
    lines: list[str] = []
    for vector in vectors:
        found[f"seeds/{vector.message}/{vector.version}/{vector.shape}.bin"] = vector.data
        parts: dict[str, Any] = {
            "message": vector.message,
            "version": vector.version,
            "shape": vector.shape,
            "unknown_tags": vector.unknown_tags,
            "json": vector.json,
            "hex": vector.data.hex(),
            "longer": vector.longer and vector.longer.hex(),
        }
        lines.append(json.dumps(parts) + "\n")
    index = "".join(lines)
    summary = {"format": FORMAT, "vectors": len(lines), "sha256": sha256(index.encode()).hexdigest()}
    return {SUMMARY: json.dumps(summary, indent=2) + "\n", INDEX: index, **found}


def digest(of: Mapping[str, str | bytes]) -> str:
    """The SHA-256 of the index among files, in hex."""
    return str(json.loads(of[SUMMARY])["sha256"])
