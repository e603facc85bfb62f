"""A part of a spec in its text, with its properties coerced as Jackson does for Apache's generator.

Jackson accepts a number or boolean for a string, ``"true"`` for ``true``, and ``"0"`` for ``0``. A single object may
replace a list of one, and ``null`` counts as a missing property. The JSON Schema has already checked that all other
values have the right types.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from messagegen.jsonc import Array, Object, Position, Scalar, Value


@dataclass(frozen=True, slots=True)
class Place:
    """The position of an object of a spec, its JSON path, and its properties.

    Properties with the value null count as missing, and are in ``nulls``.
    """

    position: Position
    json_path: str
    properties: Mapping[str, Value]
    nulls: Mapping[str, Value] = field(default_factory=dict[str, Value])

    def of(self, name: str) -> Position:
        """Return the position of the value of property ``name``, or of the object itself if it has no such property."""
        value = self.properties.get(name) or self.nulls.get(name)
        return value.position if value else self.position

    def path(self, name: str) -> str:
        """Return the JSON path of a property, whether it exists or not."""
        return below(self.json_path, name)

    def text(self, name: str) -> str:
        """Return a property as text, empty if it is missing."""
        value = self.properties.get(name)
        return value.text if isinstance(value, Scalar) else ""

    def flag(self, name: str) -> bool:
        """Return a property as a boolean; false if it is missing."""
        value = self.properties.get(name)
        if not isinstance(value, Scalar):
            return False
        return value.value.strip().lower() == "true" if isinstance(value.value, str) else bool(value.value)

    def number(self, name: str) -> int | None:
        """Return a property as an integer; a fraction is truncated."""
        text = self.text(name).strip()
        return int(float(text)) if text else None

    def items(self, name: str) -> tuple[Value, ...]:
        """Return the elements of a list; any other value counts as a list of one."""
        value = self.properties.get(name)
        if value is None:
            return ()
        return value.items if isinstance(value, Array) else (value,)

    def objects(self, name: str) -> tuple[Place, ...]:
        """Return the objects of a list."""
        path = self.path(name)
        items = enumerate(self.items(name))
        return tuple(place_of(item, f"{path}[{index}]") for index, item in items if isinstance(item, Object))


def place_of(node: Object, json_path: str) -> Place:
    """Return the place of an object."""
    values = {name: part.value for name, part in node.members.items()}
    nulls = {name: value for name, value in values.items() if isinstance(value, Scalar) and value.value is None}
    written = {name: value for name, value in values.items() if name not in nulls}
    return Place(node.position, json_path, written, nulls)


def below(path: str, name: str) -> str:
    """Return the JSON path of property ``name`` of the object at ``path``."""
    return f"{path}.{name}" if path else name
