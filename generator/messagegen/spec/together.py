"""Checks specs in the same output against each other."""

from __future__ import annotations

from collections.abc import Sequence

from messagegen.findings import Finding, quoted
from messagegen.spec.model import MessageKind, MessageSpec
from messagegen.spec.report import finding_at
from messagegen.spec.rules import Rule

_DISPATCHED = (MessageKind.REQUEST, MessageKind.RESPONSE)
"""Only requests and responses: coordinator keys, values and metadata records use the same API keys in several Kafka modules."""


def check_together(specs: Sequence[MessageSpec]) -> tuple[Finding, ...]:
    """The findings about specs in the same package.

    Names must differ by more than case and underscores, because each becomes the name of a module. The API keys of requests must
    differ, and so must those of responses (upstream: ``ApiMessageTypeGenerator``). Each finding is at the later spec in file order.
    """
    findings: list[Finding] = []
    names: dict[str, MessageSpec] = {}
    keys: dict[tuple[MessageKind, int], MessageSpec] = {}
    for spec in sorted(specs, key=lambda spec: (spec.file, spec.name)):
        first = names.setdefault(spec.name.replace("_", "").lower(), spec)
        if first is not spec:
            message = f"duplicate message {quoted(spec.name)}, also in {first.file}"
            if first.name != spec.name:
                only = "case" if first.name.lower() == spec.name.lower() else "case and underscores"
                message = f"message {quoted(spec.name)} and {quoted(first.name)} in {first.file} differ in {only} only"
            findings.append(
                finding_at(spec, "name", Rule.MESSAGE_NAME_UNIQUE.name, message, "rename or remove one of them")
            )
            continue
        if spec.api_key is None or spec.kind not in _DISPATCHED:
            continue
        first = keys.setdefault((spec.kind, spec.api_key), spec)
        if first is not spec:
            message = (
                f"duplicate API key {spec.api_key}: {spec.kind.value} {quoted(spec.name)} and {quoted(first.name)}"
            )
            findings.append(
                finding_at(spec, "apiKey", Rule.API_KEY_UNIQUE.name, message, "change the API key of one of them")
            )
    return tuple(sorted(findings))
