"""Secrets are not shown in texts, errors and redacted JSON."""

from __future__ import annotations

import dataclasses
import json
import pprint
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.pretty import pretty_repr

from messagegen.generation.loading import load_specs
from messagegen.runtime.secrets import is_secret_config
from messagegen.spec import parse
from messagegen_kafka import ConfigRecord, SaslAuthenticateRequest
from messagegen_kafka.sasl_authenticate_request import SaslAuthenticateRequest as Again
from tests.support.specs import class_of, field, made

SECRET = "hunter2"
TEXTS: Any = [repr, str, pprint.pformat, lambda value: pprint.pformat(value, width=1), pretty_repr]


def marked(**others: Any) -> Any:
    """Return a message with sensitive fields: ``Key`` itself, and fields in a struct and in an array of structs."""
    return made(
        field("Key", "string", sensitive=True, nullableVersions="0+"),
        field("Number", "int32", sensitive=True),
        field("Open", "string"),
        field(
            "Parts", "[]Part", fields=[field("Key", "bytes", sensitive=True), field("Flags", "[]int8", sensitive=True)]
        ),
        field("Whole", "Inner", fields=[field("Text", "string")], sensitive=True),
        validVersions="0-1",
        flexibleVersions="1+",
        **others,
    )


def kafkas(name: str, *fields: dict[str, object], **others: object) -> Any:
    """Return the class of one of Kafka's messages, whose specs do not mark sensitive fields."""
    properties = {"type": "data", "name": name, "validVersions": "0", "flexibleVersions": "0+", **others}
    parsed = parse(json.dumps({**properties, "fields": fields}), f"{name}.json")
    assert parsed.spec is not None, [str(finding) for finding in parsed.findings]
    return getattr(load_specs([parsed.spec]), name)


@pytest.mark.parametrize("text_of", TEXTS)
class TestTexts:
    def test_a_password_is_not_shown(self, text_of: Any) -> None:
        assert SECRET not in text_of(SaslAuthenticateRequest(auth_bytes=SECRET.encode()))

    def test_a_secret_inside_another_message_is_not_shown(self, text_of: Any) -> None:
        cls = marked()
        message = cls(
            key=SECRET,
            open="visible",
            parts=(class_of(cls, "Part")(key=SECRET.encode(), flags=(4, 2)),),
            whole=class_of(cls, "Inner")(text=SECRET),
            unknown_tagged_fields=((9, SECRET.encode()),),
        )
        text = text_of(message)
        assert SECRET not in text
        assert "visible" in text
        assert "(4, 2)" not in text

    def test_a_secret_in_a_dataclass_subclass_is_not_shown(self, text_of: Any) -> None:
        sub: Any = dataclasses.dataclass(type("Sub", (Again,), {"__annotations__": {"note": "str"}, "note": "mine"}))
        text = text_of(sub(auth_bytes=SECRET.encode()))
        assert SECRET not in text
        assert "mine" in text

    def test_the_name_of_a_config_decides_whether_its_value_is_shown(self, text_of: Any) -> None:
        assert SECRET not in text_of(ConfigRecord(name="ssl.key.password", value=SECRET))
        assert "1000" in text_of(ConfigRecord(name="retention.ms", value="1000"))


@pytest.mark.parametrize("text_of", TEXTS)
def test_a_struct_in_a_sensitive_field_hides_its_fields(text_of: Any) -> None:
    cls = made(
        field("Open", "Shared"),
        field("Cred", "Outer", sensitive=True, fields=[field("Inners", "[]Inner", fields=[field("Text", "string")])]),
        field("Keys", "[]Shared", sensitive=True),
        commonStructs=[{"name": "Shared", "versions": "0+", "fields": [field("Text", "string")]}],
        flexibleVersions="0+",
    )
    inner = class_of(cls, "Inner")(text=SECRET, unknown_tagged_fields=((9, SECRET.encode()),))
    shared = class_of(cls, "Shared")(text=SECRET)
    message = cls(cred=class_of(cls, "Outer")(inners=(inner,)), keys=(shared,), open=shared)
    for shown in (message, message.cred, message.cred.inners, message.keys, message.open):
        assert SECRET not in text_of(shown)
    assert message.to_json(version=0, redact=True)["open"] == {"text": "<redacted>"}


