"""The spec edits that the advisor prints add a version with the chosen encodings, and change nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from messagegen_arrow.advisor.edits import encodings_of_fields, property_text, with_next_version
from messagegen_arrow.advisor.encodings import FORMS
from messagegen_arrow.advisor.fields import integer_fields
from messagegen_arrow.catalog import MessageTable
from tests.arrow.support.advisor_data import load_table, spec_of
from tests.arrow.support.spec_edits import pasted
from tests.support.comparing import compare_texts
from tests.support.specs import OWN, PURPOSE_MADE

SPECS: Final = [*sorted(PURPOSE_MADE.rglob("*.json")), *sorted(OWN.rglob("*.json"))[::3]]


def next_version(table: MessageTable) -> int:
    return table.valid_versions[1] + 1


def has_next_version(text: str, table: MessageTable) -> bool:
    """Return whether the spec already mentions the next version; the page does not cover such specs."""
    return f'"{next_version(table)}+"' in text or f'"{next_version(table)}-' in text


@pytest.mark.slow
@pytest.mark.parametrize(
    "file",
    [*SPECS[::4], *(pytest.param(file, marks=pytest.mark.slow) for file in SPECS if file not in SPECS[::4])],
    ids=lambda file: file.stem,
)
def test_a_pasted_edit_changes_only_the_encodings_of_the_next_version(file: Path) -> None:
    text = file.read_bytes().decode()
    if '"validVersions": "none"' in text:
        pytest.skip("the message is retired")
    table = load_table(text)
    if table.kind == "coordinator-key" or has_next_version(text, table):
        return
    version = next_version(table)
    latest = {field.name: field for field in integer_fields(table.plan, version - 1).values()}
    form = FORMS[len(file.stem) % len(FORMS)]
    wanted = {name: f"{form}{field.width}" for name, field in latest.items() if field.advisable}
    starts = encodings_of_fields(table)
    edits = {name: with_next_version(starts[name], version, encoding) for name, encoding in wanted.items()}

    after = pasted(text, table, edits)
    new = load_table(after)
    assert new.valid_versions == (table.valid_versions[0], version)
    found = {field.name: field.encoding for field in integer_fields(new.plan, version).values()}
    assert found == {name: wanted.get(name, field.encoding) for name, field in latest.items()}
    for before in table.versions:
        assert integer_fields(new.plan, before) == integer_fields(table.plan, before)
    changes = compare_texts({file.name: text.encode()}, {file.name: after.encode()})
    assert not [change for message in changes for change in message.changes if change.versions]


def test_an_edit_keeps_the_encodings_of_earlier_versions() -> None:
    field = '{ "name": "A", "type": "int64", "versions": "1+", "encoding": { "1": "fixed32", "2+": "fixed64" } }'
    starts = encodings_of_fields(load_table(spec_of(field, versions="0-4")))["Small", "a"]
    edit = with_next_version(starts, 5, "packed64")
    assert property_text("encoding", edit) == '"encoding": { "1": "fixed32", "2-4": "fixed64", "5+": "packed64" }'
