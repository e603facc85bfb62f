"""The classes of a message, as callers see them: fields with types and defaults, and the constants of a message."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from messagegen.lower.literals import text_literal, tuple_literal
from messagegen.lower.ops import Expression
from messagegen.lower.values import default_name, default_of
from messagegen.plan import ops as planned
from messagegen.primitives import PRIMITIVES
from messagegen.versions import VersionRange

_PYTHON_TYPES: Final = {
    name: "_UUID" if primitive.python == "UUID" else primitive.python for name, primitive in PRIMITIVES.items()
}
_ENTITIES: Final = {
    "transactionalId": "_TransactionalId",
    "producerId": "_ProducerId",
    "groupId": "_GroupId",
    "topicName": "_TopicName",
    "brokerId": "_BrokerId",
}
_SHADOWED: Final = ("bool", "int", "float", "str", "bytes", "tuple", "dict", "memoryview", "type")


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a class; ``about`` and ``facts`` may be empty."""

    attribute: str
    annotation: Expression
    default: Expression
    about: str
    facts: str


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant of a message's class or of a module."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Partner:
    """The response of a request or the request of a response, and the method that returns its class."""

    method: str
    returns: Expression
    kind: str
    module: str
    class_name: str


@dataclass(frozen=True, slots=True)
class Key:
    """The parts of ``by_key``: the types of its argument and result, and the key of an element."""

    elements: Expression
    index: Expression
    key: str
    attributes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Class:
    """A class; ``default`` is the constant with its default, if a field of another class uses it."""

    name: str
    base: str
    about: str
    constants: tuple[Constant, ...]
    sensitive: str
    fields: tuple[Field, ...]
    partner: Partner | None
    key: Key | None
    default: str

    def names(self) -> Iterator[str]:
        """The names that it needs in the module."""
        yield from ("_dataclass", self.base)
        for field in self.fields:
            yield from field.annotation.names
            yield from field.default.names
        if self.partner:
            yield from self.partner.returns.names
        if self.key:
            yield from ("_index_by", *self.key.elements.names, *self.key.index.names)
        if self.default:
            yield "_default_of"


def classes(plan: planned.MessagePlan, partner: planned.MessagePlan | None) -> tuple[Class, ...]:
    """The classes of a message, each after those that it uses, the message itself last."""
    held = {field.type for struct in plan.structs for field in struct.fields if field.default is planned.EMPTY_STRUCT}
    return tuple(_class(plan, index, partner, held) for index in _children_first(plan))


def summary(plan: planned.MessagePlan) -> str:
    """A message in one line."""
    key = "" if plan.api_key is None else f", key {plan.api_key}"
    facts = f"Kafka {plan.kind}{key}, versions {plan.valid_versions}"
    flexible = "" if plan.flexible_versions.empty else f", flexible in {plan.flexible_versions}"
    return f"{plan.name}: {facts}{flexible}.{' ' * bool(plan.about)}{plan.about}"


def facts(plan: planned.MessagePlan, field: planned.FieldPlan) -> str:
    """What callers need to know about a field in addition to its type, in one line: versions, null, tag, default.

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
        "" if _is_usual(field) else f"default {_default_text(field)}",
    ]
    text = "; ".join(filter(None, parts))
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _versions(versions: VersionRange, last: int) -> str:
    """A range in Kafka's notation: open-ended if it includes the last version, so that a new version changes no other text."""
    if versions.empty:
        return "no version"
    if versions.highest == last:
        return f"versions {versions.lowest}+"
    return f"version{'s' * (versions.lowest < versions.highest)} {versions}"


def _is_usual(field: planned.FieldPlan) -> bool:
    """Whether a field has the default of its type."""
    value = field.default
    if isinstance(value, planned.EmptyValue | bytes):
        return True
    return not value.int if isinstance(value, UUID) else value is not None and not value


def _default_text(field: planned.FieldPlan) -> str:
    value = field.default
    return "null" if value is None else json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)


def _is_error_code(field: planned.FieldPlan) -> bool:
    """Whether a field contains an error code: these have no entity type in Kafka, but always such a name and type int16."""
    return field.type == "int16" and field.name.endswith("ErrorCode")


def _class(plan: planned.MessagePlan, index: int, partner: planned.MessagePlan | None, held: set[str]) -> Class:
    struct, is_message = plan.structs[index], index == 0
    spell = _Spelling(frozenset(field.attribute for field in struct.fields).intersection(_SHADOWED))
    return Class(
        name=struct.class_name,
        base=_base(plan) if is_message else "_Base",
        about=summary(plan) if is_message else struct.about if struct.about.split() else f"{struct.name}.",
        constants=tuple(_constants(plan)) if is_message else (),
        sensitive=_sensitive(struct),
        fields=tuple(
            Field(field.attribute, spell.annotation(field), default_of(field), field.about, facts(plan, field))
            for field in struct.fields
        ),
        partner=spell.partner(partner) if is_message and partner else None,
        key=spell.key(struct),
        default=default_name(struct.class_name) if struct.class_name in held else "",
    )


