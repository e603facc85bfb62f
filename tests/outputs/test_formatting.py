"""Generated Python is as black formats it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import black.mode
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from messagegen.emit import module_text
from messagegen.generation.formatting import formatted
from tests.support.specs import OWN, PURPOSE_MADE, build, field, plan_of

LENGTH = 120


def is_formatted(text: str) -> bool:
    body = text.partition("# fmt: off\n\n")[2] or text
    return black.format_str(body, mode=black.Mode({black.mode.TargetVersion.PY311}, line_length=LENGTH)) == body


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "step"), [(PURPOSE_MADE, 1), (OWN, 8)], ids=["purpose-made", "own"])
def test_modules(folder: Path, step: int) -> None:
    codes = PURPOSE_MADE.parent / "error_codes" / "purpose_made.json"
    files = build(folder, include=["python", "error_codes"], error_codes=codes).files
    some = {path for path in files if path.endswith(".py") and not path.startswith("_runtime/")}
    assert [path for path in ["__init__.py", *sorted(some)[::step]] if not is_formatted(files[path])] == []


hostile = st.lists(
    st.sampled_from(['"', "'", "\\", '"""', "'''", "#", "\n", "\u2028", "日本", "é", " ", "a", "b c"]), max_size=12
).map("".join)
defaults = st.one_of(
    hostile.map(lambda text: ("string", text)),
    st.floats(allow_nan=False, allow_infinity=False).map(lambda number: ("float64", repr(number))),
    st.integers(-(2**63), 2**63 - 1).map(lambda number: ("int64", str(number))),
)


@pytest.mark.slow
@settings(max_examples=60)
@given(hostile, defaults, st.from_regex(r"[A-Z][a-zA-Z]{0,15}", fullmatch=True))
def test_hostile_texts(about: str, typed: tuple[str, str], name: str) -> None:
    type_, default = typed
    inner: dict[str, Any] = field(
        "Part", "[]Part", about=about, fields=[field(name, type_, default=default, about=about)]
    )
    plan = plan_of(inner, field("Other", type_, default=default), about=about, flexibleVersions="0+")
    assert is_formatted(formatted(module_text(plan)))
