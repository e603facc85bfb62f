"""Arrow's C structs filled by a hand that does not know better: an error, and neither a panic nor a crash."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from tests.native.column_rows import metadata, pa
from tests.native.columns import decode_columns, encode_columns
from tests.native.random_messages import Maker

_NEW_CAPSULE = ctypes.pythonapi.PyCapsule_New
_NEW_CAPSULE.restype = ctypes.py_object
_NEW_CAPSULE.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_POINTER = ctypes.pythonapi.PyCapsule_GetPointer
_POINTER.restype = ctypes.c_void_p
_POINTER.argtypes = [ctypes.py_object, ctypes.c_char_p]


class Schema(ctypes.Structure):
    """``struct ArrowSchema``."""


class Array(ctypes.Structure):
    """``struct ArrowArray``."""


Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.POINTER(Schema)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]
Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]

Change = Callable[[Any, Any], None]

_nothing = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: None)
"""The release callback of copies, which own nothing."""


class Changed:
    """Copies of an array's structs, changed; the buffers and the texts are those of the array, which stays as it is."""

    def __init__(self, array: Any, change: Change) -> None:
        self._kept: list[Any] = [array, capsules := array.__arrow_c_array__()]
        schema, shown = (_POINTER(capsule, name) for capsule, name in zip(capsules, _NAMES, strict=True))
        self._structs = self._copy(Schema.from_address(schema)), self._copy(Array.from_address(shown))
        change(*self._structs)

    def _copy(self, struct: Any) -> Any:
        copy = type(struct).from_buffer_copy(struct)
        copy.release = ctypes.cast(_nothing, ctypes.c_void_p)
        children = [self._copy(struct.children[number].contents) for number in range(struct.n_children)]
        pointers = (ctypes.POINTER(type(struct)) * len(children))(*map(ctypes.pointer, children))
        copy.children = ctypes.cast(pointers, ctypes.POINTER(ctypes.POINTER(type(struct))))
        self._kept += [copy, *children, pointers]
        return copy

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        schema, array = map(_capsule, self._structs, _NAMES)
        return schema, array


def _capsule(struct: Any, name: bytes) -> object:
    made: object = _NEW_CAPSULE(ctypes.addressof(struct), name, None)
    return made


_NAMES = (b"arrow_schema", b"arrow_array")


def on(part: str, **values: Any) -> Change:
    def change(schema: Any, array: Any) -> None:
        for name, value in values.items():
            setattr(schema if part == "schema" else array, name, value)

    return change


def on_child(part: str, **values: Any) -> Change:
    def change(schema: Any, array: Any) -> None:
        struct = (schema if part == "schema" else array).children[0].contents
        for name, value in values.items():
            setattr(struct, name, value)

    return change


def within_itself(schema: Any, array: Any) -> None:
    """A struct whose children are itself, over and over."""
    for number in range(2):
        schema.children[number] = ctypes.pointer(schema)
        array.children[number] = ctypes.pointer(array)


WRONG = {
    "no children": on("array", n_children=-1),
    "one child too many": on("array", n_children=99),
    "children of the schema": on("schema", n_children=-1),
    "no child pointers": on("array", children=None),
    "no child pointers in the schema": on("schema", children=None),
    "a null child": lambda _, array: array.children.__setitem__(0, None),
    "length": on("array", length=-1),
    "length of a child": on_child("array", length=-5),
    "huge length": on("array", length=(1 << 63) - 1),
    "offset": on("array", offset=-1),
    "offset and length": on("array", offset=(1 << 63) - 1, length=1),
    "buffers": on_child("array", n_buffers=-1),
    "no buffers": on_child("array", buffers=None),
    "format": on("schema", format=None),
    "format of a child": on_child("schema", format=None),
    "format of a child that is not text": on_child("schema", format=b"\xff\xfe"),
    "name of a child that is not text": on_child("schema", name=b"\xff\xfe"),
    "format that is not text": on("schema", format=b"\xff\xfe"),
    "name that is not text": on("schema", name=b"\xff\xfe"),
    "released": on("array", release=None),
    "released schema": on("schema", release=None),
    "itself": within_itself,
}


def decoded() -> Any:
    subject = metadata()
    data = subject.engine.encode(13, Maker(Random(3)).message(subject.table.roots[13]))
    return pa.array(decode_columns(subject.cls.CODEC.plan, 13, pa.array([data] * 3)))


@pytest.mark.parametrize("what", WRONG)
def test_a_struct_that_is_filled_wrongly_is_an_error(what: str) -> None:
    wrong = Changed(decoded(), WRONG[what])
    with pytest.raises((TypeError, ValueError)):
        encode_columns(metadata().cls.CODEC.plan, 13, wrong)


@pytest.mark.parametrize(
    "what", [name for name in WRONG if not {"child", "children", "buffers", "itself"} & {*name.split()}]
)
def test_a_binary_array_that_is_filled_wrongly_is_an_error(what: str) -> None:
    wrong = Changed(pa.array([b"123", b"4"]), WRONG[what])
    with pytest.raises((TypeError, ValueError)):
        decode_columns(metadata().cls.CODEC.plan, 13, wrong)


def test_what_was_not_changed_is_read() -> None:
    kept = decoded()
    plan = metadata().cls.CODEC.plan
    same = encode_columns(plan, 13, Changed(kept, on("array")))
    assert pa.array(same).equals(pa.array(encode_columns(plan, 13, kept)))
