"""Checks lines with a release's own Java classes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tests.conformance.kit.facts import java_facts
from tests.conformance.kit.messages import Line, Message, json_text
from tests.conformance.kit.refused import refused_of
from tests.oracle import Answer, Oracle, Question

Content = dict[str, Any]
"""A line without the releases that it is about."""


class KitError(RuntimeError):
    """Java's classes disagree with lines."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Bytes that the reference codec refuses; ``error`` is Java's exception, or ``None`` if Java accepts them."""

    content: Content
    error: str | None


def checked_lines(release: str, oracle: Oracle, messages: Sequence[Message]) -> list[Content]:
    """Return the valid lines of a release. Raise ``KitError`` if its classes disagree with one of them."""
    with_json = has_json(oracle, messages)
    asked = [(message, line, with_json[message.plan.name]) for message in messages for line in message.lines]
    decoded = oracle.ask_all(
        Question("reencode", line.message, line.version, hex=line.data.hex()) for _, line, _ in asked
    )
    encodable = [(line, can) for _, line, can in asked if can and not line.unknown_tags]
    encoded = oracle.ask_all(Question("encode", line.message, line.version, json=line.json) for line, _ in encodable)
    readable = [not _cannot_read_records(answer) for answer in decoded]
    wrong = [
        text
        for (_, line, _), answer, can in zip(asked, decoded, readable, strict=True)
        if can
        for text in decode_faults(line, answer)
    ]
    for (line, _), answer in zip(encodable, encoded, strict=True):
        wrong += encode_faults(line, answer)
    if wrong:
        raise KitError(f"{len(wrong)} lines differ from Kafka {release}: " + "\n".join(wrong[:20]))
    headers = header_versions(release, messages)
    return [_content(message, line, headers) for (message, line, _), can in zip(asked, readable, strict=True) if can]


def has_json(oracle: Oracle, messages: Sequence[Message]) -> dict[str, bool]:
    """Return for each message whether the release has a JsonConverter for it."""
    names = [message.plan.name for message in messages]
    answers = oracle.ask_all(Question("info", name) for name in names)
    return {name: bool(answer.parts.get("has_json")) for name, answer in zip(names, answers, strict=True)}


def decode_faults(line: Line, answer: Answer) -> Iterator[str]:
    """Yield how Java's decoded JSON and re-encoded bytes differ from a line. Releases before 2.7 return no JSON."""
    where = f"{line.message} version {line.version}, {line.shape}"
    if answer.error is not None:
        yield f"{where}: {answer.error}"
    elif answer.hex != line.again.hex() or answer.trailing:
        yield f"{where}: Java writes {answer.hex[:200]}, the line has {line.again.hex()[:200]}"
    elif "json" in answer.parts and _text(answer.json) != _text(line.json):
        yield f"{where}: Java reads {_text(answer.json)[:300]}, the line has {_text(line.json)[:300]}"


def encode_faults(line: Line, answer: Answer) -> Iterator[str]:
    """Yield how Java's encoding of the JSON differs from a line."""
    if "expected Base64-encoded binary data" in (answer.error or ""):
        # The converters of 2.7 and 2.8 can't read records.
        return
    if answer.error is not None or answer.hex != line.again.hex():
        yield f"{line.message} version {line.version}, {line.shape}: encoding the JSON gives {str(answer.parts)[:300]}"


def header_versions(release: str, messages: Sequence[Message]) -> dict[tuple[str, int], int]:
    """Return the header version of each request and response. Raise ``KitError`` if Java's differs."""
    pairs = [
        (message, version, header)
        for message in messages
        for version in message.plan.valid_versions
        if (header := message.header_version(version)) is not None
    ]
    found = java_facts(release, [message.about(version) for message, version, _ in pairs])
    wrong = [
        f"{message.plan.name} version {version}: Java has header {answer}, our plan {header}"
        for (message, version, header), answer in zip(pairs, found, strict=True)
        if answer.get("header_version") != header
    ]
    if wrong:
        raise KitError(f"Kafka {release}: " + "\n".join(wrong[:20]))
    return {(message.plan.name, version): header for message, version, header in pairs}


def checked_refusals(oracle: Oracle, messages: Sequence[Message]) -> Iterator[Refused]:
    """Yield the refused bytes of a release's messages, with Java's answers."""
    asked = [(message, *one) for message in messages for one in refused_of(message)]
    answers = oracle.ask_all(Question("read", m.plan.name, version, hex=data.hex()) for m, version, _, data in asked)
    for (message, version, reason, data), answer in zip(asked, answers, strict=True):
        if not _cannot_read_records(answer):
            yield Refused({**message.about(version), "reason": reason, "hex": data.hex()}, answer.error)


def _cannot_read_records(answer: Answer) -> bool:
    """Whether a release can't read records from plain bytes. Such an answer shows nothing about a line (Kafka 2.7)."""
    return "Cannot read records from reader" in (answer.error or "")


def _content(message: Message, line: Line, headers: dict[tuple[str, int], int]) -> Content:
    again = {} if line.again == line.data else {"again": line.again.hex()}
    return {
        **message.about(line.version),
        "header_version": headers.get((line.message, line.version)),
        "shape": line.shape,
        "unknown_tags": line.unknown_tags,
        "json": line.json,
        "hex": line.data.hex(),
        **again,
    }


def _text(value: Any) -> str:
    return json_text(json.loads(json.dumps(value, sort_keys=True)))
