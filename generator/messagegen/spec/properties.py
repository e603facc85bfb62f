"""The properties of an object in a spec, coerced as Jackson does for Apache's generator.

A number or boolean may replace a string, ``"true"`` ``true``, ``"0"`` ``0``, one object a list of one, and
``null`` a missing property. Values that cannot be coerced are treated as missing; the structure check has
already reported them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from messagegen.findings import clipped, quoted
from messagegen.jsonc import Array, Object, Position, Scalar, Value
from messagegen.spec.model import Place
from messagegen.spec.report import Report, below
from messagegen.spec.rules import Rule
from messagegen.versions import VersionRange

_SHORT_DIGITS: Final = 20
_NUMBERS: Final = re.compile(r"\s{0,9}[0-9]{1,5}(\+|-[0-9]{1,5})?\s{0,9}")


class Properties:
    """Reads the properties of ``node``, at ``path`` in the spec."""

    def __init__(self, node: Object, path: str, report: Report) -> None:
        self._node = node
        self._path = path
        self._report = report

    @property
    def position(self) -> Position:
        """The start of the object."""
        return self._node.position

    def path_of(self, name: str) -> str:
        """The JSON path of a property, whether it exists or not."""
        return below(self._path, name)

    def place(self) -> Place:
        """The positions of the object and its properties for the model; null counts as missing."""
        places = {name: member.value.position for name, member in self._node.members.items() if self.written(name)}
        return Place(self._node.position, self._path, places)

    def node(self, name: str) -> Value | None:
        """The value of a property, or ``None`` if it is missing or null."""
        member = self._node.members.get(name)
        if member is None or (isinstance(member.value, Scalar) and member.value.value is None):
            return None
        return member.value

    def written(self, name: str) -> bool:
        """Whether the property has a value other than null."""
        return self.node(name) is not None

    def position_of(self, name: str) -> Position:
        """The position of a property's value, or of the object if it is missing."""
        member = self._node.members.get(name)
        return self.position if member is None else member.value.position

    def text(self, name: str) -> str | None:
        """A property as text."""
        node = self.node(name)
        return node.text if isinstance(node, Scalar) else None

    def flag(self, name: str) -> bool:
        """A property as a boolean; false if it is missing."""
        node = self.node(name)
        if not isinstance(node, Scalar):
            return False
        if isinstance(node.value, float):
            # JSON Schema accepts 1.0 as an integer, but Jackson does not accept it as a boolean.
            message = f'"{name}" must be true or false, not {clipped(node.text)}'
            self._report.add(Rule.PROPERTY_TYPE, node.position, self.path_of(name), message, "write true or false")
        if isinstance(node.value, str):
            return node.value.strip().lower() == "true"
        return bool(node.value)

    def number(self, name: str) -> int | None:
        """A property as an integer; a fraction is truncated."""
        node = self.node(name)
        return scalar_number(node) if isinstance(node, Scalar) else None

    def versions(self, name: str) -> VersionRange | None:
        """A property as a version range; ``None`` if it is missing, empty, or invalid (which is reported)."""
        text = self.text(name)
        if text is None or not text.strip():
            return None
        return read_range(text, self.position_of(name), self.path_of(name), self._report)

    def objects(self, name: str) -> Iterator[tuple[Object, str]]:
        """The objects of a list, each with its path; a single object counts as a list of one."""
        items = self._items(name)
        for index, item in enumerate(items):
            if isinstance(item, Object):
                yield item, f"{self.path_of(name)}[{index}]"

    def texts(self, name: str) -> tuple[str, ...]:
        """The strings of a list; a single string counts as a list of one."""
        return tuple(item.text for item in self._items(name) if isinstance(item, Scalar))

    def _items(self, name: str) -> tuple[Value, ...]:
        node = self.node(name)
        if node is None:
            return ()
        return node.items if isinstance(node, Array) else (node,)


def scalar_number(node: Scalar) -> int | None:
    """A JSON scalar as an integer, or ``None`` if it is not one."""
    if isinstance(node.value, str):
        digits = node.value.strip()
        unsigned = digits[1:] if digits[:1] in ("-", "+") else digits
        short = unsigned.isascii() and unsigned.isdigit() and len(unsigned) <= _SHORT_DIGITS
        return int(digits) if short else None
    if isinstance(node.value, float) and abs(node.value) < 2.0**63:
        return int(node.value)
    return node.value if isinstance(node.value, int) and not isinstance(node.value, bool) else None


def read_range(text: str, position: Position, path: str, report: Report) -> VersionRange | None:
    """A version range, or ``None`` after a finding."""
    try:
        return VersionRange.parse(text)
    except ValueError as error:
        # Text that is not a range may have any length.
        message = str(error) if _NUMBERS.fullmatch(text) else f"invalid version range {quoted(text)}"
        report.add(Rule.VERSION_RANGE_WELL_FORMED, position, path, message, 'write "3", "0-9", "2+" or "none"')
        return None
