"""StructsResponse: response, key 1, versions 0-1, flexible in 1.

Generated from the message spec StructsResponse.
"""

from __future__ import annotations

from struct import Struct as _Format

from ._runtime import numbers as _numbers, wire as _wire
from ._runtime.entities import ErrorCode as _ErrorCode
from ._runtime.base import Codec as _Codec
from ._runtime.messages import Response as _Response
from ._runtime.numbers import packers as _packers, unpackers as _unpackers
from ._runtime.structs import Struct as _Struct, dataclass as _dataclass, default_of as _default_of
from ._runtime.structs import index_by as _index_by
from ._runtime.wire import Any as _Any, Budget as _Budget, NOTHING as _NOTHING, Read as _Read, Source as _Source
from ._runtime.wire import TUPLE as _TUPLE, new as _new, utf8 as _utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .values_request import ValuesRequest as _Partner

__all__ = ["StructsResponse", "Point", "Name", "Empty", "Owner", "Deputy", "Pair"]

_unpack_bB = _Format(">bB").unpack_from
_unpack_h = _Format(">h").unpack_from
_unpack_i = _Format(">i").unpack_from
_unpack_ii = _Format(">ii").unpack_from
_unpack_iiB = _Format(">iiB").unpack_from
_pack_bx = _Format(">bx").pack
_pack_h = _Format(">h").pack
_pack_i = _Format(">i").pack
_pack_ii = _Format(">ii").pack
_pack_iix = _Format(">iix").pack
_rows_bx = _Format(">bx").iter_unpack
_rows_ii = _Format(">ii").iter_unpack
_rows_iix = _Format(">iix").iter_unpack
_unpackers_i = _unpackers("i")
_packers_i = _packers("i")


@_dataclass
class Point(_Struct):
    """A point."""

    x: int = 0

    y: int = -1
    """Default -1."""

    @staticmethod
    def by_key(elements: tuple[Point, ...]) -> dict[int, Point]:
        """The elements by ``x``; of elements with equal keys the first."""
        return _index_by(elements, lambda element: element.x)


@_dataclass
class Name(_Struct):
    """Name."""

    value: str = ""


@_dataclass
class Empty(_Struct):
    """Empty."""

    later: int = 0
    """Versions 1+."""


@_dataclass
class Owner(_Struct):
    """Owner."""

    name: str = ""


_Owner_default = _default_of(Owner)


@_dataclass
class Deputy(_Struct):
    """Deputy."""

    name: str = ""
    """Versions 1+."""


@_dataclass
class Pair(_Struct):
    """Pair."""

    one: tuple[int, ...] = ()
    """Versions 1+."""

    two: tuple[int, ...] = ()
    """Versions 1+."""


@_dataclass
class StructsResponse(_Response):
    """StructsResponse: response, key 1, versions 0-1, flexible in 1."""

    API_KEY = 1
    KIND = "response"
    VALID_VERSIONS = range(0, 2)
    FLEXIBLE_VERSIONS = range(1, 2)
    HEADER_VERSIONS = ((0, 0, 0), (1, 1, 1))

    error_code: _ErrorCode = 0

    points: tuple[Point, ...] = ()
    """All points."""

    names: tuple[Name, ...] | None = ()
    """May be null."""

    empties: tuple[Empty, ...] = ()

    owner: Owner = _Owner_default

    deputy: Deputy | None = None
    """Versions 1+; may be null; default null."""

    pairs: tuple[Pair, ...] = ()
    """Versions 1+."""

    @classmethod
    def request_class(cls) -> type[_Partner]:
        """The class of the request."""
        from .values_request import ValuesRequest

        return ValuesRequest


_args_StructsResponse = (StructsResponse,)
_args_Point = (Point,)
_args_Name = (Name,)
_args_Empty = (Empty,)
_args_Owner = (Owner,)
_args_Deputy = (Deputy,)
_args_Pair = (Pair,)


# Codecs. They are named after a struct and the lowest version of its layout, which other versions may share.
#   _decode_NAME(data, pos, budget) reads a struct at `pos` and returns it with the position after it.
#   _decode_NAME_array reads an array, null as None.
#   _decode_NAME_tags reads a tag section into `struct` and returns the position after it.
#   _encode_NAME(struct, out) and _encode_NAME_array(out, array) append to `out`.
# `budget` limits memory (_runtime/limits.py). `source` is the buffer that zero-copy fields are views of; `data` are its
# bytes. What is wrong raises some exception; `Codec` (_runtime/messages.py) then locates it by a slower pass.


