"""The text of classes, as callers see them: fields with types and defaults, and the constants of a message."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from graphlib import TopologicalSorter
from typing import Final

from messagegen.emit.literals import docstring, quoted, text_literal, tuple_literal
from messagegen.emit.text import indented
from messagegen.emit.values import default_name, default_text
from messagegen.plan import ops
from messagegen.versions import VersionRange

_SHADOWED: Final = ("bool", "int", "float", "str", "bytes", "tuple")
"""Names of Python that a class body uses, and that a field may have, too."""


def class_texts(plan: ops.MessagePlan) -> list[str]:
    """The classes of a message, each after those that it uses, the message itself last."""
    held = {field.type for struct in plan.structs for field in struct.fields if field.default is ops.EMPTY_STRUCT}
    texts: list[str] = []
    for index in _children_first(plan):
        texts.append("\n".join(class_lines(plan, index)))
        name = plan.structs[index].class_name
        if name in held:
            texts.append(f"{default_name(name)} = _default_of({name})")
    return texts


def class_lines(plan: ops.MessagePlan, index: int) -> Iterator[str]:
    """The lines of a class."""
    struct, is_message = plan.structs[index], index == 0
    about = summary(plan) if is_message else struct.about if struct.about.split() else f"{struct.name}."
    base = _base(plan) if is_message else "_Struct"
    yield from ("@_dataclass", f"class {struct.class_name}({base}):", f"    {quoted(docstring(about))}")
    if is_message:
        yield from ("", *indented(_constants(plan)))
    if sensitive := _sensitive(struct):
        yield from ("", f"    SENSITIVE = {sensitive}")
    hidden = {field.attribute for field in struct.fields}.intersection(_SHADOWED)
    for field in struct.fields:
        yield from ("", f"    {field.attribute}: {_annotation(field, hidden)} = {default_text(field)}")
        yield from indented(_field_docstring(plan, field))


def summary(plan: ops.MessagePlan) -> str:
    """A message in one line."""
    kind = plan.kind if plan.kind in ("request", "response", "header") else f"{plan.kind} message"
    key = "" if plan.api_key is None else f", key {plan.api_key}"
    flexible = "" if plan.flexible_versions.empty else f", flexible in {plan.flexible_versions}"
    return f"{plan.name}: {kind}{key}, {_versions(plan.valid_versions)}{flexible}.{' ' * bool(plan.about)}{plan.about}"


def facts(plan: ops.MessagePlan, field: ops.FieldPlan) -> str:
    """What callers need to know about a field in addition to its type and default, in one line: versions, null, tag.

    A field without versions is in all versions of its message.
    """
    partly = field.versions != plan.valid_versions
    nullable, tagged = field.nullable_versions, field.tagged_versions
    within = field.versions
    last = plan.valid_versions.highest
    parts = [
        _versions(within, last) if partly else "",
        "" if nullable.empty else "may be null" + ("" if nullable == within else f" in {_versions(nullable, last)}"),
        "" if tagged.empty else f"tag {field.tag}" + ("" if tagged == within else f" in {_versions(tagged, last)}"),
        "ignorable" if partly and field.ignorable else "",
    ]
    text = "; ".join(filter(None, parts))
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _annotation(field: ops.FieldPlan, hidden: Container[str]) -> str:
    """The type of a field; ``hidden`` are Python's own names that fields of the struct have."""

    def spelled(name: str) -> str:
        if name == "UUID":
            return "_UUID"
        return f"_builtins.{name}" if name in hidden else name

    return field.annotation(spelled)


def _field_docstring(plan: ops.MessagePlan, field: ops.FieldPlan) -> list[str]:
    about, more = docstring(field.about), docstring(facts(plan, field))
    if about and more:
        return [f'"""{about}\n\n    {more}\n    """']
    return [f'"""{about or more}"""'] if about or more else []


def _children_first(plan: ops.MessagePlan) -> Iterable[int]:
    index_of = {struct.class_name: index for index, struct in enumerate(plan.structs)}
    types = [[field.type.removeprefix("[]") for field in struct.fields] for struct in plan.structs]
    children = {index: [index_of[name] for name in types[index] if name in index_of] for index in index_of.values()}
    return TopologicalSorter(children).static_order()


def _base(plan: ops.MessagePlan) -> str:
    """The runtime class that a message inherits from."""
    if plan.api_key is None:
        return "_Message"
    return {"request": "_Request", "response": "_Response"}.get(plan.kind, "_KeyedMessage")


def _constants(plan: ops.MessagePlan) -> Iterator[str]:
    if plan.api_key is not None:
        yield f"API_KEY = {plan.api_key}"
    if plan.kind != "data" and _base(plan) not in ("_Request", "_Response"):
        yield f"KIND = {text_literal(plan.kind)}"
    yield f"VALID_VERSIONS = {_range(plan.valid_versions)}"
    for name, versions in (("FLEXIBLE", plan.flexible_versions), ("DEPRECATED", plan.deprecated_versions)):
        if not versions.empty:
            yield f"{name}_VERSIONS = {_range(versions)}"
    if plan.latest_version_unstable:
        yield "LATEST_VERSION_UNSTABLE = True"
    if plan.listeners:
        yield f"LISTENERS = {tuple_literal(text_literal(name) for name in plan.listeners)}"
    if plan.header_versions:
        rows = (tuple_literal((v.lowest, v.highest, header)) for v, header in plan.header_versions)
        yield f"HEADER_VERSIONS = {tuple_literal(rows)}"


def _range(versions: VersionRange) -> str:
    return f"range({versions.lowest}, {versions.highest + 1})"


def _sensitive(struct: ops.StructPlan) -> str:
    rows = [
        f"{text_literal(field.attribute)}: {tuple_literal(map(text_literal, field.sensitive))}"
        for field in struct.fields
        if field.sensitive is not None
    ]
    return f"{{{', '.join(rows)}}}" if rows else ""


def _versions(versions: VersionRange, last: int | None = None) -> str:
    """A range in Kafka's notation: open-ended if it includes the ``last`` version, so that a new version changes no other text."""
    if versions.empty:
        return "no version"
    if versions.highest == last:
        return f"versions {versions.lowest}+"
    return f"version{'s' * (versions.lowest < versions.highest)} {versions}"
