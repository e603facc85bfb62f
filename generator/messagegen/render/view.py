"""The plan as templates read it: every name and expression spelled out, so that templates only place them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from messagegen.plan import ops
from messagegen.plan.text import plan_text
from messagegen.render.charges import Charges
from messagegen.render.literals import default_literal, docstring, text_literal, tuple_literal
from messagegen.render.values import Numbers, Run, Value, ValueViews, with_peeks
from messagegen.runtime import costs
from messagegen.versions import VersionRange

_PYTHON_TYPES = {
    "bool": "bool",
    "int8": "int",
    "int16": "int",
    "uint16": "int",
    "int32": "int",
    "uint32": "int",
    "int64": "int",
    "float64": "float",
    "uuid": "_UUID",
    "string": "str",
    "bytes": "bytes",
    "records": "bytes",
}
_ENTITIES = {
    "transactionalId": "_TransactionalId",
    "producerId": "_ProducerId",
    "groupId": "_GroupId",
    "topicName": "_TopicName",
    "brokerId": "_BrokerId",
}
_SHADOWED = ("bool", "int", "float", "str", "bytes", "tuple", "dict", "memoryview", "type")


@dataclass(frozen=True, slots=True)
class FieldView:
    """One line of a class body."""

    attribute: str
    annotation: str
    default: str
    docstring: str


@dataclass(frozen=True, slots=True)
class KeyView:
    """What ``by_key`` needs: the types of its argument and result, and the key of an element."""

    elements: str
    index: str
    expression: str
    text: str


@dataclass(frozen=True, slots=True)
class ConstantView:
    """A class constant of a message."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class PartnerView:
    """The response of a request or the request of a response, and the method that gives its class."""

    method: str
    returns: str
    kind: str
    module: str
    class_name: str


@dataclass(frozen=True, slots=True)
class StructView:
    """One class."""

    class_name: str
    docstring: str
    base: str
    partner: PartnerView | None
    fields: tuple[FieldView, ...]
    constants: tuple[ConstantView, ...]
    sensitive: str
    key: KeyView | None
    default_name: str


@dataclass(frozen=True, slots=True)
class DefaultedView:
    """A field that a layout's bytes do not set."""

    attribute: str
    default: str


@dataclass(frozen=True, slots=True)
class TaggedView:
    """One field of a tag section; ``differs`` is the condition under which it is written."""

    tag: int
    value: Value
    differs: str


@dataclass(frozen=True, slots=True)
class RowView:
    """An array element of constant size, its empty tag section included: such arrays are read at one go."""

    format: str
    format_text: str
    size: int
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LayoutView:
    """The functions of one layout: for a ``single`` struct, for ``many`` in an array, or for both.

    ``source_parameter`` and ``source_argument`` hand on the buffer of which views may be kept, where there are any, and the
    allowance. ``charge`` is what an element of an array is charged, ``tag_charge`` a tagged field; ``shared`` are the arguments that all
    portions of an array have in common; those of a ``leaf`` may be counted later. Elements that ``may_be_empty`` do not end with the bytes.
    Arrays of numbers that share a tuple are ``credited``: ``credit`` for each number.
    """

    class_name: str
    function: str
    single: bool
    many: bool
    source_parameter: str
    source_argument: str
    flexible: bool
    values: tuple[Value, ...]
    tags_peeked: bool
    row: RowView | None
    defaulted: tuple[DefaultedView, ...]
    guards: tuple[str, ...]
    no_tags_written: bool
    tagged: tuple[TaggedView, ...]
    foreign_tags: tuple[int, ...]
    known_tags: tuple[int, ...]
    tags_at: str
    foreign_argument: str
    number: int
    charge: int
    tag_charge: int
    shared: str
    is_leaf: bool
    may_be_empty: bool
    credited: bool
    credit: int = 4 * costs.FACTOR
    """The share of the bytes of the smallest number that may be shared: they were to pay for it."""

    def every_value(self) -> tuple[Value, ...]:
        """The values outside and inside the tag section."""
        return (*self.values, *(tagged.value for tagged in self.tagged))


