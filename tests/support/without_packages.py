"""Checks a generated package with vectors, on a Python without any packages: it imports only the standard library.

``python without_packages.py FOLDER PACKAGE VECTORS`` prints how many vectors agree, and exits with 1 if one disagrees.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from pathlib import Path
from typing import Any


def agrees(messages: Any, vector: dict[str, Any]) -> bool:
    """Whether the message class reads and writes a vector as it should."""
    cls, version = getattr(messages, vector["message"]), vector["version"]
    data = bytes.fromhex(vector["hex"])
    value = cls.decode(data, version=version)
    # Compared as text, because NaN does not equal itself.
    same = json.dumps(value.to_json(version=version)) == json.dumps(vector["json"])
    same = same and value.encode(version=version) == data
    if vector["unknown_tags"]:
        return same
    return same and bool(cls.from_json(vector["json"], version=version).encode(version=version) == data)


def main(folder: str, name: str, vectors: str) -> None:
    """Import every module of the package, and check every line of the file of vectors."""
    sys.path.insert(0, folder)
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, f"{name}."):
        importlib.import_module(module.name)
    lines = Path(vectors).read_text(encoding="utf-8").splitlines()
    wrong = [line for line in lines if not agrees(package, json.loads(line))]
    sys.stdout.write(f"{len(lines) - len(wrong)} of {len(lines)} vectors agree\n")
    if wrong:
        sys.exit("\n".join(wrong[:5]))


if __name__ == "__main__":
    main(*sys.argv[1:])
