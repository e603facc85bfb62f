"""Checks the values of a document, and reports problems with their lines and paths."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final, TypeAlias, TypeGuard, cast

from messagegen_client.documents.parsing import Document, Number, Path, TextError, parse_text

FIRST_LINE: Final = 1
_MOST_PROBLEMS: Final = 20
"""The maximum number of problems that an error lists."""
_LONGEST_VALUE: Final = 80
"""The maximum number of characters of a value that an error shows."""

Place: TypeAlias = tuple[int, str]
"""A line number, and the path to a value in this line, such as ``quotas[0].entity: ``."""


class DocumentError(ValueError):
    """An invalid file; ``problems`` has a line of text for each error, with its place."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(self.problems)


def parsed(text: str, name: str) -> Document:
    """Parse YAML or JSON; ``name`` is the file name in errors. Raises ``DocumentError``."""
    try:
        return parse_text(text)
    except TextError as problem:
        place = name if problem.line is None else f"{name}:{problem.line}"
        raise DocumentError([f"{place}: {problem}"]) from None


def report(name: str, found: Iterable[tuple[int, str]]) -> list[str]:
    """Return the lines of an error text: the place and text of each problem in the file ``name``, up to a limit."""
    problems = sorted(found, key=lambda problem: problem[0])
    lines = [f"{name}:{line}: {text}" for line, text in problems[:_MOST_PROBLEMS]]
    more = len(problems) - len(lines)
    return [*lines, f"{name}: and {more} more"] if more else lines


class DocumentReader:
    """The base class of file readers: it checks the values of a document, and collects problems."""

    def __init__(self, document: Document) -> None:
        self.problems: dict[Path, list[str]] = {}
        self._document = document
        for path, text in document.problems:
            self.problems.setdefault(path, []).append(text)

    def check(self, name: str) -> None:
        """Raise ``DocumentError`` with the problems in order of their lines, if there are any."""
        found: list[tuple[int, str]] = []
        for path, texts in self.problems.items():
            line, place = self.place(path)
            found += [(line, f"{place}{text}") for text in texts]
        if found:
            raise DocumentError(report(name, found))

    def mapping_with(
        self, value: object, path: Path, *, required: Collection[str], optional: Collection[str] = ()
    ) -> dict[str, Any]:
        """Return the value if it is a mapping, otherwise note the problem and return an empty one.

        Missing ``required`` keys, and keys that are neither required nor ``optional``, are noted as problems, too.
        """
        keys = _enumeration([*required, *optional])
        found = self.mapping(value, path, keys)
        if not isinstance(value, dict):
            return found
        for key in required:
            if key not in found:
                self.problem(path, f"missing key {key}")
        for key in found:
            if key not in required and key not in optional:
                self.problem((*path, key), f"unknown key; expected {keys}")
        return found

    def mapping(self, value: object, path: Path, content: str) -> dict[str, Any]:
        """Return the value if it is a mapping, otherwise note the problem and return an empty one.

        ``content`` describes the expected content.
        """
        if isinstance(value, dict):
            return cast("dict[str, Any]", value)
        self.problem(path, f"expected a mapping with {content}, not {short(value)}")
        return {}

    def sequence(self, value: object, path: Path) -> list[Any]:
        """Return the value if it is a list, otherwise note the problem and return an empty one."""
        if isinstance(value, list):
            return cast("list[Any]", value)  # type: ignore[redundant-cast]
        self.problem(path, f"expected a list, not {short(value)}")
        return []

    def problem(self, path: Path, text: str) -> None:
        """Note a problem with a value, unless the value could not be read: then further errors would be misleading."""
        if path not in self._document.unread:
            self.problems.setdefault(path, []).append(text)

    def place(self, path: Path) -> Place:
        """Return the line of a value, and its path as text.

        If its line is unknown, use the nearest enclosing value's.
        """
        nearest = path
        while nearest and nearest not in self._document.lines:
            nearest = nearest[:-1]
        return self._document.lines.get(nearest, FIRST_LINE), _path_text(path)


def _enumeration(names: Sequence[str]) -> str:
    """Return the names as ``a, b and c``."""
    return " and ".join([", ".join(names[:-1]), *names[-1:]] if len(names) > 1 else names)


def _path_text(path: Path) -> str:
    where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
    return f"{where}: " if where else ""


def is_text(value: object) -> TypeGuard[str]:
    """Whether all YAML readers read a value as text: text that looks like a number must be in quotes."""
    return isinstance(value, str) and not isinstance(value, Number)


def short(value: object) -> str:
    """Return a value as errors show it; the end of a long value is cut off."""
    text = repr(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}..."
