from __future__ import annotations

import re

import pytest

from messagegen.spec import Rule


@pytest.mark.parametrize("rule", Rule)
def test_id_and_purpose_explain_themselves(rule: Rule) -> None:
    assert re.fullmatch(r"[A-Z0-9]+(_[A-Z0-9]+)+", rule.name)
    assert re.fullmatch(r"Checks that [^.]*(\.[^. ][^.]*)*\.", rule.value.replace("...", ""))


def test_the_number_of_rules_is_known() -> None:
    # A rule is added or removed on purpose: its bad specs, its golden messages and the documentation go with it.
    assert len(Rule) == 87
