"""The rules of Apache's generator for a message as a whole (upstream: ``MessageSpec``, ``MessageDataGenerator``), and for several in one output."""

from __future__ import annotations

from collections.abc import Sequence

from messagegen.findings import Finding, quoted
from messagegen.spec.model import MessageKind, MessageSpec, Place
from messagegen.spec.report import Report, finding_at, placed
from messagegen.spec.rules import Rule
from messagegen.versions import VersionRange

_DISPATCHED = (MessageKind.REQUEST, MessageKind.RESPONSE)
"""Only these have unique API keys: coordinator keys, values and metadata records use the same ones in several Kafka modules."""
_COORDINATOR = (MessageKind.COORDINATOR_KEY, MessageKind.COORDINATOR_VALUE)


def check_message(message: MessageSpec, report: Report) -> None:
    """Reports what is wrong with a message, apart from its fields."""
    if message.valid_versions.empty:
        return
    place = placed(message)
    _check_versions(message, place, report)
    if report.clean("type"):
        _check_api_key(message, place, report)
        _check_request_properties(message, place, report)
        if message.kind in _COORDINATOR:
            _check_coordinator(message, place, report)


def _check_versions(message: MessageSpec, place: Place, report: Report) -> None:
    if message.valid_versions.open_ended and report.clean("validVersions"):
        text = f"valid versions {message.valid_versions} are open-ended"
        instead = f'write "{message.valid_versions.lowest}-N", where N is the latest version'
        report.add_at(place, "validVersions", Rule.MESSAGE_VALID_VERSIONS_CLOSED, text, instead)
    flexible = message.flexible_versions
    if not flexible.empty and not flexible.open_ended:
        text = f"flexible versions {flexible} must be open-ended"
        report.add_at(
            place,
            "flexibleVersions",
            Rule.MESSAGE_FLEXIBLE_VERSIONS_OPEN_ENDED,
            text,
            f'write "{flexible.lowest}+" or "none"',
        )

    valid, deprecated = message.valid_versions, message.deprecated_versions
    if not report.clean("validVersions"):
        return
    if flexible.lowest > valid.highest:
        text = f"flexible versions {flexible} start after the last valid version, {valid.highest}"
        instead = 'write "none", or extend validVersions'
        rule = Rule.MESSAGE_FLEXIBLE_VERSIONS_MEET_VALID
        report.add_at(place, "flexibleVersions", rule, text, instead, severity="warning")
    if deprecated.lowest > valid.highest or not (deprecated.open_ended or valid.covers(deprecated)):
        text = f"deprecated versions {deprecated} are outside the valid versions, {valid}"
        rule, instead = Rule.MESSAGE_DEPRECATED_VERSIONS_WITHIN_VALID, "use valid versions"
        report.add_at(place, "deprecatedVersions", rule, text, instead)


def _check_api_key(message: MessageSpec, place: Place, report: Report) -> None:
    if message.kind in _DISPATCHED and message.api_key is None and report.clean("apiKey"):
        text = f"missing API key of {message.kind.value} {quoted(message.name)}"
        instead = 'write the number that identifies the request on the wire, such as "apiKey": 1000'
        report.add_at(place, "apiKey", Rule.REQUEST_API_KEY_WRITTEN, text, instead)


def _check_request_properties(message: MessageSpec, place: Place, report: Report) -> None:
    if message.kind is MessageKind.REQUEST:
        return
    kind = message.kind.value
    if message.listeners:
        text = f"listeners are not allowed on a message of type {kind}"
        report.add_at(place, "listeners", Rule.LISTENERS_ONLY_ON_REQUESTS, text, "write them in the request")
    if message.latest_version_unstable:
        name = "latestVersionUnstable"
        text = f"latestVersionUnstable is not allowed on a message of type {kind}"
        report.add_at(place, name, Rule.LATEST_VERSION_UNSTABLE_ONLY_ON_REQUESTS, text, "write it in the request")


def _check_coordinator(message: MessageSpec, place: Place, report: Report) -> None:
    kind = message.kind.value
    if message.api_key is None and report.clean("apiKey"):
        text = f"missing API key of {kind} {quoted(message.name)}"
        instead = 'write the record\'s type, such as "apiKey": 0'
        report.add_at(place, "apiKey", Rule.COORDINATOR_API_KEY_WRITTEN, text, instead)
    if message.kind is not MessageKind.COORDINATOR_KEY:
        return
    if message.valid_versions != VersionRange(0, 0) and report.clean("validVersions"):
        text = f"a {kind} must have only version 0, not {message.valid_versions}"
        instead = 'write "validVersions": "0"; a new layout needs a new API key'
        report.add_at(place, "validVersions", Rule.COORDINATOR_KEY_VERSION_ZERO, text, instead)
    if not message.flexible_versions.empty:
        text = f"a {kind} can't have flexible versions"
        instead = 'write "flexibleVersions": "none"'
        report.add_at(place, "flexibleVersions", Rule.COORDINATOR_KEY_NOT_FLEXIBLE, text, instead)


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
