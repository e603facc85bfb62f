"""Plans to text: lowered, checked and printed."""

from __future__ import annotations

from collections.abc import Sequence

from messagegen.lower import lower
from messagegen.lower.check import check_module
from messagegen.lower.package import lower_error_codes, lower_package
from messagegen.plan.error_codes import ErrorCodesPlan
from messagegen.plan.ops import MessagePlan
from messagegen.render import render_error_codes, render_message, render_package


def message_text(plan: MessagePlan, partner: MessagePlan | None = None) -> str:
    """The module of one message; ``partner`` is the response of a request or the request of a response, where there is one."""
    module = lower(plan, partner)
    check_module(plan, module)
    return render_message(module)


def package_text(plans: Sequence[MessagePlan], *, with_error_codes: bool = False) -> str:
    """The package's ``__init__``."""
    return render_package(lower_package(plans, with_error_codes=with_error_codes))


def error_codes_text(plan: ErrorCodesPlan) -> str:
    """The module of the error codes."""
    return render_error_codes(lower_error_codes(plan))
