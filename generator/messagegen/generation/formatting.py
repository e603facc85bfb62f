"""Texts as black formats them: from the cache where it knows them, else shared out among processes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Final

from messagegen.publish import black_mode, format_python
from messagegen.publish.format_cache import FormatCache, format_keys

_WORTH_A_POOL: Final = 8
"""Fewer texts than these are formatted sooner than other processes are started."""


def formatted(
    texts: Mapping[str, str], line_length: int, jobs: int, cache: FormatCache | None
) -> Iterator[tuple[str, str]]:
    """The texts as black formats them, those that the cache knows first."""
    keys = format_keys(texts, black_mode(line_length)) if cache else {}
    known = cache.read({keys[path]: text for path, text in texts.items()}) if cache else {}
    missing: dict[str, str] = {}
    for path, text in texts.items():
        if keys.get(path) in known:
            yield path, known[keys[path]]
        else:
            missing[path] = text
    fresh: dict[str, str] = {}
    for path, text in zip(missing, _format_all(list(missing.values()), line_length, jobs), strict=True):
        fresh[path] = text
        yield path, text
    if cache and fresh:
        cache.write({keys[path]: (texts[path], text) for path, text in fresh.items()})


def _format_all(texts: list[str], line_length: int, jobs: int) -> Iterator[str]:
    format_one = partial(format_python, line_length=line_length)
    if jobs <= 1 or len(texts) < _WORTH_A_POOL:
        yield from map(format_one, texts)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(format_one, texts, chunksize=4)
