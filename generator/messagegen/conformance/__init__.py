"""The conformance protocol: JSON lines in, JSON lines out, so that any two implementations can be held against each other."""

from __future__ import annotations

from messagegen.conformance.answers import answer, run

__all__ = ["answer", "run"]
