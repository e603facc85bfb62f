from __future__ import annotations

import gc
import weakref
from typing import Any, ClassVar, Self

import pytest

from messagegen.runtime.errors import DEFAULT_LIMITS
from messagegen.runtime.structs import Struct, dataclass
from tests.support.stand_ins import Index

native = pytest.importorskip("messagegen_native", reason="messagegen-native is not installed: see native/README.md")

PLAN = """\
messagegen-plan 3
message Box data 0-2
struct Box
 number number int32 7
 items items []int16 []
 inner inner Inner? null
 blob blob bytes? ""
struct Inner
 name name string ""
layout 0 Inner 0-2 flexible 76
 name compact_string
layout 1 Box 0
 number int32
 :guard items
 :skip inner blob
layout 2 Box 1-2 flexible 76
 number int32
 items compact_array(int16,12)
 blob compact_bytes?&
 :tag 3 inner struct(0)??
 :foreign 4
"""


@dataclass
class Inner(Struct):
    name: str = ""


@dataclass
class Box(Struct):
    number: int = 7
    items: tuple[int, ...] = ()
    inner: Inner | None = None
    blob: bytes | None = b""


def engine() -> Any:
    return native.Engine(PLAN, (Box, Inner), None, DEFAULT_LIMITS)


def test_the_profile_of_the_build_is_in_each_repr() -> None:
    assert native.PROFILE in ("dev", "release")
    objects = (engine(), native.ColumnDecoder(PLAN), native.ColumnEncoder(PLAN))
    expected = [f"<messagegen_native.{type(each).__name__}, profile {native.PROFILE}>" for each in objects]
    assert [repr(each) for each in objects] == expected


def box_of(**values: Any) -> Any:
    """Return a box with any values, including values that type checkers refuse."""
    return Box(**values)


def test_a_version_that_the_message_lacks_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="3"):
        engine().encode(3, Box())
    with pytest.raises(KeyError, match="-1"):
        engine().decode(-1, b"", 0)


class WithDict(Box):
    __slots__ = ("__dict__",)


@dataclass
class OwnNew(Struct):
    name: str = ""

    def __new__(cls) -> Self:
        return super().__new__(cls)


class Integer(int):
    __slots__ = ()


class Property:
    __slots__ = ("_name", "unknown_tagged_fields")
    __defaults__: ClassVar[dict[str, object]] = {"name": "", "unknown_tagged_fields": ()}

    @property
    def name(self) -> str:
        return "always the same"

    @name.setter
    def name(self, value: object) -> None:
        """Drop the value."""


@pytest.mark.parametrize(
    ("cls", "reason"),
    [(WithDict, "other contents"), (OwnNew, "other contents"), (Property, "no slot name"), (Integer, "other contents")],
)
def test_a_class_without_plain_slots_is_refused(cls: type, reason: str) -> None:
    plan = PLAN[: PLAN.index("struct Box")] + "struct Inner\n name name string x\nlayout 0 Inner 0\n name string\n"
    with pytest.raises(ValueError, match=reason):
        native.Engine(plan, (renamed(cls),), None, DEFAULT_LIMITS)


def renamed(cls: type) -> type:
    cls.__name__ = "Inner"
    return cls


def test_a_missing_class_is_named() -> None:
    with pytest.raises(ValueError, match="no class Inner is among those given"):
        native.Engine(PLAN, (Box,), None, DEFAULT_LIMITS)


def test_an_array_that_the_version_lacks_can_be_any_empty_sequence() -> None:
    assert engine().encode(0, box_of(items=[])) == engine().encode(0, box_of())
    for items in ((1,), None):
        with pytest.raises(native.Failure, match="default"):
            engine().encode(0, box_of(items=items))


def test_exceptions_raised_by_a_value_reach_the_caller() -> None:
    class Stubborn(Index):
        def __index__(self) -> int:
            raise RuntimeError("not today")

    with pytest.raises(RuntimeError, match="not today"):
        engine().encode(0, box_of(number=Stubborn(1)))


@pytest.mark.slow
def test_a_value_can_change_the_message_during_encoding() -> None:
    class Meddler(Index):
        def __index__(self) -> int:
            box.items.clear()
            box.inner.name = str(b"other name", "ascii")
            box.inner = None
            gc.collect()
            return super().__index__()

    box = box_of(inner=Inner(name=str(b"a name", "ascii")))
    box.items = [1, Meddler(2), 3]
    data = engine().encode(1, box)
    assert engine().decode(1, data, 0)[0].items == (1, 2, 3)


def test_decoded_objects_are_not_tracked_by_the_garbage_collector() -> None:
    data = engine().encode(1, box_of(items=(1, 2), inner=Inner(name="in")))
    box, _ = engine().decode(1, data, 0)
    assert not any(map(gc.is_tracked, (box, box.items, box.inner)))
    assert box == box_of(items=(1, 2), inner=Inner(name="in"))
    assert hash(box) == hash(box_of(items=(1, 2), inner=Inner(name="in")))


@pytest.mark.slow
def test_an_engine_does_not_keep_its_classes_alive() -> None:
    body = {"name": "", "__module__": __name__, "__annotations__": {"name": "str"}}
    cls: type[Struct] = dataclass(type("Inner", (Struct,), body))
    plan = PLAN[: PLAN.index("struct Box")] + "struct Inner\n name name string x\nlayout 0 Inner 0\n name string\n"
    type.__setattr__(cls, "CODEC", native.Engine(plan, (cls,), None, DEFAULT_LIMITS))
    gone = weakref.ref(cls)
    del cls
    gc.collect()
    assert gone() is None
