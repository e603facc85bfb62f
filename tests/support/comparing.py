"""Compares specs that are given as text, without files."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from messagegen.evolve import SpecSet, compare_sets
from messagegen.evolve.compare import MessageChanges


def compare_texts(
    old: Mapping[str, bytes],
    new: Mapping[str, bytes],
    *,
    partial: bool = False,
    messages: Collection[str] = (),
    strict: bool = True,
) -> list[MessageChanges]:
    """Return the changes of each message that differs."""
    sets = SpecSet("old", old), SpecSet("new", new)
    return compare_sets(*sets, partial=partial, messages=messages, strict=strict).messages
