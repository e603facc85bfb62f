"""The class of examples."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """Parts of specs: ``bad`` breaks a rule, ``good`` does not. In rules about changes, both replace ``before``."""

    bad: str
    good: str
    before: str = ""
