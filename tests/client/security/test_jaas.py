"""``sasl.jaas.config`` is read in all forms that Kafka's tools accept, and no error quotes it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_client.errors import ConfigError
from messagegen_client.security.jaas import parse_jaas_config

MODULE = "org.apache.kafka.common.security.plain.PlainLoginModule"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ('username="alice" password="secret"', {"username": "alice", "password": "secret"}),
        ("username=alice password='secret'", {"username": "alice", "password": "secret"}),
        ('password="a;b=c d\'e"', {"password": "a;b=c d'e"}),
        (r'password="say \"hi\" \\ \101\0601\8"', {"password": 'say "hi" \\ A018'}),
        ('password=""', {"password": ""}),
        ('password = "spaced"\n  username="x"', {"password": "spaced", "username": "x"}),
        ('/* who */ username="u" // and so on\n', {"username": "u"}),
        ('url="http://host/*not a comment*/"', {"url": "http://host/*not a comment*/"}),
        ("", {}),
        ('password="pässwörd ☃"', {"password": "pässwörd ☃"}),
    ],
)
def test_options_may_contain_quotes_and_escapes_and_comments(options: str, expected: dict[str, str]) -> None:
    for flag in ("required", "REQUIRED", "sufficient"):
        module = parse_jaas_config(f"  {MODULE} {flag} {options} ;  ")
        assert module.name == MODULE
        assert module.options == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected the name of a login module"),
        ("hunter2", "expected the name of a login module"),
        (f'{MODULE} username="u" password="hunter2";', '"required"'),
        (f'{MODULE} required username="u" password="hunter2"', "a semicolon at the end"),
        (f'{MODULE} required username="u", password="hunter2";', 'expected options as name="value"'),
        (f'{MODULE} required username="u" password="hunter2;', "an unclosed quote"),
        (f"{MODULE} required password=hunter2;more;", "only one login module"),
        (f'{MODULE} required password="hunter2"; {MODULE} required;', "only one login module"),
        (f"{MODULE} required password=;", 'expected options as name="value"'),
        (f"{MODULE} required password=hunter2/x;", "a character that needs quotes"),
        (f"{MODULE} required hunter2;", 'expected options as name="value"'),
    ],
)
def test_errors_do_not_contain_secrets(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=r"invalid sasl\.jaas\.config: ") as caught:
        parse_jaas_config(text)
    assert message in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_repr_does_not_contain_options() -> None:
    assert "hunter2" not in repr(parse_jaas_config(f"{MODULE} required password=hunter2;"))


@given(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"])))
def test_any_password_can_be_quoted(password: str) -> None:
    quoted = password.replace("\\", "\\\\").replace('"', '\\"')
    assert parse_jaas_config(f'{MODULE} required password="{quoted}";').options == {"password": password}


@given(st.text(alphabet="ab\"'\\=; /*\n", max_size=40))
def test_any_text_is_read_or_is_a_config_error(text: str) -> None:
    try:
        parse_jaas_config(f"a required {text}")
    except ConfigError as problem:
        assert "invalid sasl.jaas.config" in str(problem)  # noqa: PT017 - reading it is as good
