"""Operations that write."""

from __future__ import annotations

from typing import Literal

from messagegen.lower.ops import INT16, INT32, Block, Expression, Format, Op

_LENGTHS = {"h": INT16, "i": INT32}


class CheckClass(Op):
    """Rejects an object of another class."""

    class_name: str
    imported = ("_check_instance",)


class Guard(Op):
    """Rejects a field that the version does not have, if ``condition`` says that it is not the default."""

    attribute: str
    condition: Expression
    named = ("condition",)
    imported = ("_CodecFailure",)


class CheckBool(Op):
    """Rejects anything but a bool, because ``struct`` would accept any truthy value."""

    attribute: str
    imported = ("_CodecFailure",)


class PutLength(Op):
    """Writes a length, plus 1 if it is compact, or that of null. ``listed`` if a list has the bytes of each length."""

    letter: str
    value: Literal["length", "length + 1", "count", "0", "-1"]
    listed: bool = False

    @property
    def table(self) -> str:
        """The list of the bytes of lengths, if there is one."""
        return "_COUNTS" if self.listed else ""

    @property
    def format(self) -> Format | None:
        """The format of a length of constant size, if a format writes it."""
        return _LENGTHS.get(self.letter) if self.value in ("length", "count") and not self.listed else None

    named = ("table",)
    constants = (("pack", "format"),)


class PackRun(Op):
    """Writes fields of constant size in one step, including ``uuids``, and the length after them, or an empty tag section (``x``)."""

    fields: Format
    attributes: tuple[str, ...]
    uuids: tuple[str, ...] = ()
    letter: str = ""
    length: str = ""

    @property
    def format(self) -> Format:
        """The format with the length."""
        return self.fields.then(self.letter)

    @property
    def converter(self) -> str:
        """The function that converts UUIDs to bytes, if there are any."""
        return "_uuid_bytes" if self.uuids else ""

    named = ("converter",)
    constants = (("pack", "format"),)


class SetValue(Op):
    """Sets the value to write."""

    source: str


class SetText(Op):
    """Sets the value to write to the UTF-8 of a string."""

    source: str
    imported = ("_utf8",)


class CheckBytes(Op):
    """Converts other buffers to bytes, and rejects anything else."""

    imported = ("_bytes_of",)


class CheckTuple(Op):
    """Converts a list to a tuple, and rejects anything else."""

    name: Literal["array", "value"]
    imported = ("_array_of",)


class CheckBools(Op):
    """Rejects elements that are not bools."""

    imported = ("_check_bools",)


class Measure(Op):
    """Measures the length of the value."""

    name: Literal["array", "value"]

    @property
    def length(self) -> str:
        """The name of the length."""
        return "count" if self.name == "array" else "length"


class IfNone(Op):
    """Writes null, or the value."""

    source: str
    null: Block
    block: Block
    holds = ("null", "block")


class IfShort(Op):
    """Writes a short value inline, and a long one with a runtime function."""

    limit: int
    short: Block
    long: Block
    holds = ("short", "long")


class PutByte(Op):
    """Writes one byte."""

    value: int


class PutBytes(Op):
    """Writes the value, which is bytes."""


class PutNumbers(Op):
    """Writes the value, which is a few numbers."""

    number: Format
    constants = (("packers", "number"),)


class PutManyNumbers(Op):
    """Writes the value, which is many numbers, with their count."""

    writer: str
    number: Format
    named = ("writer",)


class PutLongLength(Op):
    """Writes a compact length of any size."""

    writer: str
    argument: str
    named = ("writer",)


class CallWriter(Op):
    """Writes a varint or an array with a runtime function."""

    writer: str
    source: str
    element_writer: str = ""
    named = ("writer", "element_writer")


class CallEncoder(Op):
    """Writes a struct."""

    function: str
    source: str
    called = ("function",)


class CallArrayEncoder(Op):
    """Writes an array of structs."""

    function: str
    source: str
    called = ("function",)


class PutCompactCount(Op):
    """Writes the compact count of an array of structs."""

    imported = ("_write_uvarint",)


class ForItems(Op):
    """Writes the elements one by one."""

    block: Block
    holds = ("block",)


class WriteTag(Op):
    """Writes the value of a tag, if ``condition`` says that it is not the default."""

    tag: int
    condition: Expression
    block: Block
    holds = ("block",)
    named = ("condition",)


class WriteTags(Op):
    """Writes a tag section: the block's tags, and unknown ones, none of which may be ``known``."""

    block: Block
    known: tuple[int, ...]
    imported = ("_NOTHING", "_raw_tags", "_write_tags")
    holds = ("block",)


class WriteUnknownTags(Op):
    """Writes a tag section of unknown tags, none of which may be ``known``; ``packed`` if the run before wrote an empty one."""

    known: tuple[int, ...]
    packed: bool = False
    imported = ("_NOTHING", "_raw_tags", "_write_tags")


class RefuseTags(Op):
    """Rejects unknown tagged fields, which the version can't have."""

    imported = ("_NOTHING", "_no_tags")