@dataclass(frozen=True, slots=True)
class RootView:
    """The layout function of one version of the message."""

    version: int
    function: str


@dataclass(frozen=True, slots=True)
class FormatView:
    """A ``struct`` format and its name."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ModuleView:
    """One module: a message, its structs and its codecs."""

    name: str
    class_name: str
    docstring: str
    partner: PartnerView | None
    structs: tuple[StructView, ...]
    layouts: tuple[LayoutView, ...]
    roots: tuple[RootView, ...]
    public: tuple[str, ...]
    classes: tuple[str, ...]
    plan: str
    own_charge: int
    small: int


def module_view(plan: ops.MessagePlan, partner: ops.MessagePlan | None) -> ModuleView:
    """The view of a message's module; ``partner`` is the response of a request or the request of a response."""
    views = _Views(plan, partner)
    names = [struct.class_name for struct in plan.structs]
    return ModuleView(
        name=plan.name,
        class_name=plan.class_name(),
        docstring=docstring(_summary(plan), 0),
        partner=views.partner,
        structs=tuple(views.structs()),
        layouts=tuple(views.layouts()),
        roots=tuple(RootView(version, views.function(index)) for version, index in plan.roots),
        public=tuple(text_literal(name) for name in names),
        classes=tuple(names),
        own_charge=views.charges.own(),
        small=views.charges.small(),
        plan=plan_text(plan).replace("\\", "\\\\").replace('"""', '\\"\\"\\"'),
    )


class _Views:
    """Makes the views of one message."""

    def __init__(self, plan: ops.MessagePlan, partner: ops.MessagePlan | None) -> None:
        self.plan = plan
        self.partner = _partner(plan, partner) if partner else None
        self.charges = Charges(plan)
        self.values = ValueViews(plan, self.function, self.charges)

    def function(self, layout_index: int) -> str:
        """The name that the functions of a layout share: its class and the lowest version that uses it."""
        layout = self.plan.layouts[layout_index]
        return f"{self.plan.structs[layout.struct].class_name}_v{layout.versions[0].lowest}"

    def structs(self) -> Iterator[StructView]:
        """Classes in an order in which each stands after those that it holds; the message itself is last."""
        for index in _children_first(self.plan):
            struct = self.plan.structs[index]
            shadowed = frozenset(field.attribute for field in struct.fields).intersection(_SHADOWED)
            used = any(self.holds_default_of(other, struct.class_name) for other in self.plan.structs)
            yield StructView(
                class_name=struct.class_name,
                docstring=docstring(struct.about if index else _summary(self.plan)) or f"{struct.name}.",
                base="_Base" if index else _base(self.plan),
                partner=None if index else self.partner,
                fields=tuple(self.field(field, shadowed) for field in struct.fields),
                constants=tuple(_constants(self.plan)) if index == 0 else (),
                sensitive=_sensitive(struct),
                key=_key(struct, shadowed),
                default_name=_default_name(struct.class_name) if used else "",
            )

    def holds_default_of(self, struct: ops.StructPlan, class_name: str) -> bool:
        return any(field.type == class_name and field.default is ops.EMPTY_STRUCT for field in struct.fields)

    def field(self, field: ops.FieldPlan, shadowed: frozenset[str]) -> FieldView:
        return FieldView(
            attribute=field.attribute,
            annotation=_annotation(field, shadowed),
            default=default_literal(field.default, _default_name(field.type)),
            docstring=docstring(field.about),
        )

    def layouts(self) -> Iterator[LayoutView]:
        """The layouts in the order of the plan."""
        single, many = _uses(self.plan)
        for index, layout in enumerate(self.plan.layouts):
            steps = [self.values.step(layout, step) for step in layout.steps]
            values = with_peeks(steps, flexible=layout.flexible, tagged=bool(layout.tagged))
            struct = self.plan.structs[layout.struct]
            fields = struct.fields
            takes_source = layout.zero_copy or layout.struct == 0
            source = ", z, m" if takes_source else ", m"
            tags_peeked = bool(values) and isinstance(values[-1], Run) and layout.flexible
            charge = self.charges.element(ops.StructCodec(index, "never"))
            not_read = sorted([*layout.guarded, *layout.ignored, *(tagged.field for tagged in layout.tagged)])
            yield LayoutView(
                class_name=struct.class_name,
                function=self.function(index),
                single=index in single,
                many=index in many,
                source_parameter=f"{', z: bytes | memoryview' if takes_source else ''}, m: _Allowance",
                source_argument=source,
                flexible=layout.flexible,
                values=values,
                tags_peeked=tags_peeked,
                row=_row(layout, values),
                defaulted=tuple(
                    DefaultedView(
                        fields[i].attribute, default_literal(fields[i].default, _default_name(fields[i].type))
                    )
                    for i in not_read
                ),
                guards=tuple(_differs(fields[i]) for i in layout.guarded),
                no_tags_written=bool(values) and isinstance(values[-1], Run) and bool(values[-1].pad),
                tagged=tuple(self.tagged(layout, tagged) for tagged in layout.tagged),
                foreign_tags=layout.foreign_tags,
                known_tags=tuple(sorted([*layout.foreign_tags, *(tagged.tag for tagged in layout.tagged)])),
                tags_at="p - 1" if tags_peeked else "p",
                foreign_argument=f", {tuple_literal(layout.foreign_tags)}" if layout.foreign_tags else "",
                number=index,
                charge=charge,
                tag_charge=self.charges.tag(layout),
                shared=f"({source.removeprefix(', ')}{',' if not takes_source else ''})",
                is_leaf=self.charges.is_leaf(layout),
                may_be_empty=layout.smallest == 0,
                credited=charge > 0 and any(isinstance(value, Numbers) and value.shares() for value in values),
            )

    def tagged(self, layout: ops.Layout, tagged: ops.TaggedField) -> TaggedView:
        field = self.plan.structs[layout.struct].fields[tagged.field]
        step = ops.FieldStep(tagged.field, tagged.codec)
        run = ops.RunStep((step,)) if isinstance(tagged.codec, ops.FixedCodec) else step
        return TaggedView(tagged.tag, self.values.step(layout, run), _differs(field))


