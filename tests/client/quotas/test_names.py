from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from messagegen_client.quotas.names import (
    QuotaTextError,
    entity_text,
    parse_list,
    parse_names,
    parse_value,
    parse_values,
    repeated,
    sanitize,
    unsanitize,
    value_text,
)

NAMES = st.text(st.characters(exclude_categories=["Cs"]))
ODD = [
    "",
    "<default>",
    "a,b",
    "a=b",
    "{a}",
    "%",
    "%2C",
    "100%",
    " a ",
    "a b",
    "a\nb",
    "\x1b[31m",
    "+",
    "'\"",
    "\u202e",
    "ü",
    "💥",
]


@given(NAMES)
@example("<default>")
@example("CN=alice,OU=x, {y}=100%2C+")
def test_names_come_back(name: str) -> None:
    shown = sanitize(name)
    assert unsanitize(shown) == name
    assert parse_names(f"user={shown}, client-id={shown}") == [("user", name), ("client-id", name)]


@given(NAMES)
def test_a_shown_name_can_be_pasted_anywhere(name: str) -> None:
    assert not set(sanitize(name)) & set("<>{}=, \t\n\\'\"$`!*?;&|()[]#")
    assert sanitize(name).isascii()
    assert sanitize(name).isprintable()


@given(st.lists(NAMES, unique=True, min_size=2, max_size=4))
def test_different_names_look_different(names: list[str]) -> None:
    shown = {entity_text({"user": name}) for name in [*names, None]}
    assert len(shown) == len(names) + 1


@pytest.mark.parametrize("name", ODD)
def test_odd_names(name: str) -> None:
    assert unsanitize(sanitize(name)) == name
    assert entity_text({"user": name}) != "{user=<default>}"


@pytest.mark.parametrize("name", ["alice", "my-client", "a.b_c~1", "service/host@REALM", "::1", "10.0.0.1"])
def test_common_names_stay_as_they_are(name: str) -> None:
    assert sanitize(name) == name


def test_entities_as_in_the_kip() -> None:
    assert entity_text({"user": None, "client-id": "my-client"}) == "{user=<default>, client-id=my-client}"
    assert entity_text({"user": "a,b=c", "client-id": "<default>"}) == "{user=a%2Cb%3Dc, client-id=%3Cdefault%3E}"
    assert entity_text({"a=b": "c"}) == "{a%3Db=c}"


def test_plain_characters_need_no_escape() -> None:
    assert parse_names("user=CN=jörg müller,client-id=") == [("user", "CN=jörg müller"), ("client-id", "")]
    assert parse_names("user") == [("user", None)]


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
def test_texts_that_are_no_names(text: str, advice: str) -> None:
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
def test_values_for_people(value: float, text: str) -> None:
    assert value_text(value) == text


@given(st.floats(allow_nan=False).filter(lambda value: value > -math.inf))
def test_values_come_back(value: float) -> None:
    assert parse_value(value_text(value)) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "1_000",
        "nan",
        "NaN",
        "1MB",
        "0x10",
        "1,5",
        "010",
        "1:30",
        "+1",
        ".5",
        "1.",
        " 1",
        "-Infinity",
        "inf",
        "1e",
    ],
)
def test_texts_that_are_no_values(text: str) -> None:
    with pytest.raises(QuotaTextError):
        parse_value(text)


def test_numbers_that_would_become_others() -> None:
    assert [parse_value(text) for text in ("0", "-0.0e-999", "5e-324", "1e308", "Infinity")] == [
        0,
        0,
        5e-324,
        1e308,
        math.inf,
    ]
    for text in ("1e400", "-1e400", "9" * 400):
        with pytest.raises(QuotaTextError, match="too large; use Infinity"):
            parse_value(text)
    for text in ("1e-400", "-0.1e-400"):
        with pytest.raises(QuotaTextError, match="is too small"):
            parse_value(text)


def test_lists_of_values_and_keys() -> None:
    assert parse_values("producer_byte_rate=1000, request_percentage=12.5") == [
        ("producer_byte_rate", 1000.0),
        ("request_percentage", 12.5),
    ]
    assert parse_list("user, client-id", "an entity type") == ["user", "client-id"]
    with pytest.raises(QuotaTextError, match="missing value in"):
        parse_values("producer_byte_rate")
    with pytest.raises(QuotaTextError, match="remove the ="):
        parse_list("user=a", "an entity type")


def test_the_first_repeated_name() -> None:
    assert repeated(["a", "b", "c", "b", "a"]) == "b"
    assert repeated(["a", "b"]) is None
