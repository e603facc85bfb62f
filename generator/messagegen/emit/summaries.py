"""Summaries of messages and fields, for docstrings."""

from __future__ import annotations

from messagegen.plan import ops
from messagegen.versions import VersionRange


def summary(plan: ops.MessagePlan) -> str:
    """Return a message in one line."""
    kind = plan.kind if plan.kind in ("request", "response", "header") else f"{plan.kind} message"
    key = "" if plan.api_key is None else f", key {plan.api_key}"
    flexible = "" if plan.flexible_versions.empty else f", flexible in {plan.flexible_versions}"
    about = f" {plan.about}" if plan.about else ""
    return f"{plan.name}: {kind}{key}, {_versions(plan.valid_versions)}{flexible}.{about}"


def facts(plan: ops.MessagePlan, field: ops.FieldPlan) -> str:
    """Return facts about a field beyond its type and default in one line: versions, null, tag.

    A field without versions is in all versions of its message.
    """
    last = plan.valid_versions.highest
    partly = field.versions != plan.valid_versions
    parts: list[str] = []
    if partly:
        parts.append(_versions(field.versions, last))
    if not field.nullable_versions.empty:
        parts.append(f"may be null{_within(field, field.nullable_versions, last)}")
    if not field.tagged_versions.empty:
        parts.append(f"tag {field.tag}{_within(field, field.tagged_versions, last)}")
    if partly and field.ignorable:
        parts.append("ignorable")
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _within(field: ops.FieldPlan, versions: VersionRange, last: int) -> str:
    """Return ``versions`` as text with ``in``, or "" if they are all versions of the field."""
    return "" if versions == field.versions else f" in {_versions(versions, last)}"


def _versions(versions: VersionRange, last: int | None = None) -> str:
    """Return a range in Kafka's notation.

    It is open-ended if it includes the ``last`` version, so that a new version changes no other text.
    """
    if versions.empty:
        return "no version"
    if versions.highest == last:
        return f"versions {versions.lowest}+"
    return f"version {versions}" if versions.lowest == versions.highest else f"versions {versions}"
