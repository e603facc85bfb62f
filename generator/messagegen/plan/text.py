"""The text form of plans, for golden files, for people, and in every generated module.

It contains the parts of a plan that decoding, encoding and JSON need, with one record per line. The generated classes
contain the rest, as constants and docstrings. Lines that start with a space belong to the previous ``message``,
``struct`` or ``layout``. VERSIONS are written as in specs, TEXT and DEFAULT as JSON. The number after
``messagegen-plan`` changes whenever a reader of the old format would misread the new format.

    messagegen-plan 3
    message NAME KIND VERSIONS
    struct CLASS
     ATTRIBUTE KEY TYPE[?] DEFAULT               ? if null is allowed in some version
     :about ATTRIBUTE TEXT
     :entity ATTRIBUTE TYPE                      what its values name: an entityType of Kafka, such as topicName
     :entity_by ATTRIBUTE DECIDER VALUE=TYPE...  the same, depending on the value of the attribute DECIDER, or
                                                 request.ATTRIBUTE; ends with * if the value * is not a name
     :address HOST PORT [NODE_ID]                attributes with the address of a node, and with its id; the id
                                                 is in the enclosing struct if NODE_ID is ^ATTRIBUTE
     :sensitive ATTRIBUTE [ATTRIBUTE...]         hidden; if more attributes follow, they decide: a config's name, a flag
    layout NUMBER CLASS VERSIONS                 referred to by number; only refers to earlier layouts
    layout NUMBER CLASS VERSIONS flexible CHARGE  the same with a tag section; each of its fields costs CHARGE
     ATTRIBUTE CODEC                             on the wire, in this order
     + ATTRIBUTE CODEC                           the same, in one step with the line above
     :tag NUMBER ATTRIBUTE CODEC                 in the tag section
     :foreign NUMBER...                          tags of fields that are tagged only in other versions
     :guard ATTRIBUTE...                         not on the wire: must be the default
     :skip ATTRIBUTE...                          not on the wire: may be anything
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from uuid import UUID

from messagegen.plan import ops
from messagegen.runtime import PLAN_FORMAT


def plan_text(plan: ops.MessagePlan) -> str:
    """Return the text form of a plan, with a final newline; equal plans give equal text."""
    return "\n".join(_lines(plan)) + "\n"


def _lines(plan: ops.MessagePlan) -> Iterator[str]:
    yield f"messagegen-plan {PLAN_FORMAT}"
    yield f"message {plan.name} {plan.kind} {plan.valid_versions}"
    for struct in plan.structs:
        yield f"struct {struct.class_name}"
        for field in struct.fields:
            mark = "?" if field.nullable else ""
            yield f" {field.attribute} {field.key} {field.type}{mark} {default_json(field.default)}"
        for field in struct.fields:
            if field.about:
                yield f" :about {field.attribute} {json.dumps(field.about)}"
            if field.entity:
                yield f" :entity {field.attribute} {field.entity}"
            if field.entity_by is not None:
                yield f" :entity_by {field.attribute} {_entity_by_text(field.entity_by)}"
            if field.sensitive is not None:
                yield f" :sensitive {' '.join((field.attribute, *field.sensitive))}"
        if struct.address is not None:
            yield f" :address {_address_text(struct.address)}"
    for number, layout in enumerate(plan.layouts):
        yield from _layout_lines(plan, number, layout)


def _entity_by_text(entity_by: ops.EntityByPlan) -> str:
    decider = f"request.{entity_by.decider}" if entity_by.request else entity_by.decider
    words = [f"{value}={entity}" for value, entity in entity_by.types]
    if entity_by.wildcard:
        words.append("*")
    return f"{decider} {' '.join(words)}"


def _address_text(address: ops.AddressPlan) -> str:
    text = f"{address.host} {address.port}"
    if address.node_id is None:
        return text
    return f"{text} ^{address.node_id}" if address.held else f"{text} {address.node_id}"


def _layout_lines(plan: ops.MessagePlan, number: int, layout: ops.Layout) -> Iterator[str]:
    struct = plan.structs[layout.struct]
    attribute = [field.attribute for field in struct.fields]
    versions = ",".join(str(versions) for versions in layout.versions)
    flexible = f" flexible {layout.tag_charge}" if layout.flexible else ""
    yield f"layout {number} {struct.class_name} {versions}{flexible}"
    for step in layout.steps:
        first, *rest = step.steps if isinstance(step, ops.RunStep) else (step,)
        yield f" {attribute[first.field]} {codec_text(first.codec)}"
        for other in rest:
            yield f" + {attribute[other.field]} {codec_text(other.codec)}"
    for tagged in layout.tagged:
        yield f" :tag {tagged.tag} {attribute[tagged.field]} {codec_text(tagged.codec)}"
    if layout.foreign_tags:
        yield " :foreign " + " ".join(map(str, layout.foreign_tags))
    for word, fields in (("guard", layout.guarded), ("skip", layout.ignored)):
        if fields:
            yield f" :{word} " + " ".join(attribute[field] for field in fields)


def codec_text(codec: ops.Codec) -> str:
    """Return the text of a codec.

    ``int32``, ``packed64``, ``compact_string?``, ``struct(3)?`` (after an int8), ``struct(3)??`` (after a varint),
    ``array(int32)``, ``compact_array(struct(2),130)?`` (each element takes 130 bytes of the budget).
    """
    match codec:
        case ops.FixedCodec(kind):
            return kind
        case ops.VarintCodec(form, bits):
            return f"{form}{bits}"
        case ops.VariableCodec(kind, compact, nullable):
            return f"{_compact(compact)}{kind}{_null_mark(nullable)}"
        case ops.StructCodec(layout, nullable, tagged):
            mark = "??" if nullable and tagged else _null_mark(nullable)
            return f"struct({layout}){mark}"
        case ops.ArrayCodec(element, compact, nullable, charge):
            charged = f",{charge}" if charge else ""
            return f"{_compact(compact)}array({codec_text(element)}{charged}){_null_mark(nullable)}"


def _compact(compact: bool) -> str:
    return "compact_" if compact else ""


def _null_mark(nullable: bool) -> str:
    return "?" if nullable else ""


def default_json(value: ops.PlanDefault) -> str:
    """Return a default as JSON; uuids and bytes in hexadecimal digits."""
    if isinstance(value, UUID):
        return json.dumps(value.hex)
    if isinstance(value, bytes):
        return json.dumps(value.hex())
    return json.dumps(value)
