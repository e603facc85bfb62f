"""The advice of each style rule works: if it is followed in the rule's bad specs, fewer findings remain."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from messagegen.findings import Finding
from messagegen.jsonc import parse_json, plain
from messagegen.lint import RULE_NAMES, lint
from tests.lint.rule_specs import FOLDER, IDS, texts_of
from tests.support.advice import edits

Texts = Mapping[str, bytes]

BY_HAND: dict[str, tuple[str, str]] = {
    "FIELD_ABOUT_UNIQUE": ('"The key."', '"The value."'),
    "FIELD_ABOUT_WRITTEN": ('"versions": "0+" }', '"versions": "0+", "about": "What it is." }'),
    "FIELD_NAME_NOT_RESERVED": ('"From"', '"FromOffset"'),
    "IGNORE_RULE_KNOWN": ("ignore FIELD_ABOUT because its name says all\n", "\n"),
    "IGNORE_USED": ("// messagegen:ignore FIELD_ABOUT_WRITTEN because its name says all\n", "\n"),
    "IGNORE_WITH_REASON": ("// messagegen:ignore FIELD_ABOUT_WRITTEN\n", "\n"),
    "LATEST_VERSION_FLEXIBLE": ('"none"', '"0+"'),
    "MAP_KEY_NOT_NULLABLE": (', "nullableVersions": "1+"', ""),
    "MESSAGE_ABOUT_WRITTEN": ("{\n", '{\n  "about": "What was made.",\n'),
    "MESSAGE_NAME_NOT_RESERVED": ('"Import"', '"ImportRecord"'),
}
"""An edit for each rule whose advice is prose: the text to replace, at one of the rule's findings, and the new text."""


def repairs(finding: Finding, texts: Texts) -> Iterator[Texts]:
    """Yield the specs after each edit that the advice describes. Files are always named after their messages."""
    file, text = finding.file, texts[finding.file].decode()
    if finding.rule == "API_KEY_NOT_KAFKAS":
        # A request and its response share one key, so both change.
        yield {name: data.replace(b'"apiKey": 3,', b'"apiKey": 1000,') for name, data in texts.items()}
    elif finding.rule in BY_HAND:
        old, new = BY_HAND[finding.rule]
        if old in text.splitlines()[finding.line - 1] + "\n":
            yield renamed({**texts, file: text.replace(old, new, 1).encode()})
    elif finding.rule == "MESSAGE_FILE_NAME":
        yield {finding.instead.removeprefix("rename the file to "): texts[file]}
    elif finding.rule == "FIELD_NAME_CASE":
        # The name of a struct is also part of a field's type, so all occurrences change.
        old, new = finding.message.split('"')[1], finding.instead.split('"')[1]
        yield {**texts, file: text.replace(old, new).encode()}
    else:
        for repaired in edits(finding, plain(parse_json(text).root.value)):
            yield renamed({**texts, file: json.dumps(repaired).encode()})


def renamed(texts: Texts) -> Texts:
    """Return the specs, with each file named after its message."""
    specs: list[Any] = [plain(parse_json(data).root.value) for data in texts.values()]
    return {f"{spec['name']}.json": data for spec, data in zip(specs, texts.values(), strict=True)}


def places(findings: tuple[Finding, ...]) -> set[tuple[str, str, str]]:
    return {(one.rule, one.json_path, one.message) for one in findings}


@pytest.mark.parametrize("rule", IDS)
def test_the_advice_about_bad_specs_can_be_followed(rule: str) -> None:
    texts = texts_of(FOLDER / rule.lower() / "bad")
    findings = lint(texts, RULE_NAMES.select())
    tried = 0
    for finding in findings:
        for after in repairs(finding, texts):
            tried += 1
            left = lint(after, RULE_NAMES.select())
            assert len(left) < len(findings), (str(finding), after)
            assert places(left) < places(findings), (str(finding), [str(one) for one in left])
    assert tried, f"add an edit to BY_HAND that does this: {findings[0].instead}"
