"""What the package around the modules offers, and the enum of error codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from messagegen.plan import error_codes
from messagegen.plan.ops import MessagePlan
from messagegen.plan.partners import KINDS

_RUNTIME: Final = {
    "DecodeError": "errors",
    "EncodeError": "errors",
    "Limits": "limits",
    "Message": "messages",
    "MessageError": "errors",
    "UnsupportedVersionError": "errors",
}
"""What packages offer of their runtime, with the module that it is in; a message of the same name goes before."""


@dataclass(frozen=True, slots=True)
class Package:
    """The package's ``__init__``: names with the modules that they are in, and classes with their kinds and api keys."""

    runtime: tuple[tuple[str, str], ...]
    names: tuple[tuple[str, str], ...]
    keys: tuple[tuple[str, str, int], ...]
    kinds: tuple[str, ...]
    public: tuple[str, ...]


def lower_package(plans: Sequence[MessagePlan], *, with_error_codes: bool = False) -> Package:
    """The package of these messages, which loads each on first use."""
    ordered = sorted(plans, key=lambda plan: plan.name)
    names = {plan.class_name(): plan.module for plan in ordered}
    if with_error_codes:
        names = dict(sorted({**names, error_codes.CLASS_NAME: error_codes.MODULE}.items()))
    runtime = tuple((name, module) for name, module in _RUNTIME.items() if name not in names)
    return Package(
        runtime=runtime,
        names=tuple(names.items()),
        # By name, a line each: where new messages with new keys all came last, branches that add some would not merge.
        keys=tuple((plan.class_name(), plan.kind, plan.api_key) for plan in ordered if plan.api_key is not None),
        kinds=KINDS,
        public=tuple(sorted([*names, *(name for name, _ in runtime), "message_classes"])),
    )


@dataclass(frozen=True, slots=True)
class ErrorCodes:
    """The enum: name, code and meaning of each member, and the codes of those where trying again may help."""

    members: tuple[tuple[str, int, str], ...]
    retriable: tuple[int, ...]


def lower_error_codes(plan: error_codes.ErrorCodesPlan) -> ErrorCodes:
    """The module of the error codes."""
    return ErrorCodes(
        tuple((member.name, member.code, member.about) for member in plan.members),
        tuple(member.code for member in plan.members if member.retriable),
    )
