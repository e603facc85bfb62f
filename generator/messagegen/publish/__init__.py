"""Compares and writes output folders, without touching files that are not ours."""

from __future__ import annotations

from messagegen.publish.changes import Changes, FileChange
from messagegen.publish.header import LINE_LENGTH, headed
from messagegen.publish.manifest import MANIFEST, Made, Manifest, PublishError
from messagegen.publish.output import check, publish, read_as_written

__all__ = [
    "LINE_LENGTH",
    "MANIFEST",
    "Changes",
    "FileChange",
    "Made",
    "Manifest",
    "PublishError",
    "check",
    "headed",
    "publish",
    "read_as_written",
]