def test_repr_shows_redacted_instead() -> None:
    assert repr(SaslAuthenticateRequest(auth_bytes=b"x")) == "SaslAuthenticateRequest(auth_bytes=<redacted>)"
    assert repr(ConfigRecord(name="sasl.jaas.config", value="x")).endswith("name='sasl.jaas.config', value=<redacted>)")
    assert repr(ConfigRecord(name="sasl.jaas.config", value=None)).endswith("name='sasl.jaas.config', value=None)")


def test_the_sensitive_flag_of_a_config_hides_its_value() -> None:
    fields = [field("Name", "string"), field("Value", "string"), field("IsSensitive", "bool")]
    cls = kafkas("DescribeConfigsResponse", field("Configs", "[]Config", fields=fields))
    config = class_of(cls, "Config")
    assert config.SENSITIVE == {"value": ("name", "is_sensitive")}
    assert SECRET not in repr(config(name="plain", value=SECRET, is_sensitive=True))
    assert SECRET not in repr(config(name="ssl.key.password", value=SECRET))
    assert SECRET not in repr(config(name=None, value=SECRET))
    assert SECRET in repr(config(name="plain", value=SECRET))


@pytest.mark.parametrize(
    "name", ["listener.name.external.ssl.key.password", "LISTENER.NAME.X.SASL.JAAS.CONFIG", "s3.token"]
)
def test_secret_configs_are_recognized_by_name(name: str) -> None:
    assert is_secret_config(name)


@pytest.mark.parametrize(
    "name", ["retention.ms", "ssl.keystore.location", "sasl.oauthbearer.token.endpoint.url", "monkey"]
)
def test_ordinary_config_names_are_not_secret(name: str) -> None:
    assert not is_secret_config(name)


WRONG_VALUES: Any = [
    {"key": 4711_4711},
    {"key": SECRET.encode()},
    {"key": "\ud800" + SECRET},
    {"number": 4711_4711_4711},
    {"number": SECRET},
    {"whole": SECRET},
    {"parts": (SECRET,)},
    {"unknown_tagged_fields": ((SECRET, SECRET),)},
    {"unknown_tagged_fields": SECRET},
]


