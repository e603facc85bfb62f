"""What an upgrade of specs changes for who uses them: two sets of specs in, a report out."""

from __future__ import annotations

from messagegen.evolve.changes import Change
from messagegen.upgrade.compare import compare_texts
from messagegen.upgrade.lines import markdown, text
from messagegen.upgrade.report import ApiChange, MessageChanges, Report

__all__ = ["ApiChange", "Change", "MessageChanges", "Report", "compare_texts", "markdown", "text"]
