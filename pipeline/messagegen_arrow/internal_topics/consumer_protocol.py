"""The subscription and assignment in group metadata: client messages that coordinators store as bytes (KIP-429).

Only members of a group whose protocol type is ``consumer`` use this protocol. Connect workers, for example, have a
protocol of their own.
"""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.arrays import behind, error_array, errors_within, first_error, like_list, with_fields
from messagegen_arrow.catalog import MessageTable
from messagegen_arrow.columns.decoding import decode_columns
from messagegen_arrow.columns.model import ColumnOptions, MessageColumns
from messagegen_arrow.columns.schemas import arrow_message_type

PROTOCOL_TYPE: Final = "consumer"
_PREFIX: Final = 2


@dataclass(frozen=True, slots=True)
class EmbeddedMessage:
    """A message in the bytes of a member, and the field for the decoded message."""

    message: str
    bytes_name: str
    """The field of the member that contains the bytes."""
    name: str
    """The field for the decoded message."""
    wanted: MessageColumns

    @property
    def type(self) -> pa.StructType:
        """The type of that field."""
        return pa.struct([pa.field("version", pa.int16()), *arrow_message_type(self.wanted)])


@dataclass(frozen=True, slots=True)
class ConsumerProtocol:
    """Adds the decoded subscription and assignment to each member of a group. It can be pickled."""

    members: str
    protocol_type: str
    embedded: tuple[EmbeddedMessage, ...]

    @classmethod
    def of(
        cls, subscription: MessageTable, assignment: MessageTable, options: ColumnOptions, members: frozenset[str]
    ) -> ConsumerProtocol:
        """Return the protocol for member structs with these attributes.

        If they lack the bytes of a message, that message is not added.
        """
        # A uuid inside these messages is always text.
        inside: ColumnOptions = {**options, "uuid": "string"}
        is_kafka = options.get("names", "kafka") == "kafka"
        embedded = [
            (subscription, "subscription", "consumerSubscription" if is_kafka else "consumer_subscription"),
            (assignment, "assignment", "consumerAssignment" if is_kafka else "consumer_assignment"),
        ]
        return cls(
            members="members",
            protocol_type="protocolType" if is_kafka else "protocol_type",
            embedded=tuple(
                EmbeddedMessage(table.name, field, name, MessageColumns.of(table, None, inside))
                for table, field, name in embedded
                if field in members
            ),
        )

    def add_to(self, value: pa.StructArray) -> pa.StructArray:
        """Return the struct array of group metadata, with the new fields in its members."""
        columns = dict(zip(value.type.names, value.flatten(), strict=True))
        groups = columns[self.members]
        members = groups.flatten()
        protocol_types = columns[self.protocol_type].take(pc.list_parent_indices(groups))
        added = [(each.name, _decoded(each, members, protocol_types)) for each in self.embedded]
        extended = like_list(with_fields(members, added), groups)
        return with_fields(value, [(self.members, extended)])

    def extended_type(self, value: pa.StructType) -> pa.StructType:
        """Return the type that ``add_to`` returns for this type."""
        return pa.struct([self._extended_field(field) for field in value])

    def _extended_field(self, field: pa.Field) -> pa.Field:
        if field.name != self.members:
            return field
        item = field.type.value_field
        added = [pa.field(each.name, each.type) for each in self.embedded]
        return field.with_type(pa.list_(item.with_type(pa.struct([*item.type, *added]))))


def _decoded(embedded: EmbeddedMessage, members: pa.StructArray, protocol_types: pa.StringArray) -> pa.StructArray:
    """Return the decoded message of each member.

    It is null for members without bytes, and only has an ``_error`` if the bytes are not this message.
    """
    data = members.field(embedded.bytes_name)
    if len(data) == 0:
        return pa.array([], embedded.type)
    there = pc.fill_null(pc.greater(pc.binary_length(data), 0), fill_value=False)
    other = pc.and_(there, pc.not_equal(protocol_types, PROTOCOL_TYPE))
    words = (
        "groups of the protocol type '",
        protocol_types,
        f"' do not use {embedded.message}; their bytes are in {embedded.bytes_name}",
    )
    is_other = error_array(pc.binary_join_element_wise(*words, ""), "", 0, other)
    short = pc.and_(pc.and_(there, pc.invert(other)), pc.less(pc.binary_length(data), _PREFIX))
    is_short = error_array("the version takes 2 bytes", "", 0, short)
    known = pc.and_(there, pc.invert(pc.or_(other, short)))
    heads = pc.if_else(known, pc.binary_slice(data, 0, _PREFIX), bytes(_PREFIX)).cast(pa.binary(_PREFIX))
    versions = pa.array(np.frombuffer(heads.buffers()[1], ">i2").astype(np.int16))
    newer = pc.and_(known, pc.invert(pc.is_in(versions, pa.array(embedded.wanted.versions, pa.int16()))))
    lowest, highest = embedded.wanted.versions[0], embedded.wanted.versions[-1]
    reason = (f"{embedded.message} has versions {lowest} to {highest}, not ", versions.cast(pa.string()))
    is_newer = error_array(pc.binary_join_element_wise(*reason, ""), "", 0, newer)
    bodies = pc.if_else(pc.and_(known, pc.invert(newer)), behind(data, _PREFIX), pa.scalar(None, pa.binary()))
    decoded = decode_columns(embedded.wanted, bodies, versions)
    *fields, errors = decoded.flatten()
    error = first_error(is_other, is_short, is_newer, errors_within(errors, "", _PREFIX))
    version = pc.if_else(known, versions, pa.scalar(None, pa.int16()))
    names = ["version", *decoded.type.names]
    return pa.StructArray.from_arrays([version, *fields, error], names, mask=pc.invert(there))
