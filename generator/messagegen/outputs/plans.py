"""The output ``plans``: a file with the plan of each message, for programs that have no generated classes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from messagegen.outputs.output import File, Inputs, Options, Output
from messagegen.plan.text import plan_text


def _files(inputs: Inputs, _: Options) -> Mapping[str, File]:
    return {f"plans/{plan.name}.plan": File(partial(plan_text, plan)) for plan in inputs.messages}


PLANS: Final = Output(name="plans", about="the plan of each message, for Spark's functions in SQL", files=_files)
