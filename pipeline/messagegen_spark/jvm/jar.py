"""The location of the jar in the installed package."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

JAR: Final = "kafka-log.jar"


def jar_in_package() -> Traversable:
    """Return the jar, which does not exist if the package was built without it."""
    return files("messagegen_spark.jvm").joinpath(JAR)
