"""Formatters for the texts of an output."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final

from messagegen.publish import LINE_LENGTH, black_mode, format_python
from messagegen.publish.format_cache import FormatCache, format_keys

_WORTH_A_POOL: Final = 8
"""Below this number of texts, formatting is faster than starting other processes."""


@dataclass(frozen=True, slots=True)
class Formatting:
    """How to format texts: the maximum line length, the number of processes, and the cache of earlier results."""

    line_length: int = LINE_LENGTH
    jobs: int = 1
    cache: FormatCache | None = None


Formatter = Callable[[Mapping[str, str], Formatting], Iterator[tuple[str, str]]]
"""Gives the texts by path as they are written, in any order. Files of Python are those of ``python``."""


def python(texts: Mapping[str, str], how: Formatting) -> Iterator[tuple[str, str]]:
    """The texts formatted with black, cached ones first."""
    cache = how.cache
    keys = format_keys(texts, black_mode(how.line_length)) if cache else {}
    known = cache.read({keys[path]: text for path, text in texts.items()}) if cache else {}
    missing: dict[str, str] = {}
    for path, text in texts.items():
        if keys.get(path) in known:
            yield path, known[keys[path]]
        else:
            missing[path] = text
    fresh: dict[str, str] = {}
    for path, text in zip(missing, _format_all(list(missing.values()), how), strict=True):
        fresh[path] = text
        yield path, text
    if cache and fresh:
        cache.write({keys[path]: (texts[path], text) for path, text in fresh.items()})


def _format_all(texts: list[str], how: Formatting) -> Iterator[str]:
    format_one = partial(format_python, line_length=how.line_length)
    if how.jobs <= 1 or len(texts) < _WORTH_A_POOL:
        yield from map(format_one, texts)
        return
    with ProcessPoolExecutor(how.jobs) as pool:
        yield from pool.map(format_one, texts, chunksize=4)


def unchanged(texts: Mapping[str, str], _: Formatting) -> Iterator[tuple[str, str]]:
    """The texts, unchanged."""
    yield from texts.items()
