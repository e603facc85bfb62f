"""The advice about breaking changes works: applied to a pair of specs that break the rule, it repairs them.

If the advice is to keep a property, the test restores the old value. ``BY_HAND`` contains the edits for all other
advice. So a new pair of specs whose advice is prose fails until ``BY_HAND`` has an edit for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from messagegen.evolve.changes import Change
from messagegen.jsonc import parse_json, plain
from tests.evolve.pairs import PAIRS, rule_of, texts
from tests.support.advice import parent_and_key
from tests.support.comparing import compare_texts

Texts = Mapping[str, bytes]

_ID: Final = '{ "name": "Id", "type": "int32", "versions": "0+" }'
_EPOCH: Final = '{ "name": "Epoch", "type": "int32", "versions": "0+" }'
_RACK: Final = '{ "name": "Rack", "type": "string", "versions": "1+", "taggedVersions": "1+", "tag": 0 }'

BY_HAND: Final[dict[str, dict[str, str]]] = {
    "field_not_added": {
        '"validVersions": "0-1"': '"validVersions": "0-2"',
        _EPOCH: _EPOCH.replace("0+", "2+"),
    },
    "field_not_removed": {
        '"validVersions": "0-1"': '"validVersions": "0-2"',
        _ID: f"{_ID}, {_EPOCH.replace('0+', '0-1')}",
    },
    "field_same_column_type": {
        '"int64"': '"int32"',
        '"packed64"': '"packed32"',
    },
    "field_same_order": {
        f"{_EPOCH},": "",
        _ID: f"{_ID}, {_EPOCH}",
    },
    "field_same_tag": {
        '"tag": 1 }': '"tag": 2 }',
        '"tag": 0 }': '"tag": 1 }',
        '"tag": 2 }': '"tag": 0 }',
    },
    "message_versions_same_numbers": {
        '"type": "coordinator-key"': '"type": "data"',
        '"apiKey": 3,': "",
        '"validVersions": "0"': '"validVersions": "3"',
    },
    "tagged_field_not_removed": {
        _ID: f"{_ID}, {_RACK}",
    },
}
"""By pair: texts of the current spec and their replacements by the advice, in order."""

OTHER_PROPERTIES: Final = {
    "annotation": ("type", "nullableVersions", "default", "versions"),
    "attribute": ("name",),
    "encoding": ("encoding", "elementEncoding", "type"),
    "tag": ("tag", "taggedVersions"),
}
"""The properties of a spec that decide a property of a change; others decide themselves."""

_PART: Final = re.compile(r"(.*\])?")
"""The path of the field or struct that has a property; empty for a message."""


def tree_of(text: bytes) -> Any:
    return plain(parse_json(text).root.value)


def part_of(tree: Any, path: str) -> Any:
    """Return the object that a path is in: the message, or a field."""
    match = _PART.match(path)
    assert match is not None
    if match[0] == "":
        return tree
    holder, key = parent_and_key(tree, match[0])
    return holder[key]


def kept(change: Change, before: Texts, after: Texts) -> Texts:
    """Return the current specs with the old value of the property that changed."""
    old = part_of(tree_of(before[change.old.file]), change.old.json_path)
    root = tree_of(after[change.new.file])
    new = part_of(root, change.new.json_path)
    for name in OTHER_PROPERTIES.get(change.name, (change.name,)):
        if name in old:
            new[name] = old[name]
        else:
            new.pop(name, None)
    return {**after, change.new.file: json.dumps(root).encode()}


def breaking(before: Texts, after: Texts) -> list[Change]:
    return [change for message in compare_texts(before, after) for change in message.changes if change.rule]


def followed(pair: Path, change: Change, before: Texts, after: Texts) -> Texts:
    """Return the current specs after following the advice about a change."""
    if pair.name in BY_HAND:
        ((file, data),) = after.items()
        text = data.decode()
        for old, new in BY_HAND[pair.name].items():
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        return {file: text.encode()}
    if change.rule == "MESSAGE_NOT_REMOVED":
        return {**after, change.old.file: before[change.old.file]}
    return kept(change, before, after)


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair.name.upper() == rule_of(pair)], ids=lambda p: p.name)
def test_the_advice_about_a_breaking_change_can_be_followed(pair: Path) -> None:
    before = texts(pair / "previous")
    after = texts(pair / "current")
    changes = breaking(before, after)
    change = next(change for change in changes if change.rule == rule_of(pair))

    left = breaking(before, followed(pair, change, before, after))
    left_over = {(one.rule, one.subject) for one in left}
    advice = f"add an edit to BY_HAND that does this: {change.finding().instead}"
    assert (change.rule, change.subject) not in left_over, advice
    assert left_over < {(one.rule, one.subject) for one in changes}, advice