def _decode_Point_v0_array(data: bytes, pos: int, budget: _Budget, count: int = -1) -> _Read:
    if count < 0:
        (count,) = _unpack_i(data, pos)
        pos += 4
        budget.left -= 66 * count
        if count < 1 or budget.left < 0:
            return budget.read(_decode_Point_v0_array, 0, 66, data, pos, count=count)
    items: list[_Any] = []
    stop = pos + 8 * count
    if stop <= len(data):
        for row in _rows_ii(data[pos:stop] if count < 512 else memoryview(data)[pos:stop]):
            struct = _new(*_args_Point)
            struct.x, struct.y = row
            struct.unknown_tagged_fields = ()
            items.append(struct)
        return tuple(items), stop
    for _ in range(count):
        struct = _new(*_args_Point)
        struct.x, struct.y = _unpack_ii(data, pos)
        pos += 8
        struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_Point_v0_array(out: bytearray, array: _Any) -> None:
    if type(array) is not _TUPLE:
        array = _wire.array_of(array)
    out += _pack_i(len(array))
    for struct in array:
        if struct.__class__ is not Point:
            _wire.check_instance(struct, Point)
        out += _pack_ii(struct.x, struct.y)
        if struct.unknown_tagged_fields is not _NOTHING:
            _wire.no_tags(struct.unknown_tagged_fields)


def _decode_Name_v0_array(data: bytes, pos: int, budget: _Budget, count: int = -1) -> _Read:
    if count < 0:
        (count,) = _unpack_i(data, pos)
        pos += 4
        budget.left -= 114 * count
        if count < 1 or budget.left < 0:
            return budget.read(_decode_Name_v0_array, 1, 114, data, pos, count=count)
    items: list[_Any] = []
    for _ in range(count):
        struct = _new(*_args_Name)
        (length,) = _unpack_h(data, pos)
        pos += 2
        struct.value = data[pos : (pos := pos + length)].decode() if length >= 0 else _wire.not_null(None)
        struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_Name_v0_array(out: bytearray, array: _Any) -> None:
    if type(array) is not _TUPLE:
        array = _wire.array_of(array)
    out += _pack_i(len(array))
    for struct in array:
        if struct.__class__ is not Name:
            _wire.check_instance(struct, Name)
        value = _utf8(struct.value)
        out += _pack_h(len(value))
        out += value
        if struct.unknown_tagged_fields is not _NOTHING:
            _wire.no_tags(struct.unknown_tagged_fields)


def _decode_Empty_v0_array(data: bytes, pos: int, budget: _Budget, count: int = -1) -> _Read:
    if count < 0:
        (count,) = _unpack_i(data, pos)
        pos += 4
        budget.left -= 66 * count
        if count < 1 or budget.left < 0:
            return budget.read(_decode_Empty_v0_array, 2, 66, data, pos, count=count)
    if count > len(data) - pos:
        raise _wire.CodecFailure
    items: list[_Any] = []
    for _ in range(count):
        struct = _new(*_args_Empty)
        struct.later = 0
        struct.unknown_tagged_fields = ()
        items.append(struct)
    return tuple(items), pos


def _encode_Empty_v0_array(out: bytearray, array: _Any) -> None:
    if type(array) is not _TUPLE:
        array = _wire.array_of(array)
    out += _pack_i(len(array))
    for struct in array:
        if struct.__class__ is not Empty:
            _wire.check_instance(struct, Empty)
        if struct.later != 0:
            raise _wire.CodecFailure
        if struct.unknown_tagged_fields is not _NOTHING:
            _wire.no_tags(struct.unknown_tagged_fields)


