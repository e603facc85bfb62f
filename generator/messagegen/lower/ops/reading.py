"""Operations that read."""

from __future__ import annotations

from typing import Literal

from messagegen.lower.ops import Block, Expression, Format, Length, Op


class NewObject(Op):
    """Creates the object, with nothing set; the first in a function is annotated."""

    class_name: str
    first: bool = True
    imported = ("_new",)


class SetDefault(Op):
    """Sets a field that the bytes do not contain, or may not contain."""

    attribute: str
    value: Expression
    named = ("value",)


class ReadRun(Op):
    """Reads fields of constant size in one step, and the length after them, by its letter, into ``length_name``."""

    fields: Format
    attributes: tuple[str, ...]
    length: str = ""
    length_name: Literal["", "length", "tag_count"] = ""

    @property
    def format(self) -> Format:
        """The format with the length."""
        return self.fields.then(self.length)

    constants = (("unpack", "format"),)


class MakeUuid(Op):
    """Converts the 16 bytes of a field to a UUID."""

    attribute: str
    imported = ("_uuid_of",)


class LookAtLength(Op):
    """Reads the first byte of a compact length without advancing."""


class ReadLength(Op):
    """Reads a length of constant size."""

    format: Format
    constants = (("unpack", "format"),)


class ReadSized(Op):
    """Reads ``length`` bytes from ``data``, or from ``source`` for views; calls ``reader`` for many bytes or null."""

    attribute: str
    source: Literal["data", "source"]
    is_text: bool
    length: Length
    reader: str
    named = ("reader",)


class ReadNumbers(Op):
    """Reads an array of numbers; calls ``reader`` for many numbers or null. Each of the two branches has a block."""

    attribute: str
    number: Format
    length: Length
    reader: str
    few: Block = ()
    many: Block = ()
    holds = ("few", "many")
    named = ("reader",)
    constants = (("unpackers", "number"),)


class ShareTuple(Op):
    """Keeps one tuple for two equal arrays; ``counted`` if ``shared`` counts the numbers for which none was kept."""

    attribute: str
    like: str
    number: Format
    counted: bool = False


class ReadVarint(Op):
    """Reads a varint of KIP-625."""

    attribute: str
    reader: str
    named = ("reader",)


class ReadArray(Op):
    """Reads an array whose elements are read by a runtime function and charged ``charge`` each."""

    attribute: str
    reader: str
    element_reader: str
    charge: int = 0
    named = ("reader", "element_reader")


class CallDecoder(Op):
    """Reads a struct, or an array of structs; ``keeps_views`` if it takes the buffer for views."""

    attribute: str
    function: str
    keeps_views: bool
    called = ("function",)


class ReadMark(Op):
    """Reads the int8 that says whether a struct is null."""


class ReadVarintMark(Op):
    """Reads the varint that says whether a struct is null."""

    imported = ("_read_uvarint",)


class ReadOrNull(Op):
    """Sets the field to null if ``condition`` holds and skips ``skip`` bytes; otherwise reads it."""

    attribute: str
    condition: Literal["mark > 127", "mark == 0", "not data[pos]", "data[pos] > 127"]
    skip: int
    block: Block
    holds = ("block",)


class RefuseNull(Op):
    """Rejects null, which the reader of the field accepts."""

    attribute: str
    imported = ("_CodecFailure",)


class NoTags(Op):
    """Sets no unknown tagged fields."""


class TagSection(Op):
    """A tag section; ``block`` reads a non-empty one from its first byte. ``peeked`` if ``tag_count`` is that byte."""

    peeked: bool
    block: Block
    holds = ("block",)


class CallTagDecoder(Op):
    """Reads a tag section with known tags; the position is ``behind`` its first byte or at it."""

    function: str
    keeps_views: bool
    behind: int
    called = ("function",)


class ReadUnknownTags(Op):
    """Reads a tag section without known tags, and rejects ``foreign`` ones."""

    foreign: tuple[int, ...]
    behind: int
    imported = ("_read_unknown_tags",)


class ReturnObject(Op):
    """Returns the object and the position after it."""


class ReadTag(Op):
    """Reads the value of a tag; ``first`` if it is the first one compared."""

    tag: int
    first: bool
    block: Block
    holds = ("block",)


class RefuseForeignTags(Op):
    """Rejects tags that only other versions know."""

    tags: tuple[int, ...]
    imported = ("_CodecFailure",)


class ReadTags(Op):
    """Reads a tag section: known tags with the block, others as raw bytes; each is charged ``charge``."""

    block: Block
    charge: int = 0
    imported = ("_CodecFailure", "_read_tag_count", "_read_uvarint")
    holds = ("block",)


class UnlessCounted(Op):
    """Runs once for an array that is read in portions: only if the count is not passed."""

    block: Block
    holds = ("block",)


class ReadCompactCount(Op):
    """Reads a compact count; returns if the array is empty or null."""

    imported = ("_read_uvarint",)


class ReadCount(Op):
    """Reads an int32 count; returns if the array is empty or null."""

    format: Format
    constants = (("unpack", "format"),)


class CheckBytesLeft(Op):
    """Rejects an array with more elements than bytes, or than allowed, because elements without bytes would never end."""

    imported = ("_CodecFailure",)


class ChargeArray(Op):
    """Charges the allowance ``charge`` for each element; the block reads and counts the array if little is left."""

    charge: int
    block: Block
    holds = ("block",)
    imported = ("_CodecFailure", "_LITTLE")


class ReadCounted(Op):
    """Returns the array from ``reader``: in counted portions read by ``function``, if it may cost too much."""

    reader: Literal["_read_leaves", "_read_structs"]
    function: str
    keeps_views: bool
    layout: int
    charge: int
    named = ("reader",)
    called = ("function",)


class StartItems(Op):
    """Starts the list of elements."""


class ReadRows(Op):
    """Reads all elements in one step if they have constant size: there are enough bytes, and each tag section is empty."""

    row: Format
    has_tags: bool
    block: Block
    holds = ("block",)
    constants = (("rows", "row"),)


class SetRow(Op):
    """Sets the fields of a row."""

    attributes: tuple[str, ...]


class StartCredit(Op):
    """Starts counting the numbers whose tuple is dropped."""


class ForCount(Op):
    """Reads the elements one by one."""

    block: Block
    holds = ("block",)


class Append(Op):
    """Appends the element to the list."""


class GiveCredit(Op):
    """Refunds the charge for tuples that are dropped."""

    credit: int


class ReturnItems(Op):
    """Returns the elements and the position after them."""
