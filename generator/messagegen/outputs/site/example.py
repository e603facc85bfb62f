"""The bytes of a sample, part by part."""

from __future__ import annotations

from dataclasses import dataclass

from messagegen.outputs.site.sample import Samples
from messagegen.runtime.walk import walk_encode


@dataclass(frozen=True, slots=True)
class Line:
    """Some bytes in a row: where they begin, in hexadecimal digits, and what they are."""

    offset: int
    hex: str
    depth: int
    name: str
    type: str
    value: str


@dataclass(frozen=True, slots=True)
class Example:
    """A message: how many bytes it has, and what they are."""

    version: int
    size: int
    lines: tuple[Line, ...]


def example(samples: Samples, version: int) -> Example:
    """The sample in a version."""
    data = walk_encode(samples.plan, samples.message(version), version)
    return Example(version, len(data), (Line(0, data.hex(" "), 0, "message", "", ""),))
