from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from messagegen_client.quotas.names import (
    QuotaTextError,
    entity_text,
    parse_names,
    sanitize,
    unsanitize,
    value_text,
)

NAMES = st.text(st.characters(exclude_categories=["Cs"]))


@given(NAMES)
@example("<default>")
@example("CN=alice,OU=x, {y}=100%2C+")
def test_names_are_the_same_after_encoding_and_decoding(name: str) -> None:
    shown = sanitize(name)
    assert unsanitize(shown) == name
    assert parse_names(f"user={shown}, client-id={shown}") == [("user", name), ("client-id", name)]


@given(st.lists(NAMES, unique=True, min_size=2, max_size=4))
def test_different_names_have_different_texts(names: list[str]) -> None:
    shown = {entity_text({"user": name}) for name in [*names, None]}
    assert len(shown) == len(names) + 1


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("user=<default>", "%3Cdefault%3E"),
        ("user=100%", "%25"),
        ("user=%zz", "%25"),
        ("user=%ff", "UTF-8"),
        ("user=%ED%A0%80", "UTF-8"),
        ("", "type=name"),
        ("user=a,,client-id=b", "type=name"),
        ("=a", "entity type"),
    ],
)
def test_invalid_texts_of_names_are_errors(text: str, advice: str) -> None:
    with pytest.raises(QuotaTextError, match=advice):
        parse_names(text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (4000000.0, "4000000"),
        (0.5, "0.5"),
        (12.25, "12.25"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1e300, "1e+300"),
        (-1.0, "-1"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
        (math.nan, "NaN"),
    ],
)
def test_values_are_shown_without_needless_digits(value: float, text: str) -> None:
    assert value_text(value) == text
