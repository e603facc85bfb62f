"""Views of classes for ``templates/python/``: constants, fields with types and defaults, docstrings.

A view has the values of the template's lines as Python source. Optional parts are lists of one or none.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Final, TypeVar

from messagegen.emit.code import assigned_value, field_sources, imported_names, listed_items, tuple_source
from messagegen.emit.literals import class_docstring, docstring, text_literal, tuple_literal
from messagegen.emit.summaries import facts, summary
from messagegen.emit.uses import Uses
from messagegen.emit.values import default_name, default_source
from messagegen.plan import ops
from messagegen.versions import VersionRange

_T = TypeVar("_T")
_INDENT: Final = "    "

_SHADOWED: Final = ("bool", "int", "float", "str", "bytes", "tuple")
"""Names of Python that a class body uses, and that a field may have, too."""

_PARTNER: Final = "_Partner"
"""The name of the class of a request's response, or of a response's request, in annotations."""


@dataclass(slots=True)
class PartnerView:
    """The response of a request, or the request of a response: its class, and the property that returns the class."""

    kind: str
    module: str
    class_name: str
    property: str
    decorator: str
    type: str
    for_types: str
    """The names that the module imports for type checkers only, because the two modules need each other."""
    imported: str
    """The imported names in the property."""


@dataclass(slots=True)
class MessageView:
    """The parts that only the class of the message itself has."""

    api_key: list[int]
    kind: list[str]
    valid_versions: str
    flexible_versions: list[str]
    deprecated_versions: list[str]
    latest_version_unstable: list[bool]
    listeners: list[str]
    header_versions: list[str]
    partner: list[PartnerView]


@dataclass(slots=True)
class FieldView:
    """A field of a class."""

    name: str
    type: str
    default: str
    docstring: list[str]


@dataclass(slots=True)
class ClassView:
    """A class. ``message`` has one item for the class of the message itself, and none for its structs.

    ``sensitive`` has the fields to hide, each with the fields that decide whether it is hidden. ``aliases`` are the
    constants after the class, each with its value: a shorter name of the class, and the default of fields.
    """

    name: str
    base: str
    docstring: str
    message: list[MessageView]
    sensitive: list[list[tuple[str, str]]]
    fields: list[FieldView]
    aliases: list[tuple[str, str]]


def class_views(plan: ops.MessagePlan, partner: PartnerView | None, use: Uses) -> list[ClassView]:
    """Return the classes of a message, each after the classes that it uses, and the message's own class last."""
    held = {field.type for struct in plan.structs for field in struct.fields if field.default is ops.EMPTY_STRUCT}
    return [_class(plan, index, partner, held, use) for index in _children_first(plan)]


def _class(
    plan: ops.MessagePlan, index: int, partner: PartnerView | None, held: Container[str], use: Uses
) -> ClassView:
    struct = plan.structs[index]
    is_message = index == 0
    name = struct.class_name
    base = _base(plan, partner, use) if is_message else use.Struct
    hidden = {field.attribute for field in struct.fields}.intersection(_SHADOWED)
    sensitive = _sensitive(struct)
    return ClassView(
        name=name,
        base=listed_items(f"class {name}(", [base], "):"),
        docstring=class_docstring(summary(plan) if is_message else _about(struct)),
        message=[_message(plan, partner)] if is_message else [],
        sensitive=[sensitive] if sensitive else [],
        fields=[_field(plan, field, hidden, use) for field in struct.fields],
        aliases=list(_aliases(name, held, use)),
    )


def _message(plan: ops.MessagePlan, partner: PartnerView | None) -> MessageView:
    is_known_by_class = plan.kind == "data" or (plan.kind in ("request", "response") and plan.api_key is not None)
    listeners = [text_literal(name) for name in plan.listeners]
    rows = [tuple_literal((v.lowest, v.highest, header)) for v, header in plan.header_versions]
    return MessageView(
        api_key=optional(plan.api_key),
        kind=[] if is_known_by_class else [text_literal(plan.kind)],
        valid_versions=_range(plan.valid_versions),
        flexible_versions=_optional_range(plan.flexible_versions),
        deprecated_versions=_optional_range(plan.deprecated_versions),
        latest_version_unstable=[True] if plan.latest_version_unstable else [],
        listeners=[tuple_source("LISTENERS = ", listeners, "", _INDENT)] if listeners else [],
        header_versions=[tuple_source("HEADER_VERSIONS = ", rows, "", _INDENT)] if rows else [],
        partner=optional(partner),
    )


