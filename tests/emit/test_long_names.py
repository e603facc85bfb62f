"""Long names change the layout of generated functions, but not the encoded bytes."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.specs import field, made
from tests.support.strategies import strategies_of

LONG: Final = "VeryLongName" * 7


@cache
def made_with(prefix: str) -> Any:
    """Return a class with fields of all kinds, whose names begin with ``prefix``."""

    def named(name: str, type_: str, versions: str = "0+", **others: Any) -> dict[str, Any]:
        return field(prefix + name, type_, versions, **others)

    inner = [named("X", "int32"), named("Y", "uuid", ignorable=True), named("Z", "string", "1+")]
    return made(
        named("A", "string"),
        named("B", "string", nullableVersions="0+"),
        named("C", "uuid"),
        named("D", "bool"),
        named("E", "[]int32", nullableVersions="0+"),
        named("F", "[]string"),
        named("G", f"{prefix}G", fields=inner),
        named("H", f"[]{prefix}H", nullableVersions="0+", fields=[named("X", "int32"), named("Y", "bool")]),
        named("I", f"{prefix}I", "1+", nullableVersions="1+", default="null", fields=[named("X", "bytes")]),
        named("J", "string", "1+", taggedVersions="1+", tag=0, default="d" * 300),
        named("K", f"{prefix}K", "1+", taggedVersions="1+", tag=1, fields=[named("X", "float64", default="Infinity")]),
        named("L", "uuid", "1+", default="AAAAAAAAAAAAAAAAAAAAAQ"),
        named("M", "string", "1+", taggedVersions="1+", tag=2, nullableVersions="1+", default="null"),
        named("N", "bytes", nullableVersions="1+"),
        named("O", "[]uuid", "1+"),
        named("P", "uuid", "1+", taggedVersions="1+", tag=3),
        *(named(f"R{number}", "int16") for number in range(50)),
        validVersions="0-1",
        flexibleVersions="1+",
    )


@pytest.mark.parametrize("version", [0, 1])
@given(data=st.data())
def test_bytes_do_not_depend_on_names(version: int, data: st.DataObject) -> None:
    short, long = made_with(""), made_with(LONG)
    strategies = strategies_of(short.__module__.rpartition(".")[0])
    encoded = data.draw(strategies.messages(short, version=version)).encode(version=version)
    assert long.decode(encoded, version=version).encode(version=version) == encoded