def _uses(plan: ops.MessagePlan) -> tuple[set[int], set[int]]:
    """The layouts of single structs (the message itself among them), and those of structs in arrays."""
    single = {root for _, root in plan.roots}
    many: set[int] = set()
    for layout in plan.layouts:
        for _, codec in ops.fields_on_wire(layout):
            if isinstance(codec, ops.StructCodec):
                single.add(codec.layout)
            elif isinstance(codec, ops.ArrayCodec) and isinstance(codec.element, ops.StructCodec):
                many.add(codec.element.layout)
    return single, many


def _row(layout: ops.Layout, values: tuple[Value, ...]) -> RowView | None:
    if len(values) != 1 or not isinstance(values[0], Run) or values[0].uuids:
        return None
    run, pad = values[0], "x" * layout.flexible
    return RowView(f"{run.format}{pad}", f"{run.format_text}{pad}", run.size, run.targets)


def _children_first(plan: ops.MessagePlan) -> Iterator[int]:
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


def _default_name(class_name: str) -> str:
    return f"_{class_name}_default"


def _builtin(name: str, shadowed: frozenset[str]) -> str:
    """A type of Python in a class body, where a field may have its name."""
    return f"_builtins.{name}" if name in shadowed else name


def _annotation(field: ops.FieldPlan, shadowed: frozenset[str]) -> str:
    base = field.type.removeprefix("[]")
    python = _ENTITIES.get(field.entity) or _builtin(_PYTHON_TYPES[base], shadowed) if base in _PYTHON_TYPES else base
    if field.zero_copy:
        python = f"{_builtin('bytes', shadowed)} | {_builtin('memoryview', shadowed)}"
    if field.type.startswith("[]"):
        python = f"{_builtin('tuple', shadowed)}[{python}, ...]"
    return f"{python} | None" if field.nullable else python


