"""Black changes nothing in generated modules, however long the names and strings in their specs are."""

from __future__ import annotations

from typing import Any, Final

import black
import pytest
from black.mode import Mode, TargetVersion
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from messagegen.emit import module_text
from messagegen.emit.literals import LINE_LENGTH, class_docstring
from messagegen.outputs.error_codes import error_codes_text
from messagegen.outputs.python import package_text
from messagegen.outputs.strategies import strategies_text
from messagegen.plan.error_codes import ErrorCodesPlan, ErrorMember
from messagegen.plan.ops import MessagePlan
from tests.emit.long_specs import LONGEST, long_specs, names, texts
from tests.support.specs import OWN, PURPOSE_MADE, field, plan_of, plans

MODE: Final = Mode({TargetVersion.PY311}, line_length=LINE_LENGTH)


def by_black(text: str) -> str:
    return black.format_str(text, mode=MODE)


def made(properties: dict[str, Any]) -> MessagePlan:
    return plan_of(*properties.pop("fields"), **properties)


@pytest.mark.slow
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(long_specs())
def test_black_does_not_change_modules(properties: dict[str, Any]) -> None:
    text = module_text(made(properties))
    assert by_black(text) == text


@pytest.mark.slow
@given(long_specs(), names(7))
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_black_does_not_change_modules_with_a_response_and_a_long_runtime(
    properties: dict[str, Any], name: str
) -> None:
    partner = plan_of(name=name, type="response", apiKey=12)
    text = module_text(made({**properties, "type": "request", "apiKey": 12}), "package." * 20 + "runtime", partner)
    assert by_black(text) == text


@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize("start", ["", "a " * 60], ids=["one line", "two lines"])
def test_black_does_not_change_docstrings_of_classes_with_long_words(start: str, quote: str) -> None:
    for width in range(100, 125):
        text = f'class Made:\n    """{class_docstring(start + "w" * width + quote)}"""\n'
        assert by_black(text) == text


@pytest.mark.slow
@pytest.mark.parametrize("width", range(36, LONGEST))
def test_black_does_not_change_template_lines_of_any_length(width: int) -> None:
    # Views measure lines whose fixed parts are in templates. At one of these widths, a line just fits.
    def name(letter: str) -> str:
        return letter + "a" * width

    fields = [
        field(name("F"), "int32"),
        field(name("G"), "string", sensitive=True),
        field(name("H"), f"[]{name('T')}", fields=[field("X", "int8")]),
        field(name("I"), name("S"), fields=[field("X", "int8")]),
    ]
    request = plan_of(*fields, name=name("R"), type="request", apiKey=12, about="b" * width)
    response = plan_of(name=name("P"), type="response", apiKey=12)
    classes, *_ = module_text(request, partner=response).partition("\n\n_args_")
    for text in (classes, package_text([request, response], {name("E"): "e" * width})):
        assert by_black(text) == text


@given(st.lists(names(7), min_size=1, max_size=4, unique=True), st.booleans())
@settings(max_examples=20)
def test_black_does_not_change_packages(found: list[str], keyed: bool) -> None:
    kind = {"type": "request", "apiKey": 12} if keyed else {"type": "data"}
    text = package_text([plan_of(name=name, **kind) for name in found], {"E" * LONGEST: "e" * LONGEST})
    assert by_black(text) == text


@given(st.lists(st.tuples(st.integers(1, 130), texts, st.booleans()), max_size=5, unique_by=lambda one: one[0]))
@settings(max_examples=20)
def test_black_does_not_change_error_codes(codes: list[tuple[int, str, bool]]) -> None:
    members = [ErrorMember("N" * width, 32767 - width, retriable, about) for width, about, retriable in codes]
    text = error_codes_text(ErrorCodesPlan(tuple(members)))
    assert by_black(text) == text


@pytest.mark.parametrize("runtime", ["._runtime", ".".join(["long_package"] * 12)], ids=["own", "long"])
def test_black_does_not_change_strategies(runtime: str) -> None:
    text = strategies_text(runtime=runtime)
    assert by_black(text) == text


@pytest.mark.slow
@pytest.mark.parametrize("plan", [*plans(PURPOSE_MADE).values(), *plans(OWN).values()][::6], ids=lambda plan: plan.name)
def test_black_does_not_change_the_modules_of_this_repository(plan: MessagePlan) -> None:
    text = module_text(plan)
    assert by_black(text) == text
