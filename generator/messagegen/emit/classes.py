"""The text of classes, as callers see them: fields with types and defaults, and the constants of a message."""

from __future__ import annotations

from collections.abc import Container, Iterable
from graphlib import TopologicalSorter
from typing import Final

from messagegen.emit.code import Code
from messagegen.emit.literals import docstring, quoted, text_literal, tuple_literal
from messagegen.emit.uses import Uses
from messagegen.emit.values import default_name, default_source
from messagegen.plan import ops
from messagegen.versions import VersionRange

_SHADOWED: Final = ("bool", "int", "float", "str", "bytes", "tuple")
"""Names of Python that a class body uses, and that a field may have, too."""

_PARTNER: Final = "_Partner"
"""The name of the class of a request's response, or of a response's request, in annotations."""


def typing_lines(partner: ops.MessagePlan) -> list[str]:
    """Return the import of a partner's class, for type checkers only: the two modules would import each other."""
    code = Code()
    code.line("TYPE_CHECKING = False")
    with code.block("if TYPE_CHECKING:"):
        code.imported(f".{partner.module}", [f"{partner.class_name()} as {_PARTNER}"])
    return code.lines


def add_classes(plan: ops.MessagePlan, partner: ops.MessagePlan | None, use: Uses, code: Code) -> None:
    """Add the classes of a message, each after the classes that it uses, and the message's own class last."""
    held = {field.type for struct in plan.structs for field in struct.fields if field.default is ops.EMPTY_STRUCT}
    for index in _children_first(plan):
        if code.lines:
            code.blank(2)
        add_class(plan, index, partner, use, code)
        name = plan.structs[index].class_name
        if use.class_(name) != name:
            code.blank(2)
            code.assign(use.class_(name), name)
        if name in held:
            code.blank(2)
            name = use.class_(name)
            code.line(f"{default_name(name)} = {use.default_of}({name})")


def add_class(plan: ops.MessagePlan, index: int, partner: ops.MessagePlan | None, use: Uses, code: Code) -> None:
    """Add a class: its docstring, constants and fields. ``partner`` is the message's response or request."""
    struct = plan.structs[index]
    is_message = index == 0
    hidden = {field.attribute for field in struct.fields}.intersection(_SHADOWED)
    base = _base(plan, partner, use) if is_message else use.Struct
    code.line(f"@{use.dataclass}")
    code.listed(f"class {struct.class_name}(", [base], "):")
    with code:
        code.line(quoted(docstring(summary(plan) if is_message else _about(struct))))
        if is_message:
            code.blank()
            _add_constants(plan, code)
        if is_message and partner is not None:
            code.blank()
            _add_partner(struct, partner, use, code)
        if any(field.sensitive is not None for field in struct.fields):
            code.blank()
            _add_sensitive(struct, code)
        for field in struct.fields:
            code.blank()
            code.field(field.attribute, _annotation(field, hidden, use), default_source(field, use))
            _add_field_docstring(plan, field, code)


def _about(struct: ops.StructPlan) -> str:
    return struct.about if struct.about.split() else f"{struct.name}."


def summary(plan: ops.MessagePlan) -> str:
    """Return a message in one line."""
    kind = plan.kind if plan.kind in ("request", "response", "header") else f"{plan.kind} message"
    key = "" if plan.api_key is None else f", key {plan.api_key}"
    flexible = "" if plan.flexible_versions.empty else f", flexible in {plan.flexible_versions}"
    about = f" {plan.about}" if plan.about else ""
    return f"{plan.name}: {kind}{key}, {_versions(plan.valid_versions)}{flexible}.{about}"


def facts(plan: ops.MessagePlan, field: ops.FieldPlan) -> str:
    """Return facts about a field beyond its type and default in one line: versions, null, tag.

    A field without versions is in all versions of its message.
    """
    last = plan.valid_versions.highest
    partly = field.versions != plan.valid_versions
    parts: list[str] = []
    if partly:
        parts.append(_versions(field.versions, last))
    if not field.nullable_versions.empty:
        parts.append(f"may be null{_within(field, field.nullable_versions, last)}")
    if not field.tagged_versions.empty:
        parts.append(f"tag {field.tag}{_within(field, field.tagged_versions, last)}")
    if partly and field.ignorable:
        parts.append("ignorable")
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _within(field: ops.FieldPlan, versions: VersionRange, last: int) -> str:
    """Return ``versions`` as text with ``in``, or "" if they are all versions of the field."""
    return "" if versions == field.versions else f" in {_versions(versions, last)}"


