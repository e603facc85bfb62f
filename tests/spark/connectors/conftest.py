"""Environments with the PySpark that a connector supports."""

from __future__ import annotations

import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

import messagegen
import messagegen_kafka
import messagegen_spark
from tests.spark.support.cluster import make_environment

ROOT: Final = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def python_with(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function that takes a PySpark version, and returns an interpreter with this version.

    The interpreter finds all other packages in the same place as the tests. Environments are reused, because installing
    a version takes time.
    """
    made: dict[str, Path] = {}

    def found(version: str) -> Path:
        if version not in made:
            packages = [
                Path(each.__file__ or "").parents[1] for each in (messagegen, messagegen_kafka, messagegen_spark)
            ]
            libraries = [*packages, ROOT, Path(sysconfig.get_path("purelib"))]
            folder = tmp_path_factory.mktemp("pyspark") / version
            made[version] = make_environment(folder, libraries, f"pyspark=={version}")
        return made[version]

    return found
