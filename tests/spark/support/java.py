"""Options for the Java of Spark's processes. Tests end before optimized code pays off: without it, they take half the time."""

from __future__ import annotations

from typing import Final

SMALL_JVM: Final = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"

ENVIRONMENT: Final = dict.fromkeys(("SPARK_DAEMON_JAVA_OPTS", "SPARK_LAUNCHER_OPTS", "SPARK_SUBMIT_OPTS"), SMALL_JVM)
"""Variables of Spark's scripts, which say nothing about them, unlike JAVA_TOOL_OPTIONS."""