def _decode_Owner_v0(data: bytes, pos: int, budget: _Budget) -> _Read:
    struct = _new(*_args_Owner)
    (length,) = _unpack_h(data, pos)
    pos += 2
    struct.name = data[pos : (pos := pos + length)].decode() if length >= 0 else _wire.not_null(None)
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_Owner_v0(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Owner:
        _wire.check_instance(struct, Owner)
    value = _utf8(struct.name)
    out += _pack_h(len(value))
    out += value
    if struct.unknown_tagged_fields is not _NOTHING:
        _wire.no_tags(struct.unknown_tagged_fields)


def _decode_StructsResponse_v0(data: bytes, pos: int, source: _Source, budget: _Budget) -> _Read:
    struct = _new(*_args_StructsResponse)
    struct.deputy = None
    struct.pairs = ()
    (struct.error_code,) = _unpack_h(data, pos)
    pos += 2
    struct.points, pos = _decode_Point_v0_array(data, pos, budget)
    if data[pos] > 127:
        struct.names = None
        pos += 4
    else:
        struct.names, pos = _decode_Name_v0_array(data, pos, budget)
    struct.empties, pos = _decode_Empty_v0_array(data, pos, budget)
    struct.owner, pos = _decode_Owner_v0(data, pos, budget)
    struct.unknown_tagged_fields = ()
    return struct, pos


def _encode_StructsResponse_v0(struct: _Any, out: bytearray) -> None:
    if struct.deputy is not None or struct.pairs is not _NOTHING and _wire.some(struct.pairs):
        raise _wire.CodecFailure
    out += _pack_h(struct.error_code)
    _encode_Point_v0_array(out, struct.points)
    if (value := struct.names) is None:
        out += _pack_i(-1)
    else:
        _encode_Name_v0_array(out, value)
    _encode_Empty_v0_array(out, struct.empties)
    _encode_Owner_v0(struct.owner, out)
    if struct.unknown_tagged_fields is not _NOTHING:
        _wire.no_tags(struct.unknown_tagged_fields)


def _decode_Point_v1_array(data: bytes, pos: int, budget: _Budget, count: int = -1) -> _Read:
    if count < 0:
        count = data[pos] - 1
        budget.left -= 56 * count
        if not 0 < count < 127 or budget.left < 0:
            return budget.read(_decode_Point_v1_array, 5, 56, data, pos)
        pos += 1
    items: list[_Any] = []
    stop = pos + 9 * count
    if data[pos + 8 : stop : 9].count(0) == count:
        for row in _rows_iix(data[pos:stop] if count < 512 else memoryview(data)[pos:stop]):
            struct = _new(*_args_Point)
            struct.x, struct.y = row
            struct.unknown_tagged_fields = ()
            items.append(struct)
        return tuple(items), stop
    for _ in range(count):
        struct = _new(*_args_Point)
        struct.x, struct.y, tag_count = _unpack_iiB(data, pos)
        pos += 9
        struct.unknown_tagged_fields = ()
        if tag_count:
            struct.unknown_tagged_fields, pos = _wire.read_unknown_tags(data, pos - 1, budget)
        items.append(struct)
    return tuple(items), pos


def _encode_Point_v1_array(out: bytearray, array: _Any) -> None:
    if type(array) is _TUPLE and (count := len(array)) < 127:
        out.append(count + 1)
    else:
        array = _wire.write_compact_count(out, array)
    for struct in array:
        if struct.__class__ is not Point:
            _wire.check_instance(struct, Point)
        out += _pack_iix(struct.x, struct.y)
        if struct.unknown_tagged_fields is not _NOTHING:
            out.pop()
            _wire.write_tags(out, _wire.raw_tags(struct.unknown_tagged_fields, ()))


def _decode_Name_v1_array(data: bytes, pos: int, budget: _Budget, count: int = -1) -> _Read:
    if count < 0:
        count = data[pos] - 1
        budget.left -= 114 * count
        if not 0 < count < 127 or budget.left < 0:
            return budget.read(_decode_Name_v1_array, 6, 114, data, pos)
        pos += 1
    items: list[_Any] = []
    for _ in range(count):
        struct = _new(*_args_Name)
        if 0 < (length := data[pos]) < 128:
            struct.value = data[pos + 1 : (pos := pos + length)].decode()
        else:
            struct.value, pos = _wire.read_compact_string(data, pos)
        if data[pos]:
            struct.unknown_tagged_fields, pos = _wire.read_unknown_tags(data, pos, budget)
        else:
            struct.unknown_tagged_fields = ()
            pos += 1
        items.append(struct)
    return tuple(items), pos


def _encode_Name_v1_array(out: bytearray, array: _Any) -> None:
    if type(array) is _TUPLE and (count := len(array)) < 127:
        out.append(count + 1)
    else:
        array = _wire.write_compact_count(out, array)
    for struct in array:
        if struct.__class__ is not Name:
            _wire.check_instance(struct, Name)
        value = _utf8(struct.value)
        if (length := len(value)) < 127:
            out.append(length + 1)
        else:
            _wire.write_compact_length(out, length)
        out += value
        if struct.unknown_tagged_fields is _NOTHING:
            out.append(0)
        else:
            _wire.write_tags(out, _wire.raw_tags(struct.unknown_tagged_fields, ()))


def _decode_Empty_v1_array(data: bytes, pos: int, budget: _Budget, count: int = -1) -> _Read:
    if count < 0:
        count = data[pos] - 1
        budget.left -= 78 * count
        if not 0 < count < 127 or budget.left < 0:
            return budget.read(_decode_Empty_v1_array, 7, 78, data, pos)
        pos += 1
    items: list[_Any] = []
    stop = pos + 2 * count
    if data[pos + 1 : stop : 2].count(0) == count:
        for row in _rows_bx(data[pos:stop] if count < 512 else memoryview(data)[pos:stop]):
            struct = _new(*_args_Empty)
            (struct.later,) = row
            struct.unknown_tagged_fields = ()
            items.append(struct)
        return tuple(items), stop
    for _ in range(count):
        struct = _new(*_args_Empty)
        struct.later, tag_count = _unpack_bB(data, pos)
        pos += 2
        struct.unknown_tagged_fields = ()
        if tag_count:
            struct.unknown_tagged_fields, pos = _wire.read_unknown_tags(data, pos - 1, budget)
        items.append(struct)
    return tuple(items), pos


def _encode_Empty_v1_array(out: bytearray, array: _Any) -> None:
    if type(array) is _TUPLE and (count := len(array)) < 127:
        out.append(count + 1)
    else:
        array = _wire.write_compact_count(out, array)
    for struct in array:
        if struct.__class__ is not Empty:
            _wire.check_instance(struct, Empty)
        out += _pack_bx(struct.later)
        if struct.unknown_tagged_fields is not _NOTHING:
            out.pop()
            _wire.write_tags(out, _wire.raw_tags(struct.unknown_tagged_fields, ()))


def _decode_Owner_v1(data: bytes, pos: int, budget: _Budget) -> _Read:
    struct = _new(*_args_Owner)
    if 0 < (length := data[pos]) < 128:
        struct.name = data[pos + 1 : (pos := pos + length)].decode()
    else:
        struct.name, pos = _wire.read_compact_string(data, pos)
    if data[pos]:
        struct.unknown_tagged_fields, pos = _wire.read_unknown_tags(data, pos, budget)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_Owner_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Owner:
        _wire.check_instance(struct, Owner)
    value = _utf8(struct.name)
    if (length := len(value)) < 127:
        out.append(length + 1)
    else:
        _wire.write_compact_length(out, length)
    out += value
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _wire.write_tags(out, _wire.raw_tags(struct.unknown_tagged_fields, ()))


def _decode_Deputy_v1(data: bytes, pos: int, budget: _Budget) -> _Read:
    struct = _new(*_args_Deputy)
    if 0 < (length := data[pos]) < 128:
        struct.name = data[pos + 1 : (pos := pos + length)].decode()
    else:
        struct.name, pos = _wire.read_compact_string(data, pos)
    if data[pos]:
        struct.unknown_tagged_fields, pos = _wire.read_unknown_tags(data, pos, budget)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_Deputy_v1(struct: _Any, out: bytearray) -> None:
    if struct.__class__ is not Deputy:
        _wire.check_instance(struct, Deputy)
    value = _utf8(struct.name)
    if (length := len(value)) < 127:
        out.append(length + 1)
    else:
        _wire.write_compact_length(out, length)
    out += value
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _wire.write_tags(out, _wire.raw_tags(struct.unknown_tagged_fields, ()))


def _decode_Pair_v1_array(data: bytes, pos: int, budget: _Budget, count: int = -1) -> _Read:
    if count < 0:
        count = data[pos] - 1
        budget.left -= 148 * count
        if not 0 < count < 127 or budget.left < 0:
            return budget.read(_decode_Pair_v1_array, 10, 148, data, pos)
        pos += 1
    items: list[_Any] = []
    for _ in range(count):
        struct = _new(*_args_Pair)
        if (length := data[pos]) < 32:
            struct.one = _unpackers_i[length](data, pos + 1)
            pos += 4 * length - 3
        else:
            struct.one, pos = _numbers.read_compact_numbers(data, pos, "i", budget)
        if (length := data[pos]) < 32:
            struct.two = _unpackers_i[length](data, pos + 1)
            pos += 4 * length - 3
        else:
            struct.two, pos = _numbers.read_compact_numbers(data, pos, "i", budget)
        if data[pos]:
            struct.unknown_tagged_fields, pos = _wire.read_unknown_tags(data, pos, budget)
        else:
            struct.unknown_tagged_fields = ()
            pos += 1
        items.append(struct)
    return tuple(items), pos


def _encode_Pair_v1_array(out: bytearray, array: _Any) -> None:
    if type(array) is _TUPLE and (count := len(array)) < 127:
        out.append(count + 1)
    else:
        array = _wire.write_compact_count(out, array)
    for struct in array:
        if struct.__class__ is not Pair:
            _wire.check_instance(struct, Pair)
        value = struct.one
        if type(value) is not _TUPLE:
            value = _wire.array_of(value)
        if (length := len(value)) < 31:
            out.append(length + 1)
            out += _packers_i[length](*value)
        else:
            _numbers.write_compact_numbers(out, value, "i")
        value = struct.two
        if type(value) is not _TUPLE:
            value = _wire.array_of(value)
        if (length := len(value)) < 31:
            out.append(length + 1)
            out += _packers_i[length](*value)
        else:
            _numbers.write_compact_numbers(out, value, "i")
        if struct.unknown_tagged_fields is _NOTHING:
            out.append(0)
        else:
            _wire.write_tags(out, _wire.raw_tags(struct.unknown_tagged_fields, ()))


def _decode_StructsResponse_v1(data: bytes, pos: int, source: _Source, budget: _Budget) -> _Read:
    struct = _new(*_args_StructsResponse)
    (struct.error_code,) = _unpack_h(data, pos)
    pos += 2
    struct.points, pos = _decode_Point_v1_array(data, pos, budget)
    if not data[pos]:
        struct.names = None
        pos += 1
    else:
        struct.names, pos = _decode_Name_v1_array(data, pos, budget)
    struct.empties, pos = _decode_Empty_v1_array(data, pos, budget)
    struct.owner, pos = _decode_Owner_v1(data, pos, budget)
    pos += 1
    if data[pos - 1] > 127:
        struct.deputy = None
    else:
        struct.deputy, pos = _decode_Deputy_v1(data, pos, budget)
    struct.pairs, pos = _decode_Pair_v1_array(data, pos, budget)
    if data[pos]:
        struct.unknown_tagged_fields, pos = _wire.read_unknown_tags(data, pos, budget)
    else:
        struct.unknown_tagged_fields = ()
        pos += 1
    return struct, pos


def _encode_StructsResponse_v1(struct: _Any, out: bytearray) -> None:
    out += _pack_h(struct.error_code)
    _encode_Point_v1_array(out, struct.points)
    if (value := struct.names) is None:
        out.append(0)
    else:
        _encode_Name_v1_array(out, value)
    _encode_Empty_v1_array(out, struct.empties)
    _encode_Owner_v1(struct.owner, out)
    if (value := struct.deputy) is None:
        out.append(255)
    else:
        out.append(1)
        _encode_Deputy_v1(value, out)
    _encode_Pair_v1_array(out, struct.pairs)
    if struct.unknown_tagged_fields is _NOTHING:
        out.append(0)
    else:
        _wire.write_tags(out, _wire.raw_tags(struct.unknown_tagged_fields, ()))


_PLAN = """\
messagegen-plan 2
message StructsResponse response 0-1
 :api_key 1
 :flexible 1
 :header 0 0
 :header 1 1
struct StructsResponse
 error_code errorCode int16 0
 points points []Point []
 names names []Name? []
 empties empties []Empty []
 owner owner Owner {}
 deputy deputy Deputy? null
 pairs pairs []Pair []
 :about points "All points."
 :versions 1 deputy pairs
 :nullable 0-1 names
 :nullable 1 deputy
struct Point
 x x int32 0
 y y int32 -1
 :about "A point."
 :map_key x
struct Name
 value value string ""
struct Empty
 later later int8 0
 :versions 1 later
struct Owner
 name name string ""
struct Deputy
 name name string ""
 :versions 1 name
struct Pair
 one one []int32 []
 two two []int32 []
 :versions 1 one two
layout 0 Point 0
 x int32
 + y int32
layout 1 Name 0
 value string
layout 2 Empty 0
 :guard later
layout 3 Owner 0
 name string
layout 4 StructsResponse 0
 error_code int16
 points array(struct(0))
 names array(struct(1))?
 empties array(struct(2))
 owner struct(3)
 :guard deputy pairs
layout 5 Point 1 flexible
 x int32
 + y int32
layout 6 Name 1 flexible
 value compact_string
layout 7 Empty 1 flexible
 later int8
layout 8 Owner 1 flexible
 name compact_string
layout 9 Deputy 1 flexible
 name compact_string
layout 10 Pair 1 flexible
 one compact_array(int32)
 two compact_array(int32)
layout 11 StructsResponse 1 flexible
 error_code int16
 points compact_array(struct(5))
 names compact_array(struct(6))?
 empties compact_array(struct(7))
 owner struct(8)
 deputy struct(9)?
 pairs compact_array(struct(10))
"""

StructsResponse.CODEC = _Codec(
    [
        (0, 0, _decode_StructsResponse_v0, _encode_StructsResponse_v0),
        (1, 1, _decode_StructsResponse_v1, _encode_StructsResponse_v1),
    ],
    (StructsResponse, Point, Name, Empty, Owner, Deputy, Pair),
    _PLAN,
    own=432,
    small=0,
)
