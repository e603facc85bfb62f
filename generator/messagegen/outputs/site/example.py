"""The bytes of a sample, part by part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from messagegen.explain import explain_body
from messagegen.explain.table import Row, View, rows
from messagegen.outputs.site.sample import Samples
from messagegen.runtime.walk import walk_encode

_BYTES_A_LINE: Final = 16
_WHOLE: Final = View(full=True, sensitive=True)
"""The values are made up, so that even those of sensitive fields are shown."""


@dataclass(frozen=True, slots=True)
class Example:
    """A message in a version: its bytes as a dump, which ``messagegen explain`` reads, and what they are, line by line."""

    version: int
    size: int
    dump: str
    lines: tuple[Row, ...]


def example(samples: Samples, version: int) -> Example:
    """The sample in a version."""
    data = walk_encode(samples.plan, samples.message(version), version)
    # The first row is the message as a whole, which has no bytes of its own.
    lines = tuple(rows(explain_body(data, samples.plan, version), _WHOLE))[1:]
    return Example(version, len(data), "\n".join(_dump(data)), lines)


def _dump(data: bytes) -> Iterator[str]:
    for offset in range(0, len(data), _BYTES_A_LINE):
        yield f"{offset:04x}  {data[offset : offset + _BYTES_A_LINE].hex(' ')}"
