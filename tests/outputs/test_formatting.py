"""Rendered text is in black's form, so black need not run; what is not certain to be goes through black."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from messagegen import outputs
from messagegen.emit import module_text
from messagegen.generation.loading import inputs_of
from messagegen.generation.sources import read_sources
from messagegen.outputs import formatting
from messagegen.outputs.formatting import Formatting, format_python, is_formatted
from messagegen.publish import LINE_LENGTH, PublishError
from tests.support.specs import OWN, PURPOSE_MADE, field, plan_of

FIXTURES: Final = PURPOSE_MADE.parent
LONG: Final = "x" * 130
ONE_OF_A_KIND: Final = {"error_codes.py", "strategies.py"}
"""Modules with long lines, of which a package has one each."""


def rendered(folder: Path, codes: Path | None = None) -> dict[str, str]:
    """The texts of Python that are rendered from the specs of a folder, before they are formatted."""
    sources = read_sources([folder], error_codes=codes)
    chosen = ["python", "strategies", *["error_codes"] * bool(codes)]
    made = outputs.files(inputs_of(sources.messages, sources.error_codes), chosen)
    return {path: file.render() for _, files in made for path, file in files.items() if not file.copied}


def formatted(texts: Mapping[str, str], line_length: int = LINE_LENGTH) -> dict[str, str]:
    return dict(formatting.python(texts, Formatting(line_length)))


def is_left_alone(text: str, line_length: int = LINE_LENGTH) -> bool:
    """Whether black changes nothing in a text that it is not asked to format."""
    return not is_formatted(text, line_length) or format_python(text, line_length) == text


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("folder", "unsure"),
    [
        (PURPOSE_MADE, {"hostile_text.py"}),
        (FIXTURES / "made_up_specs", set[str]()),
    ],
    ids=["purpose-made", "made-up"],
)
def test_black_has_nothing_to_do_in_rendered_text(folder: Path, unsure: set[str]) -> None:
    texts = rendered(folder, FIXTURES / "error_codes" / "purpose_made.json")
    assert {path for path, text in texts.items() if not is_formatted(text, LINE_LENGTH)} - ONE_OF_A_KIND == unsure
    assert [path for path, text in texts.items() if not is_left_alone(text)] == []


@pytest.mark.slow
def test_black_has_nothing_to_do_in_our_own_messages() -> None:
    texts = rendered(OWN, OWN.parent / "error_codes" / "kafka.json")
    some = [*sorted(texts)[::8], "__init__.py", *ONE_OF_A_KIND]
    assert [path for path in some if not is_left_alone(texts[path])] == []
    assert {path for path, text in texts.items() if not is_formatted(text, LINE_LENGTH)} <= ONE_OF_A_KIND


hostile = st.lists(
    st.sampled_from(['"', "'", "\\", '"""', "'''", "#", "\n", "\u2028", "日本", "é", " ", "a", "b c", LONG[:40]]),
    max_size=12,
).map("".join)
defaults = st.one_of(
    hostile.map(lambda text: ("string", text)),
    st.floats(allow_nan=False, allow_infinity=False).map(lambda number: ("float64", repr(number))),
    st.integers(-(2**63), 2**63 - 1).map(lambda number: ("int64", str(number))),
)


@settings(max_examples=60)
@given(hostile, defaults, st.from_regex(r"[A-Z][a-zA-Z]{0,70}", fullmatch=True), st.sampled_from([120, 100, 88]))
def test_black_leaves_alone_what_it_is_not_given(
    about: str, typed: tuple[str, str], name: str, line_length: int
) -> None:
    type_, default = typed
    inner: dict[str, Any] = field(
        "Part", "[]Part", about=about, fields=[field(name, type_, default=default, about=about)]
    )
    flag = field(f"{name}Flag", "bool")
    plan = plan_of(flag, inner, field("Other", type_, default=default), about=about, flexibleVersions="0+")
    assert is_left_alone(module_text(plan), line_length)


@pytest.mark.parametrize(
    ("text", "line_length", "certain"),
    [
        ("x = 1\n", 120, True),
        ("x = 1\n", 60, True),
        ("x = 1\n", 121, False),
        (f"x = '{'y' * 115}'\n", 120, False),
        (f"x = '{'é' * 60}'\n", 120, False),
        (f"# {LONG}\n", 120, True),
        (f"if x:\n    # {LONG}\n    y\n", 120, True),
        (f'_PLAN = """\\\n{LONG}\n"""\n', 120, True),
        (f'_PLAN = """\\\n\\"\\"\\"\n{LONG}"""\n\nx = 1\n', 120, True),
        (f'_PLAN = """\\\n"""\n\nx = "{LONG}"\n_MORE = """\\\n"""\n', 120, False),
    ],
)
def test_what_is_certain(text: str, line_length: int, certain: bool) -> None:
    assert is_formatted(text, line_length) is certain
    assert is_left_alone(text, line_length) or not certain


def test_uncertain_texts_are_formatted() -> None:
    long = f"f({'a' * 60}, {'b' * 60})\n"
    assert formatted({"long.py": long, "short.py": "x = 1\n"}) == {
        "short.py": "x = 1\n",
        "long.py": format_python(long),
    }
    assert (
        formatted({"short.py": "f(aaaaaaaa, bbbbbbbbb)\n"}, 10)["short.py"] == "f(\n    aaaaaaaa,\n    bbbbbbbbb,\n)\n"
    )


@pytest.mark.parametrize(("text", "reason"), [("def f(:\n", "line 1"), ("x = '\\d'\n", "invalid escape")])
def test_certain_texts_must_be_python(text: str, reason: str) -> None:
    with pytest.raises(PublishError, match=r"not valid Python 3\.11") as caught:
        formatted({"bad.py": text})
    assert reason in str(caught.value)
