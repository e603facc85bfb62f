"""Specs to plans."""

from __future__ import annotations

from collections.abc import Iterable

from messagegen.outputs import Inputs
from messagegen.plan.build import build_plan
from messagegen.plan.error_codes import build_error_codes
from messagegen.spec.error_codes import ErrorCodesSpec
from messagegen.spec.model import MessageSpec


def inputs_of(messages: Iterable[MessageSpec], error_codes: ErrorCodesSpec | None = None) -> Inputs:
    """The inputs that outputs are rendered from."""
    plans = tuple(sorted(map(build_plan, messages), key=lambda plan: plan.name))
    return Inputs(plans, None if error_codes is None else build_error_codes(error_codes))
