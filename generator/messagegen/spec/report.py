"""Where findings are gathered while one spec is read."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Final

from messagegen.findings import Finding, Severity, printable
from messagegen.spec.model import FieldSpec, MessageSpec, Place, Position
from messagegen.spec.rules import Rule

_CLIP: Final = 60


class RefusedError(ValueError):
    """Raised by the readers of single values; the caller knows the rule and the place."""

    def __init__(self, message: str, instead: str) -> None:
        super().__init__(message)
        self.message = message
        self.instead = instead


class Report:
    """The findings of one file.

    A place takes one finding only, so that a mistake that breaks several rules is told once; what depends on a part asks
    ``clean`` first, so that a mistake is not told again by its consequences.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self._findings: dict[tuple[Position, str], Finding] = {}
        self._touched: set[str] = set()

    def add(
        self, rule: Rule, position: Position, path: str, message: str, instead: str, severity: Severity = "error"
    ) -> None:
        """Adds a finding, unless there is one for this place."""
        finding = Finding(self._file, position.line, position.column, rule.name, message, instead, path, severity)
        self._findings.setdefault((position, path), finding)
        if severity == "error":
            self._touched.add(path)

    def add_at(
        self, place: Place, name: str, rule: Rule, message: str, instead: str, severity: Severity = "error"
    ) -> None:
        """Adds a finding about property ``name`` of the part of the spec at ``place``."""
        self.add(rule, place.of(name), below(place.json_path, name), message, instead, severity)

    def damage(self, path: str) -> None:
        """Takes note that the model lacks something at ``path`` that the spec holds, of which a finding has told."""
        self._touched.add(path)

    def clean(self, *paths: str) -> bool:
        """Whether none of the parts of the spec at ``paths`` (each exactly) has an error."""
        return self._touched.isdisjoint(paths)

    @property
    def failed(self) -> bool:
        """Whether there is an error."""
        return bool(self._touched)

    def findings(self) -> tuple[Finding, ...]:
        """All findings in the order of the text."""
        return tuple(sorted(self._findings.values()))


def placed(part: FieldSpec | MessageSpec) -> Place:
    """Where a part of the model that was read from text stands."""
    assert part.place is not None, "only parts that were read from text are checked"
    return part.place


def below(path: str, name: str) -> str:
    """The JSON path of property ``name`` of the object at ``path``."""
    return f"{path}.{name}" if path else name


def quoted(text: str) -> str:
    """Text of a spec as part of a message: in double quotes, on one line, clipped."""
    return f'"{clipped(text)}"'


def clipped(text: str) -> str:
    """The same without quotes, for what is no string or name in the spec."""
    shown = text if len(text) <= _CLIP else text[:_CLIP] + "..."
    return printable(shown)


def did_you_mean(word: str, known: tuple[str, ...]) -> str:
    """Advice for an unknown word: the known one that it resembles, or else all of them."""
    by_lower_case = {name.lower(): name for name in known}
    close = get_close_matches(word.lower(), by_lower_case, n=1) if len(word) <= _CLIP else []
    if close:
        return f"did you mean {quoted(by_lower_case[close[0]])}?"
    return "write one of " + ", ".join(known)
