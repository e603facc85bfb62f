"""An order of fields in which every version reads right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from messagegen.merge.ranges import CannotMergeError


def in_order(names: Sequence[str], orders: Iterable[Sequence[str]]) -> list[str]:
    """The names in an order that contains each of ``orders``, close to the given one.

    Raises ``CannotMergeError`` if two of them contradict each other.
    """
    sorter: TopologicalSorter[str] = TopologicalSorter(dict.fromkeys(names, ()))
    for order in orders:
        for before, after in pairwise(order):
            sorter.add(after, before)
    try:
        sorter.prepare()
    except CycleError as error:
        contrary = ", ".join(dict.fromkeys(error.args[1]))
        raise CannotMergeError(f"no order of fields fits all versions: {contrary}") from None
    place = {name: number for number, name in enumerate(names)}
    found: list[str] = []
    ready: set[str] = set()
    while sorter.is_active():
        ready.update(sorter.get_ready())
        following = min(ready, key=place.__getitem__)
        ready.remove(following)
        found.append(following)
        sorter.done(following)
    return found
