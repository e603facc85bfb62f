"""Specs to plans."""

from __future__ import annotations

from messagegen.plan.build import build_plan
from messagegen.plan.check import check_plan
from messagegen.plan.ops import MessagePlan
from messagegen.spec.model import MessageSpec


def checked_plan(spec: MessageSpec) -> MessagePlan:
    """The plan of a spec, with its invariants checked."""
    plan = build_plan(spec)
    check_plan(plan)
    return plan
