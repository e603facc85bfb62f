"""The small Java programs of this package, compiled."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.oracle.jars import TOOLS_RELEASE, compiled_classes

_SOURCES: Final = Path(__file__).resolve().parent / "java"


def broker_classes() -> Path:
    """The folder with the compiled classes of ``java/``; raises ``OracleSetupError`` without a JDK 17 or newer."""
    return compiled_classes("broker-classes", sorted(_SOURCES.glob("*.java")))


def tool_classes() -> Path:
    """The same with those of ``java/tools/``, for the release of Apache's tools, which does not fit other jars than its own."""
    return compiled_classes("tool-classes", sorted(_SOURCES.rglob("*.java")), TOOLS_RELEASE)
