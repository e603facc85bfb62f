"""The one parser of JSON with comments: values, places, comments, and what it says about text that is not JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen.jsonc import Document, JsonError, Object, Position, parse_json, plain
from messagegen.jsonc.parser import MAX_DEPTH
from tests.support.profiles import examples

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


def value(text: str | bytes) -> object:
    return plain(parse_json(text).root.value)


def root(text: str) -> Object:
    found = parse_json(text).root.value
    assert isinstance(found, Object)
    return found


def refusal(text: str | bytes) -> JsonError:
    with pytest.raises(JsonError) as caught:
        parse_json(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{ /* { */ "a": [1, -2.5, 1e3, true, null], // "b": 1\n "c" /* : */ : {} } // end\n/* . */', None),
        ('{"about": "https://kafka /* no comment */ # none"}', {"about": "https://kafka /* no comment */ # none"}),
        (r'["\"\\\/\b\f\n\r\t", "\u0041\u00e9\ud83d\ude00"]', ['"\\/\b\f\n\r\t', "Aé😀"]),
        ('\ufeff{"a": 1, "a": 2}', {"a": 2}),
        ('["1e+2", 1e+2, -1.5E+02, -0]', ["1e+2", 100.0, -150.0, 0]),
        ("[" + "9" * 50 + "]", [int("9" * 50)]),
        ("[" + "9" * 5000 + "]", [float("inf")]),
        ("[" * MAX_DEPTH + "]" * MAX_DEPTH, ...),
    ],
)
def test_reads_json_with_comments(text: str, expected: object) -> None:
    expected = {"a": [1, -2.5, 1000.0, True, None], "c": {}} if expected is None else expected
    assert value(text) == value(text.encode())
    assert expected is ... or value(text) == expected


@given(VALUES, st.booleans(), st.sampled_from([None, 0, 2, "\t"]))
def test_reads_what_the_standard_library_writes(written: object, ascii_only: bool, indent: int | str | None) -> None:
    assert value(json.dumps(written, ensure_ascii=ascii_only, indent=indent)) == written


def _strict(constant: str) -> Any:
    raise ValueError(constant)


@examples(300)
@given(VALUES, st.data())
def test_agrees_with_the_standard_library_on_damaged_text(written: object, data: st.DataObject) -> None:
    text = json.dumps(written, ensure_ascii=False)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 3)))
    text = text[:start] + data.draw(st.text(alphabet='{}[]:,"\\ \n\t0129eE+-.truefalsn\u00a0', max_size=3)) + text[end:]
    try:
        expected = json.loads(text, parse_constant=_strict)
    except (ValueError, RecursionError):
        try:
            document = parse_json(text)
        except JsonError as caught:
            error = caught
        else:
            # Only closing brackets after the value are let pass.
            assert document.stray is not None
            assert plain(document.root.value) == json.loads(text[: document.stray])
            return
        assert error.message
        assert error.instead
        assert len(str(error)) < 400
    else:
        assert value(text) == expected


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_positions_count_lines_and_characters_from_1(end: str) -> None:
    document = parse_json(end.join(["\ufeff/* ä", " */", '{ "é😀": "日本", "second":', "  [0,", "   true] }"]))
    found = document.root.value
    assert isinstance(found, Object)
    first, second = found.parts
    assert (found.position, first.position, first.value.position) == ((3, 1), (3, 3), (3, 9))
    assert (second.position, second.value.position) == ((3, 15), (4, 3))
    assert [part.position for part in second.value.parts] == [(4, 4), (5, 4)]  # type: ignore[union-attr]
    for part in (first, second):
        assert document.position(part.start) == part.position
        assert document.offset(*part.position) == part.start


def test_a_property_may_stand_twice_and_the_last_one_counts() -> None:
    document: Document = parse_json('{"a": 1, "b": {"c": 2, "c": 3}, "a": 4}')
    assert document.twice
    assert plain(document.root.value) == {"a": 4, "b": {"c": 3}}
    assert not parse_json('[{"a": {"a": 1}}, {"a": 2}]').twice


def test_comments_belong_to_the_part_that_they_stand_at() -> None:
    text = """\
{ // opening
  // before a

  // also before a
  "a": 1, // behind a
  "b": /* inside b */ 2 /* two */, /* still */ // behind b
  "c": 3 // behind c
  // at the end
}
// after all
"""
    document = parse_json(text)
    one, two, three = document.root.value.parts  # type: ignore[union-attr]
    texts = [[comment.text for comment in comments] for comments in (one.leading, one.trailing, two.leading)]
    assert texts == [["// opening", "// before a", "// also before a"], ["// behind a"], ["/* inside b */"]]
    assert [(comment.own_line, comment.blank_before) for comment in one.leading] == [
        (False, False),
        (True, False),
        (True, True),
    ]
    assert [comment.text for comment in two.trailing] == ["/* two */", "/* still */", "// behind b"]
    assert [comment.text for comment in three.trailing] == ["// behind c"]
    assert [comment.text for comment in document.root.value.inner] == ["// at the end"]  # type: ignore[union-attr]
    assert [comment.text for comment in document.end_comments] == ["// after all"]
    assert len(list(document.comments())) == 11


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ('{"a"^, "b": 1}', 'write "a": and its value before the ,'),
        ('{"a": 1 ^"b": 2}', 'write , before "b"'),
        ('["a" ^"b"]', 'write , before "b"'),
        ('{"a" ^1}', 'write "a": 1'),
        ('{"a": 1^,}', "remove the comma"),
        ("[1^, ]", "remove the comma"),
        ("[1,^,2]", "remove the ,"),
        ("[^,1]", "remove the ,"),
        ("{^, 1}", "remove the comma"),
        ("{^: 1}", 'write "name": value'),
        ('{"a":^: 1}', "remove the second colon"),
        ('{"a":^, 1}', "write the value"),
        ("{^'a': 1}", 'write "a"'),
        ("[^'it]", 'write " at both ends'),
        ("{^a: 1}", 'write "a"'),
        ("{^12: 1}", 'write "12"'),
        ("[^NaN]", 'write "NaN"'),
        ("[^0x1F]", 'write "0x1F" in double quotes'),
        ("[^-Infinity]", 'write "-Infinity" in double quotes'),
        ("[^012]", "remove the leading zeros"),
        ("[^1.]", "write digits such as 12, -3 or 1.5, or put it in double quotes"),
        ("[^+1]", "remove the +"),
        ("[^None]", "write null"),
        ("[^False]", "write false"),
        ("[^yes]", "write true"),
        ("^[[1]", "write ] where it ends"),
        ('^{"a": 1', "write } where it ends"),
        ('^{"a": ', "write } where it ends"),
        ("[{^]", "write } before it"),
        ('{"a"^}', 'write "a": and its value before the }'),
        ('{"a":^}', 'write "a": and its value before the }'),
        ('[^"a\n"]', 'write " where it ends, in the same line'),
        ('["a^\tb"]', "write \\u0009, or \\t for a tab"),
        (r'["a^\d"]', 'write \\\\ for a backslash, or one of \\" \\/ \\b \\f \\n \\r \\t \\u0000'),
        ("[1] ^/* a", "write */ where it ends"),
        ("^# a\n{}", "write comments as // or /* */"),
        ('{"a" ^= 1}', "write : instead"),
        ("[1^; 2]", "write , instead"),
        ("[1 ^: 2]", "write , between two parts, and a colon only after the name of a property"),
        ("^}", "remove it, or write the bracket that it closes"),
        ("{}^}/**/", "remove it, or write the bracket that it closes"),
        ("[1] ^2", "remove it, or put it into a separate file"),
        ("^", 'write one object: {"type": ...}'),
        ("^// only a comment", 'write one object: {"type": ...}'),
        ("[^\u00a01]", "write a space"),
        ("[" * MAX_DEPTH + "^[]", "put the inner structs into commonStructs"),
        ('["é", ^"\\ud800"]', "write the character itself"),
        ('["é", "^\ud800"]', "save the file as UTF-8"),
    ],
)
def test_points_at_the_first_thing_that_does_not_fit(text: str, instead: str) -> None:
    offset = text.index("^")
    error = refusal(text.replace("^", "", 1))
    line = text.count("\n", 0, offset) + 1
    assert (error.position, error.instead) == (Position(line, offset - text.rfind("\n", 0, offset)), instead)


@pytest.mark.parametrize(
    ("data", "position"),
    [
        (b'{"a": "\xe9"}', (1, 8)),
        (b'{"\xc3\xa9": "b",\n "\xc3\xa9": "\xff"}', (2, 8)),
        (b'\xef\xbb\xbf{"a": "\xe9"}', (1, 8)),
        (b"\xff\xfe{\x00", (1, 1)),
    ],
)
def test_text_must_be_utf8(data: bytes, position: tuple[int, int]) -> None:
    error = refusal(data)
    assert (error.rule, error.position) == ("SPEC_TEXT_UTF8", position)


@pytest.mark.parametrize(
    "text",
    [
        *("[" * 100_000, "[" * 100_000 + "]" * 100_000, '{"a":' * 100_000, "]" * 99_999 + ",", '"' + "\\" * 99_999),
        *("/*" * 100_000, "-" * 100_000, "\x00" * 100_000, '"' + "a" * 100_000, "[1" + "0" * 100_000 + "x]"),
        *("[" + "," * 100_000, "[" + "x" * 10_000 + "]", "{" + "9" * 10_000 + ": 1}", '{"' + "x" * 10_000 + '" 1}'),
    ],
    ids=lambda text: text[:3],
)
def test_hostile_text_gives_a_short_error(text: str) -> None:
    assert len(str(refusal(text))) < 300
