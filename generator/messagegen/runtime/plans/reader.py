"""Reads the text form of plans, which ``messagegen.plan.text`` writes and describes."""

from __future__ import annotations

from json import loads

from .. import PLAN_FORMAT
from .model import DEEPEST, Codec, Field, Layout, Plan, StructPlan, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

_HIGHEST_VERSION = 32767


def read_plan(text: str, classes: Mapping[str, type[Any]] | None = None) -> Plan:
    """Parses the text of a plan, optionally with the classes of its structs. Raises ``ValueError`` for invalid text."""
    first, *lines = text.removesuffix("\n").split("\n")
    if first != f"messagegen-plan {PLAN_FORMAT}":
        raise ValueError(f"expected a plan of format {PLAN_FORMAT}, got {first[:200]!r}; generate the messages again")
    reader = _Reader(classes)
    for line in lines:
        try:
            reader.line(line)
        except (ValueError, IndexError, KeyError) as failure:
            raise ValueError(f"{failure!s:.200} in the plan's line {line[:200]!r}") from None
    reader.end_layout()
    if not reader.plan.roots:
        raise ValueError("the plan has no version")
    return reader.plan


class _Reader:
    """Parses lines into a plan, and checks everything that code relies on when it runs the plan."""

    def __init__(self, classes: Mapping[str, type[Any]] | None) -> None:
        self.classes = classes
        self.plan = Plan("", "", range(0))
        self.struct: StructPlan | None = None
        self.layout: Layout | None = None

    def line(self, line: str) -> None:
        words = line.split(" ")
        match words:
            case ["message", name, kind, versions] if not self.plan.name:
                self.plan = Plan(name, kind, _range(versions))
            case ["struct", name] if self.plan.name and not self.layout and name not in self.plan.structs:
                self.struct = self.plan.structs[name] = StructPlan(name)
            case ["layout", own, name, versions, *rest] if rest in ([], ["flexible"]):
                self.begin_layout(number(own), self.plan.structs[name], versions, flexible=bool(rest))
            case ["", *rest] if self.layout:
                self.layout_line(self.layout, rest)
            case ["", word, *rest] if word.startswith(":") and self.struct:
                self.struct_detail(self.struct, word, rest)
            case ["", word, *rest] if word.startswith(":"):
                self.message_detail(word, rest)
            case ["", attribute, key, type_, *default] if default and self.struct:
                self.field(self.struct, Field(attribute, key, type_, " ".join(default), self.plan.valid_versions))
            case _:
                raise ValueError("unexpected words")

    def message_detail(self, word: str, rest: list[str]) -> None:
        plan = self.plan
        match word, rest:
            case ":about", _:
                plan.about = _text(rest)
            case ":api_key", [key]:
                plan.api_key = number(key)
            case ":flexible", [versions]:
                plan.flexible_versions = _range(versions)
            case ":deprecated", [versions]:
                plan.deprecated_versions = _range(versions)
            case ":unstable", []:
                plan.latest_version_unstable = True
            case ":listeners", _:
                plan.listeners = tuple(rest)
            case ":header", [versions, header]:
                plan.header_versions += ((_range(versions), number(header)),)
            case _:
                raise ValueError(f"unexpected {word}")

    def struct_detail(self, struct: StructPlan, word: str, rest: list[str]) -> None:
        match word, rest:
            case ":about", [text, *_] if text.startswith('"'):
                struct.about = _text(rest)
            case ":about", [attribute, *text]:
                struct.fields[attribute].about = _text(text)
            case ":name", [name]:
                struct.name = name
            case ":name", [attribute, name]:
                struct.fields[attribute].name = name
            case (":versions" | ":nullable"), [versions, *attributes]:
                name = "versions" if word == ":versions" else "nullable_versions"
                _set(struct, attributes, **{name: _range(versions)})
            case ":tagged", [versions, tag, attribute]:
                _set(struct, [attribute], tagged_versions=_range(versions), tag=number(tag))
            case (":ignorable" | ":map_key" | ":zero_copy"), attributes:
                _set(struct, attributes, **{word[1:]: True})
            case ":entity_type", [name, *attributes]:
                _set(struct, attributes, entity_type=name)
            case ":sensitive", [attribute, *deciders]:
                _set(struct, [attribute], sensitive=tuple(struct.fields[name].attribute for name in deciders))
            case _:
                raise ValueError(f"unexpected {word}")

    def field(self, struct: StructPlan, field: Field) -> None:
        if field.attribute in struct.fields:
            raise ValueError("a field of that attribute is above")
        if self.classes is not None:
            field.default = self.classes[struct.class_name].__defaults__[field.attribute]
        struct.fields[field.attribute] = field

    def begin_layout(self, own: int, struct: StructPlan, versions: str, *, flexible: bool) -> None:
        self.end_layout()
        if own != len(self.plan.layouts):
            raise ValueError("a layout out of order")
        found = [version for part in versions.split(",") for version in _range(part)]
        cls = object if self.classes is None else self.classes[struct.class_name]
        self.layout = Layout(own, struct, found, flexible, cls)

    def layout_line(self, layout: Layout, words: list[str]) -> None:
        fields, layouts = layout.fields, self.plan.layouts
        match words:
            case [":tag", tag, attribute, codec]:
                if number(tag) in layout.tagged:
                    raise ValueError("a tag twice")
                layout.tagged[int(tag)] = fields[attribute], Codec(codec, layouts)
            case [":foreign", *tags]:
                layout.foreign.update(map(number, tags))
            case [":guard", *attributes]:
                layout.guarded += [fields[attribute] for attribute in attributes]
            case [":skip", *attributes]:
                layout.skipped += [fields[attribute] for attribute in attributes]
            case [attribute, codec] | ["+", attribute, codec]:
                layout.steps.append((fields[attribute], Codec(codec, layouts)))
            case _:
                raise ValueError("unexpected words")

    def end_layout(self) -> None:
        """Adds the parsed layout, so that later ones can refer to it."""
        layout = self.layout
        if layout is None:
            return
        name = layout.struct.class_name
        on_wire = [*layout.steps, *layout.tagged.values()]
        layout.codecs = {field.attribute: codec for field, codec in on_wire}
        placed = [field.attribute for field in (*(field for field, _ in on_wire), *layout.guarded, *layout.skipped)]
        if sorted(placed) != sorted(layout.fields):
            raise ValueError(f"a layout of {name} lacks a field or has one twice")
        tags = {*layout.tagged, *layout.foreign}
        if len(tags) < len(layout.tagged) + len(layout.foreign) or (tags and not layout.flexible):
            raise ValueError(f"a layout of {name} has tags that can't be told apart")
        layout.depth = 1 + max((codec.depth for codec in layout.codecs.values()), default=0)
        if layout.depth > DEEPEST:
            raise ValueError(f"{name} nests deeper than {DEEPEST}")
        self.plan.layouts.append(layout)
        for version in layout.versions:
            self.plan.layouts_of.setdefault(version, {})[name] = layout
            if layout.struct is self.plan.root:
                self.plan.roots[version] = layout


def _set(struct: StructPlan, attributes: Iterable[str], **values: object) -> None:
    for attribute in attributes:
        for name, value in values.items():
            setattr(struct.fields[attribute], name, value)


def _range(text: str) -> range:
    """``3``, ``0-9``, ``2+`` or ``none``."""
    if text == "none":
        return range(0)
    lowest, dash, highest = text.removesuffix("+").partition("-")
    last = _HIGHEST_VERSION if text.endswith("+") else number(highest if dash else lowest)
    if last > _HIGHEST_VERSION:
        raise ValueError(f"expected versions, got {text!r}")
    return range(number(lowest), last + 1)


def _text(words: list[str]) -> str:
    text = loads(" ".join(words))
    if not isinstance(text, str):
        raise ValueError("expected a text")  # noqa: TRY004 - as for anything else that is no plan
    return text
