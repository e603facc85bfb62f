from __future__ import annotations

from messagegen import outputs
from messagegen.outputs import Inputs
from messagegen.plan.text import plan_text
from tests.support.specs import PURPOSE_MADE, plans


def test_each_message_has_a_file_with_the_text_of_its_plan() -> None:
    messages = tuple(plans(PURPOSE_MADE).values())
    files = outputs.files(Inputs(messages), ["plans"])
    assert {path: file.render() for path, file in files.items()} == {
        f"plans/{plan.name}.plan": plan_text(plan) for plan in messages
    }
