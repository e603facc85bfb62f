"""Collects findings while a spec is parsed."""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from messagegen.findings import Finding, Severity
from messagegen.findings import quoted as quoted  # noqa: PLC0414 - other rooms import it from here
from messagegen.jsonc import Position
from messagegen.spec.model import FieldSpec, MessageSpec, Place, StructSpec
from messagegen.spec.rules import Rule

_CLIP: Final = 60


class RefusedError(ValueError):
    """Raised by parsers of single values; the caller knows the rule and the location."""

    def __init__(self, message: str, instead: str) -> None:
        super().__init__(message)
        self.message = message
        self.instead = instead


class Report:
    """The findings of one file.

    Each location has at most one finding, so a mistake that breaks several rules is reported once. Checks that depend on a part
    call ``clean`` first, so that consequences of a mistake are not reported. ``old`` is the severity of what only specs of old
    releases may have.
    """

    def __init__(self, file: str, *, released: bool = False) -> None:
        self._file = file
        self.old: Severity = "warning" if released else "error"
        self._findings: dict[tuple[Position, str], Finding] = {}
        self._touched: set[str] = set()

    def add(
        self, rule: Rule, position: Position, path: str, message: str, instead: str, severity: Severity = "error"
    ) -> None:
        """Adds a finding, unless there is one for this location; an error replaces a warning."""
        finding = Finding(self._file, position.line, position.column, rule.name, message, instead, path, severity)
        first = self._findings.setdefault((position, path), finding)
        if severity == "error":
            self._touched.add(path)
            if first.severity == "warning":
                self._findings[position, path] = finding

    def add_at(
        self, place: Place, name: str, rule: Rule, message: str, instead: str, severity: Severity = "error"
    ) -> None:
        """Adds a finding about property ``name`` of the part of the spec at ``place``."""
        self.add(rule, place.of(name), below(place.json_path, name), message, instead, severity)

    def damage(self, path: str) -> None:
        """Records that the model lacks something at ``path`` that was in the spec and has a finding."""
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


def placed(part: FieldSpec | StructSpec | MessageSpec) -> Place:
    """The position of a part of the model that was parsed from text."""
    assert part.place is not None, "only parts that were parsed from text are checked"
    return part.place


def finding_at(spec: MessageSpec, name: str, rule: str, message: str, instead: str) -> Finding:
    """A finding about property ``name`` of a message that was read before."""
    position = spec.place.of(name) if spec.place else Position(1, 1)
    return Finding(spec.file, position.line, position.column, rule, message, instead, name)


def defines_struct(field: FieldSpec) -> bool:
    """Whether a field has ``fields``, even if empty; a field whose type is a struct then defines it."""
    return "fields" in placed(field).properties


def below(path: str, name: str) -> str:
    """The JSON path of property ``name`` of the object at ``path``."""
    return f"{path}.{name}" if path else name


def did_you_mean(word: str, known: tuple[str, ...]) -> str:
    """Advice for an unknown word: the most similar known one, otherwise some of them."""
    near = nearest(word, known)
    if near is not None:
        return f"did you mean {quoted(near)}?"
    return "write one of " + ", ".join(known[:_CLIP]) + (", ..." if len(known) > _CLIP else "")


@lru_cache(maxsize=4096)
def nearest(word: str, known: tuple[str, ...]) -> str | None:
    """The known word that is most similar to ``word``, or ``None``.

    Among many words, only one that differs in case is found: comparing with each would take time proportional to the
    square of a spec's size.
    """
    by_lower_case = _by_lower_case(known)
    if word.lower() in by_lower_case:
        return by_lower_case[word.lower()]
    if len(word) > _CLIP or len(known) > _CLIP:
        return None
    close = get_close_matches(word.lower(), by_lower_case, n=1)
    return by_lower_case[close[0]] if close else None


@lru_cache(maxsize=16)
def _by_lower_case(known: tuple[str, ...]) -> dict[str, str]:
    return {name.lower(): name for name in known}
