"""Lines of Python as black formats them, and the names that a module uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import black
import pytest
from black.mode import Mode, TargetVersion

from messagegen.emit.code import Code, field_sources
from messagegen.emit.literals import LINE_LENGTH, text_literal, text_pieces
from messagegen.emit.uses import Uses

LONG: Final = "long_name_" * 5
VERY_LONG: Final = "very_long_name_" * 7
MODE: Final = Mode({TargetVersion.PY311}, line_length=LINE_LENGTH)

STATEMENTS: Final[dict[str, Callable[[Code, str], object]]] = {
    "call": lambda code, name: code.listed(f"{name}(", ["data", "pos", f"{name}_b"], ")"),
    "call of many": lambda code, name: code.listed("call(", [f"{name}_{i}" for i in range(5)], ")"),
    "tuple": lambda code, name: code.tuple("names = ", [name, f"{name}_b", f"{name}_c"], ""),
    "tuple of one": lambda code, name: code.tuple("names = ", [name], ""),
    "tuple of none": lambda code, name: code.tuple(f"{name} = ", [], ""),
    "row": lambda code, name: code.one_a_line("x = {", [f'"{name}": 1'], "}"),
    "list": lambda code, name: code.listed("names = [", [name, f"{name}_b"], "]"),
    "assigned": lambda code, name: code.assign(f"struct.{name}", "field3"),
    "assigned attribute": lambda code, name: code.assign("field3", f"struct.{name}"),
    "literal": lambda code, name: code.literal("_LITERAL_0", text_literal(name * 3), text_pieces(name * 3)),
    "unpacked": lambda code, name: code.unpack([f"struct.{name}", "length"], "_unpack_ih(data, pos)"),
    "unpacked one": lambda code, name: code.unpack([f"struct.{name}"], "_unpack_i(data, pos)"),
    "import": lambda code, name: code.imported(".module", [f"{name} as {name}"]),
    "import of many": lambda code, name: code.imported(".module", [f"{name}_{i} as _{name}_{i}" for i in range(3)]),
}


def is_as_black_writes_it(code: Code) -> bool:
    return black.format_str(f"{code}\n", mode=MODE) == f"{code}\n"


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("name", ["name", LONG, VERY_LONG], ids=["short", "long", "very long"])
def test_statements_are_formatted_like_black(statement: str, name: str) -> None:
    code = Code()
    with code.block("if True:"):
        STATEMENTS[statement](code, name)
    assert is_as_black_writes_it(code)


@pytest.mark.parametrize("name", ["name", LONG, VERY_LONG], ids=["short", "long", "very long"])
def test_functions_are_formatted_like_black(name: str) -> None:
    code = Code()
    with code.function(f"decode_{name}", ["data: bytes", "pos: int"], "Read"):
        code.line("return data, pos")
    with code.function("encode", [f"{name}: bytes", "out: bytearray"], "None"):
        code.line("pass")
    assert is_as_black_writes_it(code)


@pytest.mark.parametrize("type_", ["int", "_builtins.int", "tuple[_Class3, ...] | None", f"{LONG} | None"])
@pytest.mark.parametrize("default", ["()", "None", f"_default_{LONG}", f'"{"d" * 40}"'])
def test_fields_are_formatted_like_black(type_: str, default: str) -> None:
    for width in range(20, 152, 3):
        code = Code()
        with code.block("class Made:"):
            name = "a" * width
            fitted_type, fitted_default = field_sources(name, type_, default, " " * 4)
            code.line(f"{name}: {fitted_type} = {fitted_default}")
        assert is_as_black_writes_it(code)


class TestUses:
    def test_only_used_names_are_imported(self) -> None:
        use = Uses("._runtime")
        assert use.import_lines() == []
        assert (use.wire, use.new, use.UUID) == ("_wire", "_new", "_UUID")
        assert use.import_lines() == [
            "from uuid import UUID as _UUID",
            "",
            "from ._runtime import wire as _wire",
            "from ._runtime.wire import new as _new",
        ]

    def test_constants_are_assigned_once_and_grouped_by_kind(self) -> None:
        use = Uses()
        assert use.pack("ih") == "_pack_ih"
        assert use.unpack("i16s?") == use.unpack("i16s?") == "_unpack_iut"
        assert use.charge("Topic_v0", 130) == "_CHARGE_Topic_v0"
        assert use.constant_groups() == [
            ['_unpack_iut = _Format(">i16s?").unpack_from', '_pack_ih = _Format(">ih").pack'],
            ["_CHARGE_Topic_v0 = 130"],
        ]
        assert "from struct import Struct as _Format" in use.import_lines()

    def test_long_names_and_literals_and_formats_become_constants(self) -> None:
        use = Uses(classes=["Made", VERY_LONG])
        assert [use.class_(name) for name in ("Made", VERY_LONG)] == ["Made", "_Class1"]
        assert use.text(LONG) == use.text(LONG) == "_LITERAL_0"
        assert use.unpack("ih" * 30) == "_unpack_1"
        assert use.tags("KNOWN_Made_v0", (1, 2)) == "_KNOWN_Made_v0"
        assert use.tags("KNOWN_Made_v1", ()) == "()"
        assert use.constant_groups() == [
            [f'_LITERAL_0 = "{LONG}"', f'_LITERAL_1 = ">{"ih" * 30}"'],
            ["_unpack_1 = _Format(_LITERAL_1).unpack_from"],
            ["_KNOWN_Made_v0 = (1, 2)"],
        ]