class _Spelling:
    """Writes types in a class body, where fields may shadow Python's own names."""

    def __init__(self, shadowed: frozenset[str]) -> None:
        self.shadowed = shadowed

    def builtin(self, name: str) -> Expression:
        return Expression(f"_builtins.{name}", ("_builtins",)) if name in self.shadowed else Expression(name)

    def annotation(self, field: planned.FieldPlan) -> Expression:
        base = field.type.removeprefix("[]")
        if field.zero_copy:
            python = _joined(" | ", self.builtin("bytes"), self.builtin("memoryview"))
        elif base not in _PYTHON_TYPES:
            python = Expression(base)
        else:
            name = "_ErrorCode" if _is_error_code(field) else _ENTITIES.get(field.entity) or _PYTHON_TYPES[base]
            python = Expression(name, (name,)) if name.startswith("_") else self.builtin(name)
        if field.type.startswith("[]"):
            python = self.tuple_of(python, "...")
        return Expression(f"{python.text} | None", python.names) if field.nullable else python

    def tuple_of(self, *types: Expression | str) -> Expression:
        return self.generic("tuple", *types)

    def generic(self, name: str, *types: Expression | str) -> Expression:
        outer = self.builtin(name)
        inner = _joined(", ", *(Expression(one) if isinstance(one, str) else one for one in types))
        return Expression(f"{outer.text}[{inner.text}]", (*outer.names, *inner.names))

    def key(self, struct: planned.StructPlan) -> Key | None:
        fields = [field for field in struct.fields if field.map_key]
        if not fields:
            return None
        types = [self.annotation(field) for field in fields]
        key_type = types[0] if len(types) == 1 else self.tuple_of(*types)
        expressions = [f"element.{field.attribute}" for field in fields]
        return Key(
            elements=self.tuple_of(struct.class_name, "..."),
            index=self.generic("dict", key_type, struct.class_name),
            key=expressions[0] if len(types) == 1 else tuple_literal(expressions),
            attributes=tuple(field.attribute for field in fields),
        )

    def partner(self, plan: planned.MessagePlan) -> Partner:
        returns = self.generic("type", "_Partner")
        return Partner(f"{plan.kind}_class", returns, plan.kind, plan.module, plan.class_name())


def _joined(separator: str, *parts: Expression) -> Expression:
    return Expression(separator.join(part.text for part in parts), tuple(name for part in parts for name in part.names))


def _children_first(plan: planned.MessagePlan) -> Iterator[int]:
    index_of = {struct.class_name: index for index, struct in enumerate(plan.structs)}
    done: set[int] = set()

    def visit(index: int) -> Iterator[int]:
        if index not in done:
            done.add(index)
            for field in plan.structs[index].fields:
                child = index_of.get(field.type.removeprefix("[]"))
                if child is not None:
                    yield from visit(child)
            yield index

    for index in (*range(1, len(plan.structs)), 0):
        yield from visit(index)


def _sensitive(struct: planned.StructPlan) -> str:
    rows = [
        f"{text_literal(field.attribute)}: {tuple_literal(map(text_literal, field.sensitive))}"
        for field in struct.fields
        if field.sensitive is not None
    ]
    return f"{{{', '.join(rows)}}}" if rows else ""


def _base(plan: planned.MessagePlan) -> str:
    """The runtime class that a message inherits from."""
    if plan.api_key is None:
        return "_Message"
    return {"request": "_Request", "response": "_Response"}.get(plan.kind, "_KeyedMessage")


def _constants(plan: planned.MessagePlan) -> Iterator[Constant]:
    if plan.api_key is not None:
        yield Constant("API_KEY", str(plan.api_key))
    yield Constant("KIND", text_literal(plan.kind))
    yield Constant("VALID_VERSIONS", _range(plan.valid_versions))
    for name, versions in (("FLEXIBLE", plan.flexible_versions), ("DEPRECATED", plan.deprecated_versions)):
        if not versions.empty:
            yield Constant(f"{name}_VERSIONS", _range(versions))
    if plan.latest_version_unstable:
        yield Constant("LATEST_VERSION_UNSTABLE", "True")
    if plan.listeners:
        yield Constant("LISTENERS", tuple_literal(text_literal(name) for name in plan.listeners))
    if plan.header_versions:
        rows = (tuple_literal((v.lowest, v.highest, header)) for v, header in plan.header_versions)
        yield Constant("HEADER_VERSIONS", tuple_literal(rows))


def _range(versions: VersionRange) -> str:
    return f"range({versions.lowest}, {versions.highest + 1})"
