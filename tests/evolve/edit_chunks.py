"""Random edits of specs in chunks; each chunk becomes one package."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Final

from hypothesis import settings

from messagegen.generation.loading import load_specs
from tests.evolve.edits import Version, edited
from tests.support.profiles import scaled

CHUNK: Final = 50
"""The number of edits whose specs share a package, because making a package takes longer than making a class."""

CHUNKS: Final = 200 if settings().max_examples > 100 else scaled(6)


def edits(chunk: int) -> Iterator[tuple[int, list[str], Version, Version]]:
    """Yield the valid edits of a chunk, each of a different message."""
    known: set[str] = set()
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        found = edited(seed)
        if found is not None and found[0] and found[1].spec.name not in known:
            known.add(found[1].spec.name)
            yield seed, *found


def package(versions: list[Version]) -> ModuleType:
    return load_specs([one.spec for one in versions if not one.spec.valid_versions.empty])
