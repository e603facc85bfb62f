"""Lines of Python that are broken as black breaks them, and the names that a module uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import black
import pytest
from black.mode import Mode, TargetVersion

from messagegen.emit import module_text
from messagegen.emit.code import LINE_LENGTH, Code
from messagegen.emit.uses import Uses
from messagegen.generation.formatting import longest_line
from tests.support.specs import OWN, plans

LONG: Final = "long_name_" * 5
VERY_LONG: Final = "very_long_name_" * 7
MODE: Final = Mode({TargetVersion.PY311}, line_length=LINE_LENGTH)

STATEMENTS: Final[dict[str, Callable[[Code, str], object]]] = {
    "call": lambda code, name: code.bracketed(f"{name}(", ["data", "pos", f"{name}_b"], ")"),
    "call of many": lambda code, name: code.bracketed("call(", [f"{name}_{i}" for i in range(5)], ")"),
    "tuple": lambda code, name: code.tuple([name, f"{name}_b", f"{name}_c"], ""),
    "tuple of one": lambda code, name: code.tuple([name], ""),
    "list": lambda code, name: code.listed("names = [", [name, f"{name}_b"], "]"),
    "unpacked": lambda code, name: code.unpack([f"struct.{name}", "length"], "_unpack_ih(data, pos)"),
    "unpacked one": lambda code, _: code.unpack(["struct.number"], "_unpack_i(data, pos)"),
    "choice": lambda code, name: code.choose(
        f"struct.{name}", "length >= 0", "data[pos : (pos := pos + length)].decode()", "None"
    ),
    "import": lambda code, name: code.imported(".module", [f"{name} as {name}"]),
    "import of many": lambda code, name: code.imported(".module", [f"{name}_{i} as _{name}_{i}" for i in range(3)]),
}


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("name", ["name", LONG, VERY_LONG], ids=["short", "long", "very long"])
def test_lines_are_broken_as_black_breaks_them(statement: str, name: str) -> None:
    code = Code()
    with code.block("if True:"):
        STATEMENTS[statement](code, name)
    assert black.format_str(f"{code}\n", mode=MODE) == f"{code}\n"


@pytest.mark.parametrize("name", ["name", LONG, VERY_LONG], ids=["short", "long", "very long"])
def test_blocks_are_broken_as_black_breaks_them(name: str) -> None:
    code = Code()
    with code.function(f"decode_{name}", ["data: bytes", "pos: int"], "Read"), code.if_any([f"{name}_a", f"{name}_b"]):
        code.line("return data, pos")
    with code.function("encode", [f"{name}: bytes", "out: bytearray"], "None"):
        code.line("pass")
    assert black.format_str(f"{code}\n", mode=MODE) == f"{code}\n"


@pytest.mark.parametrize("name", plans(OWN))
def test_messages_of_kafka_need_no_black(name: str) -> None:
    # Black takes longer than everything else.
    assert longest_line(module_text(plans(OWN)[name])) <= LINE_LENGTH


class TestUses:
    def test_only_what_is_used_is_imported(self) -> None:
        use = Uses("._runtime")
        assert use.import_lines() == []
        assert (use.wire, use.new, use.UUID) == ("_wire", "_new", "_UUID")
        assert use.import_lines() == [
            "from uuid import UUID as _UUID",
            "",
            "from ._runtime import wire as _wire",
            "from ._runtime.wire import new as _new",
        ]

    def test_constants_are_assigned_once_by_kind(self) -> None:
        use = Uses()
        assert use.pack("ih") == "_pack_ih"
        assert use.unpack("i16s?") == use.unpack("i16s?") == "_unpack_iut"
        assert use.charge("Topic_v0", 130) == "_CHARGE_Topic_v0"
        assert use.constant_groups() == [
            ['_unpack_iut = _Format(">i16s?").unpack_from', '_pack_ih = _Format(">ih").pack'],
            ["_CHARGE_Topic_v0 = 130"],
        ]
        assert "from struct import Struct as _Format" in use.import_lines()
