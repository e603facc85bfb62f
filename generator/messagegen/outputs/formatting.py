"""Formatters for the texts of an output."""

from __future__ import annotations

import ast
import contextlib
import re
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from messagegen.publish import LINE_LENGTH, PublishError

_WORTH_A_POOL: Final = 8
"""Below this number of texts, formatting is faster than starting other processes."""

_UNTOUCHED: Final = re.compile(rb'^_[A-Z]+ = """\\\n.*?"""$|^ *#[^\n]*$', re.DOTALL | re.MULTILINE)
"""What black leaves as it is: texts that are assigned, whose own quotes are escaped, and comments."""


@dataclass(frozen=True, slots=True)
class Formatting:
    """How to format texts: the maximum line length, and the number of processes."""

    line_length: int = LINE_LENGTH
    jobs: int = 1


Formatter = Callable[[Mapping[str, str], Formatting], Iterator[tuple[str, str]]]
"""Gives the texts by path as they are written, in any order. Files of Python are those of ``python``."""


def python(texts: Mapping[str, str], how: Formatting) -> Iterator[tuple[str, str]]:
    """The texts as black formats them. Black is slow, so it only gets those that it might change."""
    unsure: dict[str, str] = {}
    for path, text in texts.items():
        if is_formatted(text, how.line_length):
            with _python_errors():
                # Three times as fast as parsing to a tree: its nodes would become Python objects.
                compile(text, "<generated>", "exec", dont_inherit=True)
            yield path, text
        else:
            unsure[path] = text
    yield from zip(unsure, _format_all(list(unsure.values()), how), strict=True)


def is_formatted(text: str, line_length: int) -> bool:
    """Whether a rendered ``text`` is certainly as black would format it; ``docs/design/004-publishing.md`` says why.

    Renderers break lines like black, at ``LINE_LENGTH``, but not all that are too long. What fits into shorter lines as well was not
    broken for its length; lines that may be longer might be joined again. Black counts wide characters twice; in UTF-8 they
    have at least two bytes.
    """
    if line_length > LINE_LENGTH:
        return False
    code = _UNTOUCHED.sub(b"", text.encode(errors="surrogatepass"))
    return max(map(len, code.split(b"\n"))) <= line_length


def format_python(text: str, line_length: int = LINE_LENGTH) -> str:
    """Formats ``text`` with black in a fixed mode: Python 3.11, the given line length, no configuration files.

    Raises ``PublishError`` with the line if ``text`` is not valid Python 3.11.
    """
    # The import takes a tenth of a second, which runs with nothing to format avoid.
    import black  # noqa: PLC0415
    from black.mode import TargetVersion  # noqa: PLC0415

    with _python_errors():
        ast.parse(text, feature_version=(3, 11))
        return black.format_str(text, mode=black.Mode({TargetVersion.PY311}, line_length=line_length))


@contextlib.contextmanager
def _python_errors() -> Generator[None]:
    """Turns errors and warnings of Python's compiler into ``PublishError``."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", SyntaxWarning)
            yield
    except (SyntaxError, SyntaxWarning, ValueError) as error:
        raise PublishError(f"not valid Python 3.11: {error}") from error


def _format_all(texts: Sequence[str], how: Formatting) -> Iterator[str]:
    format_one = partial(format_python, line_length=how.line_length)
    if how.jobs <= 1 or len(texts) < _WORTH_A_POOL:
        yield from map(format_one, texts)
        return
    # The import takes longer than most runs need for everything else.
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415

    with ProcessPoolExecutor(how.jobs) as pool:
        yield from pool.map(format_one, texts, chunksize=4)


def unchanged(texts: Mapping[str, str], _: Formatting) -> Iterator[tuple[str, str]]:
    """The texts, unchanged."""
    yield from texts.items()
