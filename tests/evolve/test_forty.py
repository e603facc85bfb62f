"""Forty edits break what a reader of the spec says they break."""

from __future__ import annotations

import json

import pytest

from messagegen.evolve import breaking_changes, compare_texts
from tests.evolve.forty import BASE, FORTY, Edit


def text_of(spec: dict[str, object]) -> dict[str, bytes]:
    return {f"{spec['name']}.json": json.dumps(spec).encode()}


def test_there_are_forty() -> None:
    assert len({edit.title for edit in FORTY}) == len(FORTY) == 40


@pytest.mark.parametrize("edit", FORTY, ids=lambda edit: edit.title)
def test_findings_have_the_kinds_that_a_reader_expects(edit: Edit) -> None:
    changes = breaking_changes(compare_texts(text_of(BASE), text_of(edit.applied())))
    found = {category for change in changes for category in change.categories}
    assert found == set(edit.kinds.split()), [str(change) for change in changes]
