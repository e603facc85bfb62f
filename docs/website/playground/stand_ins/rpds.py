"""A stand-in for rpds-py, which has no WebAssembly wheel.

It has the parts that ``referencing`` uses. Copies replace the shared structure of rpds, because a schema adds only
a few entries.
"""

from __future__ import annotations

from typing import Any


class HashTrieMap(dict[Any, Any]):
    """An immutable map: its methods return changed copies."""

    @classmethod
    def convert(cls, value: Any) -> HashTrieMap:
        """Return a map with the entries of ``value``."""
        return value if isinstance(value, cls) else cls(value)

    def insert(self, key: Any, value: Any) -> HashTrieMap:
        """Return a copy with one more entry."""
        return HashTrieMap({**self, key: value})

    def remove(self, key: Any) -> HashTrieMap:
        """Return a copy without an entry. Raise ``KeyError`` if it is missing."""
        copy = HashTrieMap(self)
        del copy[key]
        return copy

    def update(self, *args: Any, **entries: Any) -> HashTrieMap:  # type: ignore[override]
        """Return a copy with more entries."""
        copy = dict(self)
        copy.update(*args, **entries)
        return HashTrieMap(copy)


class HashTrieSet(frozenset[Any]):
    """An immutable set: its methods return changed copies."""

    def insert(self, value: Any) -> HashTrieSet:
        """Return a copy with one more value."""
        return HashTrieSet({*self, value})

    def update(self, values: Any) -> HashTrieSet:
        """Return a copy with more values."""
        return HashTrieSet({*self, *values})


class List(tuple[Any, ...]):
    """An immutable list that grows at the front."""

    __slots__ = ()

    def push_front(self, value: Any) -> List:
        """Return a copy with one more value at the front."""
        return List((value, *self))
