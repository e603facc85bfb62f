"""The tree of JSON with comments: values, places, and which comment belongs to what."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen.jsonc import Container, Edit, TreeError, apply_edits, parse_tree
from messagegen.spec.model import Position
from tests.support.messy import value_of

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


def root(text: str) -> Container:
    value = parse_tree(text).root.value
    assert isinstance(value, Container)
    return value


@given(VALUES, st.sampled_from([None, 0, 2]))
def test_reads_what_json_reads(value: object, indent: int | None) -> None:
    assert value_of(parse_tree(json.dumps(value, indent=indent)).root.value) == value


def test_comments_belong_to_the_part_that_they_stand_at() -> None:
    text = """\
{ // opening
  // before a

  // also before a
  "a": 1, // behind a
  "b": /* inside b */ 2 // behind b
  // at the end
}
// after all
"""
    tree = root(text)
    one, two = tree.parts
    assert [comment.text for comment in one.leading] == ["// opening", "// before a", "// also before a"]
    assert [comment.own_line for comment in one.leading] == [False, True, True]
    assert [comment.blank_before for comment in one.leading] == [False, False, True]
    assert [comment.text for comment in one.trailing] == ["// behind a"]
    assert [comment.text for comment in two.leading] == ["/* inside b */"]
    assert [comment.text for comment in two.trailing] == ["// behind b"]
    assert [comment.text for comment in tree.inner] == ["// at the end"]
    assert [comment.text for comment in parse_tree(text).end_comments] == ["// after all"]
    assert len(list(parse_tree(text).comments())) == 8


def test_a_comment_before_a_comma_belongs_to_the_part_before_it() -> None:
    one, _ = root("[1 /* one */, /* still */\n 2]").parts
    assert [comment.text for comment in one.trailing] == ["/* one */", "/* still */"]


def test_positions_count_characters_from_1() -> None:
    document = parse_tree('{\r\n  "ä": "öü", "b": 1 }')
    assert isinstance(document.root.value, Container)
    assert document.position(document.root.value.parts[0].value.start) == Position(2, 8)
    assert document.position(document.root.value.parts[1].start) == Position(2, 14)


def test_of_a_property_that_is_written_twice_the_last_one_counts() -> None:
    part = root('{"a": 1, "a": 2}').part("a")
    assert part is not None
    assert value_of(part.value) == 2


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("", 0),
        ("// only a comment", 17),
        ('{"a": 1,}', 8),
        ('{"a" 1}', 5),
        ('{"a":}', 5),
        ("{1: 2}", 2),
        ("[1 2]", 3),
        ("[1}", 2),
        ("{} {}", 3),
        ("[1", 2),
        ("'a'", 0),
        ("[" * 101 + "]" * 101, 100),
    ],
)
def test_what_is_not_json_is_refused_at_its_place(text: str, offset: int) -> None:
    with pytest.raises(TreeError) as caught:
        parse_tree(text)
    assert caught.value.offset == offset


def test_edits_are_applied_from_left_to_right_and_the_first_of_two_that_touch_wins() -> None:
    edits = [Edit(4, 5, "E"), Edit(0, 2, "x"), Edit(1, 3, "lost"), Edit(3, 3, "+")]
    assert apply_edits("abcdef", edits) == "xc+dEf"
