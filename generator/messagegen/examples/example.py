"""What an example of a rule consists of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """What breaks a rule and what does not. A rule about changes also has what was there before."""

    bad: str
    good: str
    before: str = ""