def _annotation(field: ops.FieldPlan, hidden: Container[str], use: Uses) -> str:
    """Return the type of a field; ``hidden`` are Python's own names that fields of the struct have."""

    def spelled(name: str) -> str:
        if name == "UUID":
            return use.UUID
        return f"{use.builtins}.{name}" if name in hidden else name

    return field.annotation(spelled, use.class_)


def _add_field_docstring(plan: ops.MessagePlan, field: ops.FieldPlan, code: Code) -> None:
    about = docstring(field.about)
    more = docstring(facts(plan, field))
    if about and more:
        code.line(f'"""{about}')
        code.blank()
        code.line(more)
        code.line('"""')
    elif about or more:
        code.line(f'"""{about or more}"""')


def _children_first(plan: ops.MessagePlan) -> Iterable[int]:
    index_of = {struct.class_name: index for index, struct in enumerate(plan.structs)}
    types = [[field.element_type for field in struct.fields] for struct in plan.structs]
    children = {index: [index_of[name] for name in types[index] if name in index_of] for index in index_of.values()}
    return TopologicalSorter(children).static_order()


def _base(plan: ops.MessagePlan, partner: ops.MessagePlan | None, use: Uses) -> str:
    """Return the runtime class that a message inherits from; of a request, with the class of its response as text."""
    if plan.api_key is None:
        return use.Message
    match plan.kind:
        case "request":
            return use.Request if partner is None else f"{use.Request}[{text_literal(_PARTNER)}]"
        case "response":
            return use.Response
        case _:
            return use.KeyedMessage


def _add_constants(plan: ops.MessagePlan, code: Code) -> None:
    is_known_by_class = plan.kind == "data" or (plan.kind in ("request", "response") and plan.api_key is not None)
    if plan.api_key is not None:
        code.line(f"API_KEY = {plan.api_key}")
    if not is_known_by_class:
        code.line(f"KIND = {text_literal(plan.kind)}")
    code.line(f"VALID_VERSIONS = {_range(plan.valid_versions)}")
    if not plan.flexible_versions.empty:
        code.line(f"FLEXIBLE_VERSIONS = {_range(plan.flexible_versions)}")
    if not plan.deprecated_versions.empty:
        code.line(f"DEPRECATED_VERSIONS = {_range(plan.deprecated_versions)}")
    if plan.latest_version_unstable:
        code.line("LATEST_VERSION_UNSTABLE = True")
    if plan.listeners:
        code.tuple("LISTENERS = ", [text_literal(name) for name in plan.listeners], "")
    if plan.header_versions:
        rows = [tuple_literal((v.lowest, v.highest, header)) for v, header in plan.header_versions]
        code.tuple("HEADER_VERSIONS = ", rows, "")


def _add_partner(struct: ops.StructPlan, partner: ops.MessagePlan, use: Uses, code: Code) -> None:
    """Add ``RESPONSE`` to the class of a request, or ``REQUEST`` to the class of a response."""
    is_hidden = any(field.attribute == "type" for field in struct.fields)
    type_ = f"{use.builtins}.type" if is_hidden else "type"
    code.line(f"@{use.class_property}")
    with code.block(f"def {partner.kind.upper()}(cls) -> {type_}[{_PARTNER}]:"):
        code.line(f'"""The class of its {partner.kind}."""')
        code.imported(f".{partner.module}", [partner.class_name()])
        code.blank()
        code.line(f"return {partner.class_name()}")


def _range(versions: VersionRange) -> str:
    return f"range({versions.lowest}, {versions.highest + 1})"


def _add_sensitive(struct: ops.StructPlan, code: Code) -> None:
    """Add the fields to hide, each with the fields that decide whether it is hidden."""
    hidden = {field.attribute: field.sensitive for field in struct.fields if field.sensitive is not None}
    with code.block("SENSITIVE = {"):
        for attribute, deciders in hidden.items():
            code.tuple(f"{text_literal(attribute)}: ", [text_literal(decider) for decider in deciders], ",")
    code.line("}")


def _versions(versions: VersionRange, last: int | None = None) -> str:
    """Return a range in Kafka's notation.

    It is open-ended if it includes the ``last`` version, so that a new version changes no other text.
    """
    if versions.empty:
        return "no version"
    if versions.highest == last:
        return f"versions {versions.lowest}+"
    return f"version {versions}" if versions.lowest == versions.highest else f"versions {versions}"
