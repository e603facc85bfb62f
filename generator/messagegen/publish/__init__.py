"""Formats, compares and writes output folders, without touching files that are not ours."""

from __future__ import annotations

from messagegen.publish.changes import Drift, FileDrift, OutputChanges
from messagegen.publish.formatting import LINE_LENGTH, check_python, format_python
from messagegen.publish.header import headed
from messagegen.publish.manifest import MANIFEST, Manifest, PublishError
from messagegen.publish.run import check, plan_changes, publish
from messagegen.publish.survey import read_unchanged

__all__ = [
    "LINE_LENGTH",
    "MANIFEST",
    "Drift",
    "FileDrift",
    "Manifest",
    "OutputChanges",
    "PublishError",
    "check",
    "check_python",
    "format_python",
    "headed",
    "plan_changes",
    "publish",
    "read_unchanged",
]
