"""Formats Python with black, and distinguishes changes of format from changes of meaning."""

from __future__ import annotations

import ast
import contextlib
import re
import warnings
from collections.abc import Generator
from typing import Final

from messagegen.publish.manifest import PublishError

LINE_LENGTH: Final = 120
_COMMENT: Final = re.compile(rb"#[^\n]*")
_MAX_GROWTH: Final = 20


def check_python(text: str) -> None:
    """Raises ``PublishError`` with line and column if ``text`` is not valid Python, or only with a warning."""
    with _python_errors(), warnings.catch_warnings():
        warnings.simplefilter("error", SyntaxWarning)
        # Three times as fast as parsing to a tree: its nodes would become Python objects.
        compile(text, "<generated>", "exec", dont_inherit=True)


def format_python(text: str, line_length: int = LINE_LENGTH) -> str:
    """Formats ``text`` with black in a fixed mode: Python 3.11, the given line length, no configuration files.

    Raises ``PublishError`` with line and column if ``text`` is not valid Python 3.11.
    """
    # The import takes a tenth of a second, which runs with nothing to format avoid.
    import black
    from black.mode import TargetVersion

    with _python_errors():
        with warnings.catch_warnings():
            warnings.simplefilter("error", SyntaxWarning)
            ast.parse(text, feature_version=(3, 11))
        return black.format_str(text, mode=black.Mode({TargetVersion.PY311}, line_length=line_length))


@contextlib.contextmanager
def _python_errors() -> Generator[None]:
    """Turns errors of Python's compiler into ``PublishError``."""
    try:
        yield
    except SyntaxError as error:
        place = f"line {error.lineno}, column {error.offset}"
        raise PublishError(f"not valid Python 3.11: {error.msg} ({place}): {(error.text or '').strip()}") from error
    except (ValueError, SyntaxWarning) as error:
        raise PublishError(f"not valid Python 3.11: {error}") from error


def same_meaning(left: bytes, right: bytes) -> bool:
    """Whether two Python files only differ in format: line breaks, quotes, brackets, order of imports."""
    if len(left) > _MAX_GROWTH * len(right) + 1000:
        return False
    try:
        return _comments(left) == _comments(right) and _meaning(left) == _meaning(right)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _comments(source: bytes) -> list[list[bytes]]:
    return sorted(line.split() for line in _COMMENT.findall(source))


def _meaning(source: bytes) -> tuple[list[str], str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = ast.parse(source)
    imports = [statement for statement in module.body if isinstance(statement, ast.Import | ast.ImportFrom)]
    rest = [statement for statement in module.body if not isinstance(statement, ast.Import | ast.ImportFrom)]
    names = sorted(
        f"{getattr(statement, 'level', 0)} {getattr(statement, 'module', '')} {alias.name} {alias.asname}"
        for statement in imports
        for alias in statement.names
    )
    return names, ast.dump(ast.Module(rest, []))
