"""Formats, compares and writes output folders, without touching files that are not ours."""

from __future__ import annotations

from messagegen.publish.changes import Drift, FileDrift, OutputChanges
from messagegen.publish.formatting import LINE_LENGTH, check_python, format_python
from messagegen.publish.header import headed
from messagegen.publish.manifest import MANIFEST, Made, Manifest, PublishError
from messagegen.publish.output import check, publish, read_as_written

__all__ = [
    "LINE_LENGTH",
    "MANIFEST",
    "Drift",
    "FileDrift",
    "Made",
    "Manifest",
    "OutputChanges",
    "PublishError",
    "check",
    "check_python",
    "format_python",
    "headed",
    "publish",
    "read_as_written",
]
