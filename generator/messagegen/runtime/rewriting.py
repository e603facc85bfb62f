"""Changes topics, groups, transactional ids, broker ids and addresses wherever they occur in a message.

They are found by the entity types of fields, which are in the plan. Loaded on first use.
"""

from __future__ import annotations

from _operator import index

from .base import checked
from .errors import is_a
from .wire import array_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    from .base import Message
    from .plan import Field, Layout

    M = TypeVar("M", bound=Message)

_ADDRESS = "address"
_BROKER = "brokerId"
_OF_REQUEST = "request."
_OF_HOLDER = "^"
_WILDCARD = "*"


def rewrite(  # noqa: PLR0913 - keyword arguments of a public function
    message: M,
    *,
    version: int,
    topics: Callable[[str], str] | None = None,
    groups: Callable[[str], str] | None = None,
    transactional_ids: Callable[[str], str] | None = None,
    brokers: Callable[[int], int] | None = None,
    addresses: Callable[[str, int, int | None], tuple[str, int]] | None = None,
    request: Message | None = None,
    drop_unknown_tagged_fields: bool = False,
) -> M:
    """Return a copy of a message, after a function has replaced the values of each kind; everything else is shared.

    Returns ``message`` itself if nothing changes. In a lazily decoded message, only the parts with such values are
    created, and ``encode`` copies the bytes of all other parts.

    ``addresses`` gets the host and port of a node, and its original id if the message contains the id next to them.
    The functions do not get values that name nothing: null, empty strings, negative numbers, ``*`` in ACLs, and an
    address with an empty host and a negative port. The name of a resource in an ACL or config goes to the function for
    the type of the resource. Broker ids are passed as integers. ``request`` is the request that a
    ``FindCoordinatorResponse`` answers. Only the request contains the type of the keys, so if it is missing, the keys
    are not changed.

    The contents of unknown tagged fields are unknown, so they are kept. ``drop_unknown_tagged_fields`` removes them
    from all structs, which creates all structs of a lazily decoded message.

    Name patterns, records, error messages, and the subscriptions that group members exchange are never changed. Raises
    ``UnsupportedVersionError``.
    """
    plan = message.CODEC.parsed_plan()
    layout = plan.roots[checked(type(message), version)]
    given: dict[str, Any] = {
        "topicName": topics,
        "groupId": groups,
        "transactionalId": transactional_ids,
        _BROKER: brokers,
        _ADDRESS: addresses,
    }
    functions = {kind: function for kind, function in given.items() if function is not None}
    key = (layout.number, frozenset(functions), drop_unknown_tagged_fields)
    if key not in plan.rewrites:
        plan.rewrites[key] = _Work(layout, None, functions, drops_tags=drop_unknown_tagged_fields)
    work: _Work = plan.rewrites[key]
    rewritten: M = _Rewriter(functions, request).struct(message, work, None)
    return rewritten


class _Work:
    """The attributes to change in the structs of one layout, each with the data for the change.

    ``decided`` are fields whose kind depends on another field, with the kind for each value of that field. ``structs``
    are attributes with nested structs that need changes. ``holder`` is the layout of the enclosing struct.
    """

    def __init__(self, layout: Layout, holder: Layout | None, kinds: Mapping[str, object], *, drops_tags: bool) -> None:
        self.drops_tags = drops_tags and layout.flexible
        self.values: list[tuple[str, str, bool]] = []
        self.decided: list[tuple[Field, dict[int, str]]] = []
        self.structs: list[tuple[str, _Work, bool]] = []
        self.address: tuple[str, str, str] | None = None
        for attribute, codec in layout.codecs.items():
            field = layout.fields[attribute]
            if field.entity in kinds:
                self.values.append((attribute, field.entity, field.is_array))
            if field.entity_by is not None:
                wanted = {value: entity for value, entity in field.entity_by.types.items() if entity in kinds}
                if wanted:
                    self.decided.append((field, wanted))
            inner = codec.layout if codec.element is None else codec.element.layout
            if inner is not None:
                work = _Work(inner, layout, kinds, drops_tags=drops_tags)
                if work:
                    self.structs.append((attribute, work, field.is_array))
        if _ADDRESS in kinds:
            self.address = _address(layout, holder)

    def __bool__(self) -> bool:
        return bool(self.values or self.decided or self.structs or self.address or self.drops_tags)


def _address(layout: Layout, holder: Layout | None) -> tuple[str, str, str] | None:
    """Return the attributes of an address, ``None`` if the layout has no address. A missing id is an empty string."""
    if not layout.struct.address:
        return None
    host, port, *ids = layout.struct.address
    if host not in layout.codecs or port not in layout.codecs:
        return None
    node_id = ids[0] if ids else ""
    where = holder if node_id.startswith(_OF_HOLDER) else layout
    known = where is not None and node_id.removeprefix(_OF_HOLDER) in where.codecs
    return host, port, node_id if known else ""


