"""The small Java programs of this package, compiled."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.oracle.jars import compiled_classes

_SOURCES: Final = Path(__file__).resolve().parent / "java"


def broker_classes() -> Path:
    """The folder with the compiled classes of ``java/``; raises ``OracleSetupError`` without a JDK 17 or newer."""
    return compiled_classes("broker-classes", sorted(_SOURCES.glob("*.java")))
