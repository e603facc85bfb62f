"""Matches requests and responses by their API key."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from messagegen.plan.ops import MessagePlan
from messagegen.spec.model import MessageKind

KINDS: Final = tuple(kind.value for kind in MessageKind)
"""The kinds of messages."""

_PARTNER: Final = {"request": "response", "response": "request"}


def partners(plans: Iterable[MessagePlan]) -> dict[str, MessagePlan]:
    """Return the response of each request and the request of each response, by message name.

    Messages without a partner are omitted.
    """
    plans = list(plans)
    keyed = (plan for plan in plans if plan.kind in _PARTNER and plan.api_key is not None)
    by_key = {(_PARTNER[plan.kind], plan.api_key): plan for plan in keyed}
    return {plan.name: by_key[plan.kind, plan.api_key] for plan in plans if (plan.kind, plan.api_key) in by_key}
