"""Operations that read."""

from __future__ import annotations

from typing import Literal

from messagegen.lower.ops import Block, Expression, Format, Length, Op


class NewObject(Op):
    """Makes the object, with nothing set; the first of a function is annotated."""

    class_name: str
    first: bool = True
    imported = ("_new",)


class SetDefault(Op):
    """Sets a field that the bytes do not hold, or may not."""

    attribute: str
    value: Expression
    named = ("value",)


class ReadRun(Op):
    """Reads fields of constant size at one go, and the length after them, by its letter, into ``length_name``."""

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
    """Makes a UUID of a field's 16 bytes."""

    attribute: str
    imported = ("_uuid_of",)


class LookAtLength(Op):
    """Reads a compact length's first byte, without going past it."""


class ReadLength(Op):
    """Reads a length of constant size."""

    format: Format
    constants = (("unpack", "format"),)


class ReadSized(Op):
    """Reads so many bytes, of ``data`` or of ``source`` whose views may be kept; ``reader`` does if they are many or null."""

    attribute: str
    source: Literal["data", "source"]
    is_text: bool
    length: Length
    reader: str
    named = ("reader",)


class ReadNumbers(Op):
    """Reads an array of numbers; ``reader`` does if they are many or null. A block follows each of the two ways."""

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
    """Reads an array whose elements a function of the runtime reads, each charged ``charge``."""

    attribute: str
    reader: str
    element_reader: str
    charge: int = 0
    named = ("reader", "element_reader")


class CallDecoder(Op):
    """Reads a struct, or an array of structs; ``keeps_views`` if it takes the buffer of which views may be kept."""

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
    """Sets the field to null under a ``condition``, which ends after ``skip`` bytes; reads it otherwise."""

    attribute: str
    condition: Literal["mark > 127", "mark == 0", "not data[pos]", "data[pos] > 127"]
    skip: int
    block: Block
    holds = ("block",)


class RefuseNull(Op):
    """Refuses null, which the reader of the field lets through."""

    attribute: str
    imported = ("_CodecFailure",)


class NoTags(Op):
    """Sets no unknown tagged fields."""


class TagSection(Op):
    """A tag section; ``block`` reads one that is not empty, from its first byte on. ``peeked`` if ``tag_count`` is that byte."""

    peeked: bool
    block: Block
    holds = ("block",)


class CallTagDecoder(Op):
    """Reads a tag section in which tags are known; the position is ``behind`` its first byte or at it."""

    function: str
    keeps_views: bool
    behind: int
    called = ("function",)


class ReadUnknownTags(Op):
    """Reads a tag section in which no tag is known, and refuses ``foreign`` ones."""

    foreign: tuple[int, ...]
    behind: int
    imported = ("_read_unknown_tags",)


class ReturnObject(Op):
    """Returns the object and the position after it."""


class ReadTag(Op):
    """Reads the value of one tag; ``first`` if it is the first that is looked for."""

    tag: int
    first: bool
    block: Block
    holds = ("block",)


class RefuseForeignTags(Op):
    """Refuses tags that only other versions know."""

    tags: tuple[int, ...]
    imported = ("_CodecFailure",)


class ReadTags(Op):
    """Reads a tag section: known tags as the block says, others as they stand; each is charged ``charge``."""

    block: Block
    charge: int = 0
    imported = ("_CodecFailure", "_read_tag_count", "_read_uvarint")
    holds = ("block",)


class UnlessCounted(Op):
    """What is to be done once for an array that is read in portions: only where the count is not given."""

    block: Block
    holds = ("block",)


class ReadCompactCount(Op):
    """Reads a compact count; an array that is empty or null ends here."""

    imported = ("_read_uvarint",)


class ReadCount(Op):
    """Reads an int32 count; an array that is empty or null ends here."""

    format: Format
    constants = (("unpack", "format"),)


class CheckBytesLeft(Op):
    """Refuses an array of more elements than there are bytes, or than one may have: elements without bytes do not end."""

    imported = ("_CodecFailure",)


class ChargeArray(Op):
    """Takes ``charge`` for each element from the allowance; the block reads and counts the array where little is left."""

    charge: int
    block: Block
    holds = ("block",)
    imported = ("_CodecFailure", "_LITTLE")


class ReadCounted(Op):
    """Returns what ``reader`` makes of the array: in portions of ``function``, each counted, if it may cost too much."""

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
    """Reads all elements at one go if all are of constant size: the bytes are enough, and each tag section is empty."""

    row: Format
    has_tags: bool
    block: Block
    holds = ("block",)
    constants = (("rows", "row"),)


class SetRow(Op):
    """Sets the fields of a row."""

    attributes: tuple[str, ...]


class StartCredit(Op):
    """Starts to count the numbers for which no tuple is kept."""


class ForCount(Op):
    """Reads one element after the other."""

    block: Block
    holds = ("block",)


class Append(Op):
    """Appends the element to the list."""


class GiveCredit(Op):
    """Gives back what was charged for tuples that are not kept."""

    credit: int


class ReturnItems(Op):
    """Returns the elements and the position after them."""
