"""What some bytes consist of: a body alone, or with a header and a size before it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from messagegen.explain.explanation import Explanation, Stop, explained, may_be_sensitive
from messagegen.record_types import RecordType
from messagegen.runtime import DEFAULT_LIMITS, Limits
from messagegen.runtime.plans import Plan

HEADERS: Final = {"request": "RequestHeader", "response": "ResponseHeader"}
"""The message before the body, by the kind of the body."""


class Messages(Protocol):
    """The messages that bytes can hold."""

    def plan(self, name: str) -> Plan:
        """The plan of a message, with its classes. Raises ``UsageError`` for an unknown one."""
        ...

    def named(self, kind: str, api_key: int) -> Sequence[str]:
        """The names of the messages of a kind that have an API key."""
        ...

    def record_types(self, family: str) -> Iterable[RecordType]:
        """The types of records of a family."""
        ...


def explain_body(data: bytes, plan: Plan, version: int, limits: Limits = DEFAULT_LIMITS) -> Explanation:
    """Explains the bytes of a message in a version that it has."""
    return explained(data, lambda found: found.message(plan, version), limits)


def explain_request(data: bytes, messages: Messages, name: str | None = None, *, sized: bool = False) -> Explanation:
    """Explains a request with its header, which names the message and its version; ``sized`` if 4 bytes of size come first.

    ``name`` is the message if several have its API key. Raises ``UsageError`` where the header is not among the messages.
    """

    def read(found: Explanation) -> None:
        size = found.number("size", "int32") if sized else None
        _header_and_body(found, messages, *_named_by_header(found, messages, name), size)

    return explained(data, read)


def explain_response(data: bytes, messages: Messages, plan: Plan, version: int, *, sized: bool = False) -> Explanation:
    """Explains a response with its header, in the version of the request; otherwise as ``explain_request``."""

    def read(found: Explanation) -> None:
        size = found.number("size", "int32") if sized else None
        _header_and_body(found, messages, plan, version, size)

    return explained(data, read)


def versions_text(plan: Plan) -> str:
    """The versions of a message as errors say them."""
    return f"{plan.name} has versions {plan.valid_versions[0]} to {plan.valid_versions[-1]}"


def _named_by_header(found: Explanation, messages: Messages, name: str | None) -> tuple[Plan, int]:
    """The message and the version that a request's header names; all headers begin with both."""
    # They are read once more with the header, whose version follows from them.
    first = Explanation(found.data, found.limits, end=found.end)
    try:
        api_key = first.number("request_api_key", "int16")
        version = first.number("request_api_version", "int16")
        names = messages.named("request", api_key)
        if name is not None and name not in names:
            raise first.stop(f"the header has API key {api_key}, but {name} has another one", found.end)
        if name is None and len(names) != 1:
            which = " and ".join(names) or "no request"
            raise first.stop(f"{which} of these specs {'have' if names else 'has'} API key {api_key}", found.end)
        plan = messages.plan(name or names[0])
        if version not in plan.valid_versions:
            raise first.stop(f"{versions_text(plan)}, not {version}", found.end + 2)
    except Stop:
        found.nodes += first.nodes
        found.end, found.problem = first.end, first.problem
        # An unknown request may be a login.
        found.rest_is_sensitive = True
        raise
    return plan, version


def _header_and_body(found: Explanation, messages: Messages, plan: Plan, version: int, size: int | None) -> None:
    header = messages.plan(HEADERS[plan.kind])
    header_version = plan.cls.header_version(version)
    # What follows a header that can't be read is the body.
    found.rest_is_sensitive = may_be_sensitive(plan)
    found.message(header, header_version)
    found.message(plan, version)
    if size is not None and size != found.end - 4:
        found.stop(f"the size is {size}, but header and body have {found.end - 4} bytes", 0)
