"""The parser of JSON with comments: its values, positions and comments, and its errors for invalid text."""

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
def test_the_parser_reads_json_with_comments(text: str, expected: object) -> None:
    expected = {"a": [1, -2.5, 1000.0, True, None], "c": {}} if expected is None else expected
    assert value(text) == value(text.encode())
    assert expected is ... or value(text) == expected


@given(VALUES, st.booleans(), st.sampled_from([None, 0, 2, "\t"]))
def test_the_parser_reads_json_written_by_the_standard_library(
    written: object, ascii_only: bool, indent: int | str | None
) -> None:
    assert value(json.dumps(written, ensure_ascii=ascii_only, indent=indent)) == written


def _strict(constant: str) -> Any:
    raise ValueError(constant)


@pytest.mark.slow
@examples(300)
@given(VALUES, st.data())
def test_the_parser_agrees_with_the_standard_library_on_damaged_text(written: object, data: st.DataObject) -> None:
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
            # Unlike the standard library, the parser accepts stray closing brackets after the value.
            assert document.stray is not None
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
    assert (first.value.end, second.value.end, found.end) == ((3, 13), (5, 9), (5, 11))


def test_the_last_of_duplicate_properties_wins() -> None:
    document: Document = parse_json('{"a": 1, "b": {"c": 2, "c": 3}, "a": 4}')
    assert [(first.value.position, second.name) for first, second in document.twice] == [((1, 21), "c"), ((1, 7), "a")]
    assert plain(document.root.value) == {"a": 4, "b": {"c": 3}}
    assert not parse_json('[{"a": {"a": 1}}, {"a": 2}]').twice


def test_comments_belong_to_the_adjacent_part() -> None:
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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a"^, "b": 1}', 'expected a colon after "a", found ,'),
        ('{"a": 1 ^"b": 2}', 'expected a comma, or } for the { of line 1, found "b"'),
        ('["a" ^"b"]', 'expected a comma, or ] for the [ of line 1, found "b"'),
        ("[1, ^]", "expected a value, found ]"),
        ('{"a": 1, ^}', "expected the name of a property, found }"),
        ("{^, 1}", "expected the name of a property, found ,"),
        ('{"a":^: 1}', "expected a value, found :"),
        ('{"a":^}', "expected a value, found }"),
        ("{^'a': 1}", "expected the name of a property, found '"),
        ("{^a: 1}", "expected the name of a property, found a"),
        ("[^-Infinity]", "expected a value, found -Infinity"),
        ("[^012]", "expected a value, found 012"),
        ("[^+1]", "expected a value, found +1"),
        ("[[1]^", "expected a comma, or ] for the [ of line 1, found the end of the file"),
        ("[{^]", "expected the name of a property, found ]"),
        ('[^"a\n"]', 'expected a value, found "a'),
        (r'["a", ^"\d"]', r'expected a value, found "\d"'),
        ("[1] ^/* a", "expected the end of the file, found /*"),
        ("^# a\n{}", "expected a value, found #"),
        ('{"a" ^= 1}', 'expected a colon after "a", found ='),
        ("^}", "expected a value, found }"),
        ("{}^}/**/", "expected the end of the file, found }"),
        ("[1] ^2", "expected the end of the file, found 2"),
        ("^", "expected a value, found the end of the file"),
        ("// only a comment^", "expected a value, found the end of the file"),
        ("[^\u00a01]", "expected a value, found \\u00a0"),
        ("[" * MAX_DEPTH + "^[]", "objects and arrays are nested too deeply: more than 100 levels"),
        ('["é", ^"\\ud800"]', "unpaired surrogate in a string"),
        ('["é", "^\ud800"]', "invalid UTF-8: byte 0xed"),
    ],
)
def test_errors_point_at_the_first_unexpected_character(text: str, message: str) -> None:
    offset = text.index("^")
    error = refusal(text.replace("^", "", 1))
    line = text.count("\n", 0, offset) + 1
    assert (error.position, error.message) == (Position(line, offset - text.rfind("\n", 0, offset)), message)
    assert error.instead


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
    assert (error.message[:13], error.position) == ("invalid UTF-8", position)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "[" * 100_000 + "]" * 100_000,
        '{"a":' * 100_000,
        "]" * 99_999 + ",",
        '"' + "\\" * 99_999,
        "/*" * 100_000,
        "-" * 100_000,
        "\x00" * 100_000,
        '"' + "a" * 100_000,
        "[1" + "0" * 100_000 + "x]",
        "[" + "," * 100_000,
        "[" + "x" * 10_000 + "]",
        "{" + "9" * 10_000 + ": 1}",
        '{"' + "x" * 10_000 + '" 1}',
    ],
    ids=lambda text: text[:3],
)
def test_errors_about_hostile_text_are_short(text: str) -> None:
    assert len(str(refusal(text))) < 300


SPEC_LINES = [
    "{",
    '  "a": [',
    "    1,",
    "    2",
    "  ],",
    '  "b": {',
    '    "c": "text" // a comment',
    "  }",
    "}",
    "// the end",
]


@pytest.mark.parametrize("mark", ["<<<<<<< HEAD", "||||||| 3f2a1c0", "=======", ">>>>>>> other", "<<<<<<<"])
@pytest.mark.parametrize("line", range(len(SPEC_LINES) + 1))
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_a_merge_conflict_is_reported_on_any_line(mark: str, line: int, end: str) -> None:
    error = refusal(end.join([*SPEC_LINES[:line], mark, *SPEC_LINES[line:]]))
    assert error.position == (line + 1, 1)
    assert error.message == f"unresolved merge conflict: {mark[:7]}"


@pytest.mark.parametrize("text", ["<<<<<<", " <<<<<<< HEAD", "[1, <<<<<<< HEAD", "========"])
def test_similar_characters_are_not_reported_as_a_merge_conflict(text: str) -> None:
    assert "conflict" not in refusal(text).message
