"""Random specs whose names, texts, defaults, tags and versions make lines of generated code long."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import strategies as st

from messagegen.runtime.plan import PRIMITIVES

_SCALARS: Final = tuple(PRIMITIVES)
_CONSTANT_SIZES: Final = tuple(name for name, primitive in PRIMITIVES.items() if primitive.format)
_ELEMENTS: Final = tuple(name for name in _SCALARS if name not in ("bytes", "records"))
_DEFAULTS: Final[dict[str, st.SearchStrategy[str]]] = {
    "bool": st.sampled_from(["true", "false"]),
    "int8": st.sampled_from(["-128", "0", "7"]),
    "int32": st.sampled_from(["-2147483648", "1"]),
    "int64": st.sampled_from(["-9223372036854775808", "300"]),
    "float64": st.sampled_from(["NaN", "Infinity", "-Infinity", "-1.7976931348623157E308", "0.5"]),
    "uuid": st.sampled_from(["AAAAAAAAAAAAAAAAAAAAAQ", "AAAAAAAAAAAAAAAAAAAAAA", "__________8"]).filter(
        lambda text: len(text) == 22
    ),
}

LONGEST: Final = 100
_STARTS: Final = ("A", "Ab", "Iv6")
"""Starts of names. Their attributes, in snake case, are as long as the name, 50 % longer, or about a third longer."""
lengths: Final = st.sampled_from([1, 8, 24]) | st.integers(30, 60) | st.integers(80, LONGEST)
"""Lengths of names: short, about as long as fits on a line of code, and the longest that specs allow."""
texts: Final = st.lists(
    st.sampled_from(
        ['"', "'", "\\", '"""', "#", "\n", "\u2028", "日本", "é", "e\u0301", "😀", " ", "a", "b c", "w" * 40, "日" * 30]
    ),
    max_size=9,
).map("".join)
"""Strings with long words, quotes, and characters of all widths."""


@st.composite
def names(draw: st.DrawFn, number: int) -> str:
    """Return a name that ends with ``number``, so that names with different numbers differ."""
    start, tail = draw(st.sampled_from(_STARTS)), f"n{number}"
    return (start * LONGEST)[: max(draw(lengths) - len(tail), 1)] + tail


class _Fields:
    """Draws the fields of a message. ``flexible`` is the message's first flexible version, or ``None``."""

    def __init__(self, draw: st.DrawFn, flexible: int | None) -> None:
        self.draw = draw
        self.flexible = flexible
        self.number = 0

    def fields(self, count: int, depth: int, holder: str = "0+") -> list[dict[str, Any]]:
        """Return ``count`` fields. Structs are nested at most two deep."""
        found = [self.field(depth, holder) for _ in range(count)]
        tagged = [field for field in found if "taggedVersions" in field]
        for tag, field in enumerate(tagged):
            field["tag"] = tag
        return found

    def field(self, depth: int, holder: str) -> dict[str, Any]:
        draw = self.draw
        self.number += 1
        versions = st.sampled_from(["0+", "1+", "0"]) if holder == "0+" else st.just("0+")
        found: dict[str, Any] = {"name": draw(names(self.number)), "versions": draw(versions)}
        found["type"] = self.type(found, depth, found["versions"] if holder == "0+" else holder)
        self.add_versions(found)
        self.add_default(found)
        found |= draw(st.fixed_dictionaries({"about": texts}, optional={"ignorable": st.just(True)}))
        if draw(st.integers(0, 9)) == 0:
            found["sensitive"] = True
        return found

    def type(self, found: dict[str, Any], depth: int, holder: str) -> str:
        array = self.draw(st.sampled_from(["", "", "[]"]))
        if depth < 2 and self.draw(st.integers(0, 3)) == 0:
            struct = self.draw(names(self.number))
            found["fields"] = self.fields(self.draw(st.integers(1, 3)), depth + 1, holder)
            return array + struct
        return array + self.draw(st.sampled_from(_ELEMENTS if array else _SCALARS))

    def add_versions(self, found: dict[str, Any]) -> None:
        """Add the versions in which the field is nullable, and the versions in which it is tagged."""
        if found["type"] not in _CONSTANT_SIZES and self.draw(st.booleans()):
            found["nullableVersions"] = "0+"
        can_have_tag = self.flexible is not None and found["type"] != "records" and found["versions"] != "0"
        if can_have_tag and self.draw(st.integers(0, 2)) == 0:
            found["taggedVersions"] = f"{max(1, self.flexible or 0)}+"

    def add_default(self, found: dict[str, Any]) -> None:
        kind = found["type"]
        if "nullableVersions" in found and self.draw(st.booleans()):
            found["default"] = "null"
        elif kind == "string":
            found["default"] = self.draw(texts.filter(lambda text: text != "null"))
        elif kind in _DEFAULTS and self.draw(st.booleans()):
            found["default"] = self.draw(_DEFAULTS[kind])


@st.composite
def long_specs(draw: st.DrawFn) -> dict[str, Any]:
    """Draw the properties of a spec, for ``plan_of(**...)``, whose generated code has long lines."""
    flexible = draw(st.sampled_from([None, 0, 1]))
    drawn = _Fields(draw, flexible)
    fields = drawn.fields(draw(st.integers(0, 5)), 0)
    fields += [{"name": draw(names(number)), "type": "int32", "versions": "0+"} for number in _run(draw)]
    kind = draw(st.sampled_from(["request", "response", "data", "metadata", "coordinator-value"]))
    properties: dict[str, Any] = {} if kind == "data" else {"apiKey": 12}
    if kind == "request":
        properties["listeners"] = ["broker", "controller", "zkBroker"]
    highest = draw(st.sampled_from([1, 2, 40] if fields else [1, 300]))
    return {
        "name": draw(names(0)),
        "type": kind,
        "about": draw(texts),
        "validVersions": f"0-{highest}",
        "flexibleVersions": "none" if flexible is None else f"{flexible}+",
        "fields": fields,
        **properties,
    }


def _run(draw: st.DrawFn) -> range:
    """Draw the numbers of integer fields that are read in one call: none, a few, or too many for one line."""
    return range(1000, 1000 + draw(st.sampled_from([0, 0, 3, 70])))
