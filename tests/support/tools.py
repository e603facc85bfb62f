"""The tools that some tests need: which are missing, which tests need them, and how to install them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Final

REQUIRED_BY_CI: Final = "MESSAGEGEN_REQUIRE_TOOLS"
"""The environment variable that makes the run fail if a tool is missing."""


@dataclass(frozen=True)
class Tool:
    """Something that is not installed from PyPI with the other requirements."""

    name: str
    tests: str
    """The tests that need the tool."""
    install: str
    is_there: Callable[[], bool]


@cache
def _has_jdk() -> bool:
    if not (shutil.which("java") and shutil.which("javac")):
        return False
    shown = subprocess.run(["javac", "-version"], capture_output=True, text=True, check=False)
    major = re.match(r"javac (\d+)", shown.stdout + shown.stderr)
    return major is not None and int(major[1]) >= 17


JDK: Final = Tool("JDK 17 or newer", "Spark, brokers, Apache's Java classes", "openjdk-17-jdk", _has_jdk)
MAVEN: Final = Tool("Maven", "Apache's Java classes, brokers", "maven", lambda: shutil.which("mvn") is not None)
PYSPARK: Final = Tool("PySpark", "the pipeline on Spark", "make spark", lambda: find_spec("pyspark") is not None)
ENGINE: Final = Tool(
    "messagegen-native",
    "the Rust engine, Arrow columns, logs and captures",
    "Rust, then make native",
    lambda: find_spec("messagegen_native") is not None,
)
BROWSER: Final = Tool(
    "Chromium", "pages in a browser", "chromium", lambda: any(map(shutil.which, ("chromium", "chromium-browser")))
)
JAR: Final = Tool(
    "the jar of kafka-log",
    "the pipeline on Spark",
    "Rust and a JDK, then make jar",
    lambda: files("messagegen_spark.jvm").joinpath("kafka-log.jar").is_file(),
)
TOOLS: Final = (JDK, MAVEN, PYSPARK, ENGINE, BROWSER, JAR)

OPTIONAL: Final[Mapping[str, str]] = {
    "a second Java": "Spark with more than one version of Java; set MESSAGEGEN_JAVA_HOMES",
    "actionlint": "workflows; run make workflows",
    "cargo": "builds of the Rust engine; install Rust",
    "hexdump": "its output as input of decode; install bsdextrautils",
    "kafka-python": "the messages that it writes; pip install kafka-python",
    "kio": "the messages that it writes; pip install kio",
    "xxd": "its output as input of decode; install xxd",
}
"""Tools that few tests need and that CI does not require, by the start of the skip reason."""

NEEDED_BY: Final[Mapping[str, tuple[Tool, ...]]] = {
    "java": (JDK, MAVEN),
    "spark": (JDK, PYSPARK, JAR),
    "browser": (BROWSER,),
    "native": (ENGINE,),
}
"""The tools that tests need, by their marker."""

FOLDERS: Final[Mapping[str, tuple[Tool, ...]]] = {
    "arrow": (ENGINE,),
    "native": (ENGINE,),
    "spark": (JDK, PYSPARK, ENGINE, JAR),
}
"""The tools that are needed to import the test modules of a folder, by the folder."""


def missing_for(markers: Iterable[str]) -> Tool | None:
    """Return the first missing tool that tests with these markers need."""
    return _missing(tool for marker in markers for tool in NEEDED_BY.get(marker, ()))


def left_out() -> dict[str, Tool]:
    """Return the test folders that are not collected, with the missing tool of each."""
    missing = {folder: _missing(needed) for folder, needed in FOLDERS.items()}
    return {folder: tool for folder, tool in missing.items() if tool is not None}


def _missing(needed: Iterable[Tool]) -> Tool | None:
    return next((tool for tool in needed if not tool.is_there()), None)


def skip_reason(tool: Tool) -> str:
    """Return the reason for skipping a test, in the form that ``summary`` reads."""
    return f"{tool.name} is not installed"


def summary(reasons: Counter[str]) -> list[str]:
    """Return a table of skipped tests: their number, the reason, and how to install the missing tool."""
    installs = {**OPTIONAL, **{tool.name: f"{tool.tests}; install {tool.install}" for tool in TOOLS}}
    merged: Counter[str] = Counter()
    for reason, count in reasons.items():
        name, missing, _ = reason.partition(" is not installed")
        merged[name + missing if name in installs else reason] += count
    rows = [
        (str(count), reason, installs.get(reason.removesuffix(" is not installed"), ""))
        for reason, count in merged.most_common()
    ]
    wide = max((len(reason) for _, reason, _ in rows), default=0)
    return [f"{count:>6}  {reason:<{wide}}  {install}".rstrip() for count, reason, install in rows]


def missing_in_ci() -> list[Tool]:
    """Return the missing tools, if this run requires all tools."""
    return [tool for tool in TOOLS if not tool.is_there()] if is_ci() else []


def is_ci() -> bool:
    """Return whether this run is in CI, where every tool is required."""
    return bool(os.environ.get(REQUIRED_BY_CI))
