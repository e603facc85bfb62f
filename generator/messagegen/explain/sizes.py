"""How many bytes each field takes, and how many integers would take in the encodings of KIP-625."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from messagegen.explain.explanation import Explanation
from messagegen.explain.tree import Kind, Node
from messagegen.runtime.varints import encoded_length

FORMS: Final = ("fixed", "packed", "upacked")

_INDEX: Final = re.compile(r"\[\d+\]")
_ENCODED: Final = re.compile(r"(int|packed|upacked)(16|32|64)")
_TAGS: Final = (Kind.TAG_SECTION, Kind.TAG, Kind.UNKNOWN_TAG)


@dataclass(slots=True)
class FieldSize:
    """The bytes of a field, summed over all places where it is.

    ``field`` is its path with ``[]`` for any index. ``encodings`` are the bytes of an integer in each encoding of the width that
    it has now, empty for other types.
    """

    field: str
    type: str
    values: int = 0
    bytes: int = 0
    encodings: dict[str, int] = dataclasses.field(default_factory=dict[str, int])

    @property
    def best(self) -> str | None:
        """The encoding with the fewest bytes; of several the present one, else packed."""
        if not self.encodings:
            return None
        now = encoding_of(self.type)
        preferred = sorted(self.encodings, key=lambda name: (name != now, name.startswith("fixed"), name))
        return min(preferred, key=self.encodings.__getitem__)

    def bytes_in(self, form: str) -> int:
        """The bytes if an integer has this form at its present width; of other types those that they have."""
        return self.encodings.get(f"{form}{self.type[-2:]}", self.bytes)

    @property
    def bytes_in_best(self) -> int:
        """The bytes in the best encoding."""
        return self.bytes if self.best is None else self.encodings[self.best]


def encoding_of(type_: str) -> str | None:
    """The name of the encoding (KIP-625) that a codec is, ``None`` for a codec of another type."""
    match = _ENCODED.fullmatch(type_)
    return match and f"{'fixed' if match[1] == 'int' else match[1]}{match[2]}"


def field_sizes(found: Explanation) -> list[FieldSize]:
    """The size of each field that takes bytes, in the order in which they come first."""
    sizes: dict[tuple[str, str], FieldSize] = {}
    for node in found.walk():
        if node.own_end == node.offset:
            continue
        field_ = f"{node.path} (tagged fields)" if node.kind in _TAGS else node.path
        key = _INDEX.sub("[]", field_).strip(), "" if node.kind in _TAGS else node.type
        size = sizes.setdefault(key, FieldSize(*key))
        size.values += 1
        size.bytes += node.own_end - node.offset
        _add_encodings(size, node)
    return list(sizes.values())


def _add_encodings(size: FieldSize, node: Node) -> None:
    encoding = encoding_of(node.type)
    if encoding is None:
        return
    bits = int(encoding[-2:])
    for form in FORMS:
        name = f"{form}{bits}"
        size.encodings[name] = size.encodings.get(name, 0) + encoded_length(form, bits, node.value)


def sizes_table(sizes: Sequence[FieldSize]) -> Iterator[str]:
    """The lines of a table for people, with totals."""
    total = sum(size.bytes for size in sizes)
    titles = ("field", "type", "values", "bytes", "share", *FORMS, "best")
    lines = [titles, *(_cells(size, total) for size in sizes), _total(sizes)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(titles))]
    for line in lines:
        cells = [cell.rjust(width) for cell, width in zip(line[2:-1], widths[2:-1], strict=True)]
        yield "  ".join([line[0].ljust(widths[0]), line[1].ljust(widths[1]), *cells, line[-1]]).rstrip()


def sizes_json(sizes: Iterable[FieldSize]) -> list[Mapping[str, Any]]:
    """The sizes as JSON."""
    return [
        {
            "field": size.field,
            "type": size.type,
            "values": size.values,
            "bytes": size.bytes,
            "encodings": size.encodings,
            "best": size.best,
        }
        for size in sizes
    ]


def _total(sizes: Sequence[FieldSize]) -> tuple[str, ...]:
    total, best = sum(size.bytes for size in sizes), sum(size.bytes_in_best for size in sizes)
    forms = (str(sum(size.bytes_in(form) for size in sizes)) for form in FORMS)
    return ("total", "", "", str(total), "", *forms, f"{best} bytes")


def _cells(size: FieldSize, total: int) -> tuple[str, ...]:
    costs = [str(cost) for cost in size.encodings.values()] or [""] * len(FORMS)
    return (
        size.field,
        size.type,
        str(size.values),
        str(size.bytes),
        f"{size.bytes / total:.0%}",
        *costs,
        size.best or "",
    )