class _Rewriter:
    """Applies the functions to one message; ``request`` is the request that it answers."""

    def __init__(self, functions: Mapping[str, Any], request: Message | None) -> None:
        self.functions = functions
        self.request = request

    def struct(self, struct: Any, work: _Work, holder: Any) -> Any:
        """Return the changed struct, or the struct itself if nothing changed. ``holder`` is the enclosing struct."""
        changes: dict[str, Any] = {}
        for attribute, kind, is_array in work.values:
            value = getattr(struct, attribute)
            changed = self.values(value, kind) if is_array else self.value(value, kind)
            if changed is not value:
                changes[attribute] = changed

        for field, kinds in work.decided:
            value = getattr(struct, field.attribute)
            changed = self.decided(struct, value, field, kinds)
            if changed is not value:
                changes[field.attribute] = changed

        for attribute, inner, is_array in work.structs:
            value = getattr(struct, attribute)
            changed = self.structs(value, inner, struct) if is_array else self.struct_or_null(value, inner, struct)
            if changed is not value:
                changes[attribute] = changed

        if work.address is not None:
            changes.update(self.address(struct, holder, work.address))
        if work.drops_tags and struct.unknown_tagged_fields:
            changes["unknown_tagged_fields"] = ()
        return struct.__replace__(**changes) if changes else struct

    def struct_or_null(self, struct: Any, work: _Work, holder: Any) -> Any:
        """Change a struct that may be null; return the struct itself if nothing changed."""
        return None if struct is None else self.struct(struct, work, holder)

    def structs(self, structs: Any, work: _Work, holder: Any) -> Any:
        """Change an array of structs; return the array itself if nothing changed."""
        if structs is None:
            return structs
        before = array_of(structs)
        changed = tuple([self.struct(each, work, holder) for each in before])
        return changed if _differ(changed, before) else structs

    def values(self, values: Any, kind: str) -> Any:
        """Change an array of names or ids; return the array itself if nothing changed."""
        if values is None:
            return values
        before = array_of(values)
        changed = tuple([self.value(each, kind) for each in before])
        return changed if _differ(changed, before) else values

    def decided(self, struct: Any, value: Any, field: Field, kinds: Mapping[int, str]) -> Any:
        """Change a value or array whose kind depends on another field; return the value itself if nothing changed."""
        assert field.entity_by is not None
        decider = field.entity_by.decider
        decision: Any
        if decider.startswith(_OF_REQUEST):
            decision = getattr(self.request, decider.removeprefix(_OF_REQUEST), None)
        else:
            decision = getattr(struct, decider)
        kind = "" if decision is None else kinds.get(index(decision), "")
        if not kind or (field.entity_by.has_wildcard and not field.is_array and _plain(value) == _WILDCARD):
            return value
        return self.values(value, kind) if field.is_array else self.value(value, kind)

    def value(self, value: Any, kind: str) -> Any:
        """Change a name or id; return the value itself if the function returns an equal one."""
        if value is None:
            return value
        before = _plain(value)
        if before == "":
            return value
        function = self.functions[kind]
        if kind != _BROKER:
            changed = function(before)
        elif isinstance(before, int):
            changed = function(before) if before >= 0 else before
        else:
            changed = str(function(int(before))) if _is_number(before) else before
        return value if changed == before else changed

    def address(self, struct: Any, holder: Any, attributes: tuple[str, str, str]) -> dict[str, object]:
        """Return the changes of host and port, by attribute; empty if the address is missing."""
        host_attribute, port_attribute, id_attribute = attributes
        host = _plain(getattr(struct, host_attribute)) or ""
        port = _plain(getattr(struct, port_attribute))
        if not host and port < 0:
            return {}
        owner = holder if id_attribute.startswith(_OF_HOLDER) else struct
        node_id = _plain(getattr(owner, id_attribute.removeprefix(_OF_HOLDER))) if id_attribute else None
        changed_host, changed_port = self.functions[_ADDRESS](host, port, node_id)
        changes: dict[str, object] = {}
        if changed_host != host:
            changes[host_attribute] = changed_host
        if changed_port != port:
            changes[port_attribute] = changed_port
        return changes


def _plain(value: Any) -> Any:
    """Return the string or integer that is encoded for a value; ``None`` for null."""
    if value is None:
        return None
    return str.__str__(value) if is_a(value, str) else index(value)


def _differ(changed: tuple[Any, ...], old: Any) -> bool:
    return any(new is not before for new, before in zip(changed, old, strict=True))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()