def _field(plan: ops.MessagePlan, field: ops.FieldPlan, hidden: Container[str], use: Uses) -> FieldView:
    """Return a field; ``hidden`` contains the names of builtins that fields of the struct shadow."""

    def spelled(name: str) -> str:
        if name == "UUID":
            return use.UUID
        return f"{use.builtins}.{name}" if name in hidden else name

    annotation = field.annotation(spelled, use.class_)
    type_, default = field_sources(field.attribute, annotation, default_source(field, use), _INDENT)
    about, more = docstring(field.about), docstring(facts(plan, field))
    both = f"{about}\n\n{_INDENT}{more}\n{_INDENT}"
    text = both if about and more else about or more
    return FieldView(field.attribute, type_, default, [text] if text else [])


def partner_view(plan: ops.MessagePlan, partner: ops.MessagePlan, use: Uses) -> PartnerView:
    """Return the ``partner`` of a request or response."""
    is_hidden = any(field.attribute == "type" for field in plan.structs[0].fields)
    type_ = f"{use.builtins}.type" if is_hidden else "type"
    name, module = partner.class_name(), f".{partner.module}"
    return PartnerView(
        kind=partner.kind,
        module=module,
        class_name=name,
        property=partner.kind.upper(),
        decorator=use.class_property,
        type=f"{type_}[{_PARTNER}]",
        for_types=imported_names(module, [f"{name} as {_PARTNER}"], _INDENT),
        imported=imported_names(module, [name], _INDENT * 2),
    )


def _about(struct: ops.StructPlan) -> str:
    return struct.about if struct.about.split() else f"{struct.name}."


def _children_first(plan: ops.MessagePlan) -> Iterable[int]:
    index_of = {struct.class_name: index for index, struct in enumerate(plan.structs)}
    types = [[field.element_type for field in struct.fields] for struct in plan.structs]
    children = {index: [index_of[name] for name in types[index] if name in index_of] for index in index_of.values()}
    return TopologicalSorter(children).static_order()


def _base(plan: ops.MessagePlan, partner: PartnerView | None, use: Uses) -> str:
    """Return the runtime class that a message inherits from; for a request, with the response class in brackets."""
    if plan.api_key is None:
        return use.Message
    match plan.kind:
        case "request":
            return use.Request if partner is None else f"{use.Request}[{text_literal(_PARTNER)}]"
        case "response":
            return use.Response
        case _:
            return use.KeyedMessage


def _sensitive(struct: ops.StructPlan) -> list[tuple[str, str]]:
    """Return the fields to hide, each with the fields that decide whether it is hidden."""
    rows: list[tuple[str, str]] = []
    for field in struct.fields:
        if field.sensitive is not None:
            name = text_literal(field.attribute)
            deciders = [text_literal(decider) for decider in field.sensitive]
            rows.append((name, tuple_source(f"{name}: ", deciders, ",", _INDENT * 2)))
    return rows


def _aliases(name: str, held: Container[str], use: Uses) -> Iterator[tuple[str, str]]:
    """Yield the constants after a class. ``held`` are the classes of fields whose default is an object."""
    short = use.class_(name)
    if short != name:
        yield short, assigned_value(short, name)
    if name in held:
        yield default_name(short), f"{use.default_of}({short})"


def _range(versions: VersionRange) -> str:
    return f"range({versions.lowest}, {versions.highest + 1})"


def _optional_range(versions: VersionRange) -> list[str]:
    return [] if versions.empty else [_range(versions)]


def optional(value: _T | None) -> list[_T]:
    """Return an optional part of a view: a list of one or none."""
    return [] if value is None else [value]
