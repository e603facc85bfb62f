"""A default of NaN, or a struct that contains one, does not equal any value, as in Apache's classes.

So a tagged field with this default is always written. A version that lacks the field can't be encoded; the error names
the field.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from messagegen.cli import run
from messagegen.spec import parse
from messagegen.vectors import make_vectors
from tests.native.columns import decode_columns, encode_columns
from tests.support.agreement import runtime, straight_encode
from tests.support.specs import checked_plan, field, made, spec
from tests.support.strategies import strategies_of

NAN = field("Rate", "float64", "1+", default="NaN")
ROOM = [field("Size", "int32"), NAN]
PLACES: dict[str, tuple[list[dict[str, object]], bool]] = {
    "message": ([field("Name", "string"), NAN], False),
    "struct": ([field("Room", "Room", fields=ROOM)], False),
    "struct in a struct": ([field("House", "House", fields=[field("Room", "Room", fields=ROOM)])], False),
    "array": ([field("Rooms", "[]Room", fields=ROOM)], True),
    "nullable struct": ([field("Room", "Room", nullableVersions="0+", default="null", fields=ROOM)], True),
    "tagged struct": ([field("Room", "Room", taggedVersions="0+", tag=0, fields=ROOM)], False),
    "struct of a later version": (
        [field("Room", "Room", "1+", fields=[field("Rate", "float64", "1+", default="NaN")])],
        False,
    ),
    "nullable tagged struct": (
        [field("Room", "Room", taggedVersions="0+", tag=0, nullableVersions="0+", default="null", fields=ROOM)],
        True,
    ),
    "ignorable": ([{**NAN, "ignorable": True}], True),
}
"""Fields of a message with versions 0 and 1, each with whether version 0 can be encoded."""
each = pytest.mark.parametrize("place", PLACES)


PROPERTIES: dict[str, Any] = {"validVersions": "0-1", "flexibleVersions": "0+"}


@each
def test_vectors_cover_only_versions_that_can_be_encoded(place: str) -> None:
    fields, encodable = PLACES[place]
    vectors = list(make_vectors([checked_plan(spec(*fields, **PROPERTIES))]))
    assert {vector.version for vector in vectors} == ({0, 1} if encodable else {1})


@pytest.mark.slow
@each
@pytest.mark.usefixtures("codecs")
def test_strategies_draw_only_encodable_messages(place: str) -> None:
    fields, encodable = PLACES[place]
    cls = made(*fields, **PROPERTIES)
    strategies = strategies_of(cls.__module__.rpartition(".")[0])
    if not encodable:
        with pytest.raises(ValueError, match="version 0 of Made can't be encoded"):
            strategies.messages(cls, version=0)

    @settings(max_examples=30)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        version, message = data.draw(strategies.messages_of_any_version(cls))
        again = cls.decode(message.encode(version=version), version=version)
        assert repr(again) == repr(message)

    check()


@pytest.mark.slow
@each
@pytest.mark.usefixtures("codecs")
def test_the_error_names_the_nan_default(place: str) -> None:
    fields, encodable = PLACES[place]
    cls = made(*fields, **PROPERTIES)
    if encodable:
        assert cls().encode(version=0)
        assert cls().to_json(version=0) is not None
        return
    for write in (cls().encode, cls().to_json):
        with pytest.raises(
            ValueError, match="default, which is or contains NaN: make the field ignorable in the spec"
        ) as caught:
            write(version=0)
        assert type(caught.value).__name__ == "EncodeError"


@each
def test_an_ignorable_nan_default_gets_a_warning(place: str) -> None:
    fields, _ = PLACES[place]
    text = json.dumps({"type": "data", "name": "Made", **PROPERTIES, "fields": fields})
    parsed = parse(text, "Made.json")
    assert parsed.spec is not None
    expected = [] if place == "ignorable" else [("NAN_DEFAULT_IGNORABLE", "warning")]
    assert [(finding.rule, finding.severity) for finding in parsed.findings] == expected


_RATE: Final = field("Rate", "float64", default="NaN")
_TAGGED: Final[dict[str, Any]] = {"taggedVersions": "0+", "tag": 0}
_HOUSE: Final = field("House", "House", fields=[field("Room", "Room", fields=[_RATE])], **_TAGGED)
_RATE_BYTES: Final = "7ff8000000000000"


# The expected bytes are the output of Apache's classes.
each_tagged = pytest.mark.parametrize(
    ("tagged", "expected"),
    [
        ({**_RATE, **_TAGGED}, f"01 00 08 {_RATE_BYTES}"),
        (field("Room", "Room", fields=[_RATE], **_TAGGED), f"01 00 09 {_RATE_BYTES} 00"),
        (_HOUSE, f"01 00 0a {_RATE_BYTES} 00 00"),
        (field("Rooms", "[]Room", fields=[_RATE], **_TAGGED), "00"),
        (field("Room", "Room", nullableVersions="0+", default="null", fields=[_RATE], **_TAGGED), "00"),
    ],
    ids=["number", "struct", "struct in a struct", "array", "null"],
)


@each_tagged
@pytest.mark.usefixtures("codecs")
def test_a_tagged_field_with_a_nan_default_is_always_written(tagged: dict[str, object], expected: str) -> None:
    cls = made(tagged, validVersions="0", flexibleVersions="0+")
    message = cls()
    data = bytes.fromhex(expected)
    assert message.encode(version=0) == data
    assert message.size(version=0) == len(data)
    assert cls.decode(data, version=0).encode(version=0) == data
    assert cls.decode(b"\0", version=0).encode(version=0) == data
    assert straight_encode(message, 0) == data
    assert runtime(cls, "walk").walk_encode(cls.CODEC.parsed_plan(), message, 0) == data
    assert (len(message.to_json(version=0)) == 1) == (len(data) > 1)


@each_tagged
def test_columns_also_write_a_tagged_field_with_a_nan_default(tagged: dict[str, object], expected: str) -> None:
    pytest.importorskip("messagegen_native")
    pyarrow: Any = pytest.importorskip("pyarrow")
    plan = made(tagged, validVersions="0", flexibleVersions="0+").CODEC.plan
    data = bytes.fromhex(expected)
    columns = pyarrow.array(decode_columns(plan, 0, pyarrow.array([b"\0", data])))
    rows = pyarrow.array(encode_columns(plan, 0, columns)).to_pylist()
    assert [row["value"] for row in rows] == [data, data]


def test_the_vectors_command_omits_versions_that_cannot_be_encoded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fields, _ = PLACES["message"]
    text = json.dumps({"type": "data", "name": "Made", **PROPERTIES, "fields": fields})
    (tmp_path / "Made.json").write_text(text)
    assert run(["vectors", "--specs", str(tmp_path)]) == 0
    written = capsys.readouterr()
    assert {json.loads(line)["version"] for line in written.out.splitlines()} == {1}
