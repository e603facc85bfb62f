from __future__ import annotations

import re

import pytest

from messagegen.spec import PURPOSES


@pytest.mark.parametrize("rule", PURPOSES)
def test_ids_and_purposes_of_rules_have_the_documented_form(rule: str) -> None:
    assert re.fullmatch(r"[A-Z0-9]+(_[A-Z0-9]+)+", rule)
    assert re.fullmatch(r"Checks that [^.]*(\.[^. ][^.]*)*\.", PURPOSES[rule])


def test_the_number_of_rules_is_recorded() -> None:
    # If a rule is added or removed, its bad specs, golden files and documentation must change, too.
    assert len(PURPOSES) == 47
