from __future__ import annotations

import re

import pytest

from messagegen.spec import PURPOSES


@pytest.mark.parametrize("rule", PURPOSES)
def test_id_and_purpose_explain_themselves(rule: str) -> None:
    assert re.fullmatch(r"[A-Z0-9]+(_[A-Z0-9]+)+", rule)
    assert re.fullmatch(r"Checks that [^.]*(\.[^. ][^.]*)*\.", PURPOSES[rule])


def test_the_number_of_rules_is_known() -> None:
    # A rule is added or removed on purpose: its bad specs, its golden messages and the documentation go with it.
    assert len(PURPOSES) == 47
