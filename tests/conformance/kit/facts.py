"""Header versions and record batches, from a release's own classes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from tests.oracle.jars import compiled_classes, java_command

_SOURCE: Final = Path(__file__).parent / "java" / "KitFacts.java"


def java_facts(release: str, questions: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the answers of a release's classes: ``header_version``, ``batches`` or ``error``."""
    classes = compiled_classes("kit-facts", [_SOURCE], release)
    text = "".join(f"{json.dumps(question)}\n" for question in questions)
    done = subprocess.run(
        java_command("KitFacts", classes=[classes], release=release),
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]
