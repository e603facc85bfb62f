from __future__ import annotations

import pytest

from tests.docs.examples import merged


@pytest.mark.parametrize(
    ("want", "got", "expected"),
    [
        ("a\nb\n", "a\nc\n", "a\nc\n"),
        ("a\n...\nz\n", "a\nb\nc\nz\n", "a\n...\nz\n"),
        ("old\n...\nz\n", "new\nb\nc\nz\n", "new\n...\nz\n"),
        ("a\n...\nold\n", "a\nb\nc\nnew\n", "a\n...\nnew\n"),
        ("a\nold\n...\n", "a\nnew\nb\nc\n", "a\nnew\n...\n"),
        ("old\na\n  ...\nz\n", "new\na\nb\nz\n", "new\na\n  ...\nz\n"),
        ("a\n...\ny\nold\n...\n", "a\nb\ny\nnew\nc\n", "a\n...\ny\nnew\n...\n"),
        ("old\n...\nz\n", "", ""),
        ("took ... s\nold\n...\n", "took 3 s\nnew\nb\n", "took ... s\nnew\n...\n"),
    ],
)
def test_what_a_page_abridges_stays_abridged(want: str, got: str, expected: str) -> None:
    assert merged(want, got) == expected
