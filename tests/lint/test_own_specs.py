"""The specs of this repository follow messagegen's own style rules and format."""

from __future__ import annotations

from messagegen.fmt import format_spec
from messagegen.lint import RULE_NAMES, lint
from tests.support.specs import OWN

TEXTS = {path.name: path.read_bytes() for path in sorted(OWN.glob("*.json"))}


def test_lint_finds_nothing_in_own_specs() -> None:
    assert [str(one) for one in lint(TEXTS, RULE_NAMES.select())] == []


def test_fmt_does_not_change_own_specs() -> None:
    assert [name for name, data in TEXTS.items() if format_spec(data, name) != data] == []