class TestErrors:
    @pytest.mark.parametrize("values", WRONG_VALUES)
    @pytest.mark.parametrize("version", [0, 1])
    def test_encode_errors_hide_secrets(self, values: dict[str, Any], version: int) -> None:
        if "parts" in values:
            values = {"parts": (_part(SECRET),)}
        with pytest.raises(ValueError, match="Made version") as caught:
            _message(values).encode(version=version)
        _check_hidden(caught.value)

    @pytest.mark.parametrize(
        "change",
        [
            {"key": 47114711},
            {"number": 471147114711},
            {"number": SECRET},
            {"whole": SECRET},
            {"whole": {"text": 47114711}},
            {"parts": [{"key": SECRET, "flags": []}]},
            {"parts": [{"key": "", "flags": SECRET}]},
        ],
    )
    def test_json_errors_hide_secrets(self, change: dict[str, Any]) -> None:
        cls = marked()
        value = {**cls().to_json(version=1), **change}
        with pytest.raises(ValueError, match="Made version") as caught:
            cls.from_json(value, version=1)
        _check_hidden(caught.value)

    @pytest.mark.parametrize(
        ("change", "error"),
        [
            ({"key": None}, "key: expected a string, got <redacted>"),
            ({"key": ...}, 'key: missing field "key"'),
            ({"number": SECRET}, "number: expected an integer, got <redacted>"),
            ({"number": 4711_4711_4711}, "number: <redacted> does not fit in int32"),
            ({"whole": {}}, 'whole.text: missing field "text"'),
            ({"parts": [{"flags": []}]}, 'parts[0].key: missing field "key"'),
            ({"parts": [{"key": SECRET, "flags": []}]}, "parts[0].key: <redacted> is not base64"),
        ],
    )
    def test_json_errors_name_the_problem(self, change: dict[str, Any], error: str) -> None:
        cls = made(
            field("Key", "string", sensitive=True),
            field("Number", "int32", sensitive=True),
            field("Parts", "[]Part", fields=[field("Key", "bytes", sensitive=True), field("Flags", "[]int8")]),
            field("Whole", "Inner", fields=[field("Text", "string")], sensitive=True),
        )
        changed = {**cls().to_json(version=0), **change}
        value = {key: part for key, part in changed.items() if part is not ...}
        with pytest.raises(ValueError, match="Made version") as caught:
            cls.from_json(value, version=0)
        assert str(caught.value) == f"{error} (Made version 0)"

    def test_errors_name_sensitive_fields_that_were_never_set(self) -> None:
        cls = made(field("Key", "string", sensitive=True))
        with pytest.raises(ValueError, match=r"^key: the field was never set"):
            object.__new__(cls).encode(version=0)

    def test_errors_name_the_problem_without_the_secret(self) -> None:
        cls = made(
            field("Key", "string", sensitive=True), field("Late", "string", "1+", sensitive=True), validVersions="0-1"
        )
        with pytest.raises(ValueError, match="late: this version has no such field"):
            cls(late=SECRET).to_json(version=0)
        with pytest.raises(ValueError, match="late: this version has no such field"):
            cls(late=SECRET).encode(version=0)
        with pytest.raises(ValueError, match="key: "):
            cls(key=5).encode(version=0)

    @given(st.data())
    def test_of_damaged_bytes(self, data: st.DataObject) -> None:
        message = _CLASS(
            key=SECRET, number=1, parts=(_part(SECRET.encode()),), whole=class_of(_CLASS, "Inner")(text=SECRET)
        )
        whole = message.encode(version=1)
        cut = bytearray(whole[: data.draw(st.integers(0, len(whole)))])
        places = [place for place in range(len(cut)) if cut[place] not in SECRET.encode()]
        for place in data.draw(st.lists(st.sampled_from(places), max_size=1)) if places else ():
            cut[place] = 255
        try:
            _CLASS.decode(bytes(cut), version=1)
        except ValueError as error:
            _check_hidden(error)


def _check_hidden(error: BaseException) -> None:
    """Check that neither an error nor any exception that it refers to contains the secret value."""
    pending: list[BaseException | None] = [error]
    while pending:
        found = pending.pop()
        if found is not None:
            for text in (str(found), repr(found), repr(found.args), repr(vars(found))):
                assert SECRET not in text
                assert "4711" not in text
            pending += [found.__cause__, found.__context__]


_CLASS = marked()


def _message(values: dict[str, Any]) -> Any:
    return _CLASS(**values)


def _part(key: object) -> Any:
    return class_of(_CLASS, "Part")(key=key)


class TestJson:

    def test_to_json_redacts_secrets_at_every_depth(self) -> None:
        message = _CLASS(key=SECRET, number=5, open="visible", parts=(_part(SECRET.encode()),))
        assert message.to_json(version=1, redact=True) == {
            "key": "<redacted>",
            "number": "<redacted>",
            "open": "visible",
            "parts": [{"key": "<redacted>", "flags": "<redacted>"}],
            "whole": "<redacted>",
        }

    def test_to_json_redacts_configs_by_name_and_keeps_null(self) -> None:
        record = ConfigRecord(name="ssl.key.password", value=SECRET)
        assert record.to_json(version=0, redact=True)["value"] == "<redacted>"
        assert dataclasses.replace(record, name="retention.ms").to_json(version=0, redact=True)["value"] == SECRET
        assert dataclasses.replace(record, value=None).to_json(version=0, redact=True)["value"] is None