def _key(struct: ops.StructPlan, shadowed: frozenset[str]) -> KeyView | None:
    keys = [field for field in struct.fields if field.map_key]
    if not keys:
        return None

    tuple_ = _builtin("tuple", shadowed)
    types = [_annotation(field, shadowed) for field in keys]
    expressions = [f"element.{field.attribute}" for field in keys]
    single = len(keys) == 1
    key_type = types[0] if single else f"{tuple_}[{', '.join(types)}]"
    return KeyView(
        elements=f"{tuple_}[{struct.class_name}, ...]",
        index=f"{_builtin('dict', shadowed)}[{key_type}, {struct.class_name}]",
        expression=expressions[0] if single else f"({', '.join(expressions)})",
        text=" and ".join(f"``{field.attribute}``" for field in keys),
    )


def _sensitive(struct: ops.StructPlan) -> str:
    rows = [
        f"{text_literal(field.attribute)}: {tuple_literal(map(text_literal, field.sensitive))}"
        for field in struct.fields
        if field.sensitive is not None
    ]
    return f"{{{', '.join(rows)}}}" if rows else ""


def _base(plan: ops.MessagePlan) -> str:
    """The class of the runtime that a message inherits from."""
    if plan.api_key is None:
        return "_Message"
    return {"request": "_Request", "response": "_Response"}.get(plan.kind, "_KeyedMessage")


def _partner(plan: ops.MessagePlan, partner: ops.MessagePlan) -> PartnerView:
    shadowed = frozenset(field.attribute for field in plan.structs[0].fields)
    returns = f"{_builtin('type', shadowed)}[_Partner]"
    return PartnerView(f"{partner.kind}_class", returns, partner.kind, partner.module, partner.class_name())


def _constants(plan: ops.MessagePlan) -> Iterator[ConstantView]:
    if plan.api_key is not None:
        yield ConstantView("API_KEY", str(plan.api_key))
    yield ConstantView("KIND", text_literal(plan.kind))
    yield ConstantView("VALID_VERSIONS", _range(plan.valid_versions))
    for name, versions in (("FLEXIBLE", plan.flexible_versions), ("DEPRECATED", plan.deprecated_versions)):
        if not versions.empty:
            yield ConstantView(f"{name}_VERSIONS", _range(versions))
    if plan.latest_version_unstable:
        yield ConstantView("LATEST_VERSION_UNSTABLE", "True")
    if plan.listeners:
        yield ConstantView("LISTENERS", tuple_literal(text_literal(name) for name in plan.listeners))
    if plan.header_versions:
        rows = (tuple_literal((v.lowest, v.highest, header)) for v, header in plan.header_versions)
        yield ConstantView("HEADER_VERSIONS", tuple_literal(rows))


def _summary(plan: ops.MessagePlan) -> str:
    key = "" if plan.api_key is None else f", key {plan.api_key}"
    facts = f"Kafka {plan.kind}{key}, versions {plan.valid_versions}"
    flexible = "" if plan.flexible_versions.empty else f", flexible in {plan.flexible_versions}"
    return f"{plan.name}: {facts}{flexible}.{' ' * bool(plan.about)}{plan.about}"


def _range(versions: VersionRange) -> str:
    return f"range({versions.lowest}, {versions.highest + 1})"


def _differs(field: ops.FieldPlan) -> str:
    """The condition under which ``o``'s field is not its default, as Apache's ``generateNonDefaultValueCheck`` has it."""
    target = f"o.{field.attribute}"
    default = field.default
    if default is None:
        return f"{target} is not None"
    if default is ops.EMPTY_ARRAY:
        return f"{target} is not _NOTHING and _some({target})"
    if isinstance(default, bytes):
        return f"_some_bytes({target})"
    if isinstance(default, bool):
        return f"{target} is not {default}"
    return f"{target} != {default_literal(default, _default_name(field.type))}"
