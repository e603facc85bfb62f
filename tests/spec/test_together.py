from __future__ import annotations

import json
from typing import Any

import pytest

from messagegen.spec import check_together, parse
from messagegen.spec.model import MessageSpec
from tests.spec.building import message


def spec(file: str, name: str, **properties: Any) -> MessageSpec:
    parsed = parse(json.dumps(message(name=name, **properties)), file)
    assert parsed.spec is not None
    return parsed.spec


def test_specs_without_common_names_or_keys_have_no_findings() -> None:
    specs = [
        spec("a.json", "ARequest", type="request", apiKey=1),
        spec("b.json", "AResponse", type="response", apiKey=1),
        spec("c.json", "BRequest", type="request", apiKey=2),
        spec("d.json", "CRequest", type="request", apiKey=3),
        spec("e.json", "DRequest", type="request", apiKey=4),
        spec("f.json", "FirstKey", type="coordinator-value", apiKey=1),
        spec("g.json", "SecondKey", type="coordinator-value", apiKey=1),
        spec("h.json", "FirstRecord", type="metadata", apiKey=1),
        spec("i.json", "SecondRecord", type="metadata", apiKey=1),
    ]
    assert check_together(specs) == ()
    assert check_together([]) == ()


@pytest.mark.parametrize("turned", [False, True])
def test_clashes_are_reported_in_the_file_with_the_later_name(turned: bool) -> None:
    specs = [spec("b.json", "Example"), spec("a.json", "Example"), spec("c.json", "EXAMPLE")]
    findings = check_together(specs[::-1] if turned else specs)
    assert [(finding.file, finding.rule) for finding in findings] == [
        ("b.json", "MESSAGE_NAME_UNIQUE"),
        ("c.json", "MESSAGE_NAME_UNIQUE"),
    ]
    assert "a.json" in findings[0].message
    assert "case" in findings[1].instead
