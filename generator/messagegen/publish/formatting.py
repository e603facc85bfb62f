"""Formats Python with black."""

from __future__ import annotations

import ast
import contextlib
import warnings
from collections.abc import Generator
from typing import Final

from messagegen.publish.manifest import PublishError

LINE_LENGTH: Final = 120


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
