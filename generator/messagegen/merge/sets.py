"""Sets of specs as one set: for each message all versions that any of them has."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from messagegen.evolve.changes import BreakingChange
from messagegen.evolve.compare import compare_specs, parse_texts
from messagegen.fmt import format_spec
from messagegen.merge.message import Source, merge_messages
from messagegen.merge.ranges import CannotMergeError
from messagegen.merge.raw import COMMENT, Raw, raw_of
from messagegen.spec import parse
from messagegen.spec.model import MessageKind, MessageSpec


@dataclass(frozen=True, slots=True)
class SpecSet:
    """Specs by file, and the name of the set, such as ``kafka:3.9.2``."""

    label: str
    texts: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Refused:
    """A message that can't be merged."""

    message: str
    older: str
    reason: str


@dataclass(frozen=True, slots=True)
class Merged:
    """The merged specs by file, messages that could not be merged, and where two sets disagree about bytes."""

    texts: Mapping[str, bytes]
    refused: tuple[Refused, ...]
    differences: tuple[tuple[str, BreakingChange], ...]


@dataclass(slots=True)
class _Message:
    file: str
    source: Source


def merge_sets(sets: Sequence[SpecSet]) -> Merged:
    """Merges sets, from the oldest to the newest. Raises ``SpecError`` for specs that can't be read."""
    parsed = [(each, {spec.name: spec for spec in parse_texts(each.texts)}) for each in sets]
    messages: dict[str, _Message] = {}
    refused: list[Refused] = []
    for each, specs in reversed(parsed):
        for name, spec in specs.items():
            older = Source(spec, {"flexibleVersions": "none"} | raw_of(each.texts[spec.file]), each.label)
            known = messages.get(name) or _renamed(spec, specs, messages)
            if known is None:
                messages[name] = _Message(spec.file, older)
                continue
            try:
                raw = merge_messages(known.source, older)
                if raw is not None:
                    known.source = _read(raw, known.file)
            except CannotMergeError as error:
                refused.append(Refused(name, each.label, str(error)))
    texts = {each.file: format_spec(text_of(each.source.raw), each.file) for each in messages.values()}
    return Merged(texts, tuple(refused), tuple(_differences(parsed, messages)))


def _renamed(spec: MessageSpec, specs: Mapping[str, MessageSpec], messages: Mapping[str, _Message]) -> _Message | None:
    """The request or response that has the API key of ``spec`` under a newer name."""
    if spec.kind not in (MessageKind.REQUEST, MessageKind.RESPONSE):
        return None
    for name, known in messages.items():
        if name not in specs and (known.source.spec.kind, known.source.spec.api_key) == (spec.kind, spec.api_key):
            return known
    return None


def _read(raw: Raw, file: str) -> Source:
    read = parse(text_of(raw), file)
    if read.spec is None:
        errors = "; ".join(finding.message for finding in read.findings if finding.severity == "error")
        raise CannotMergeError(errors)
    return Source(read.spec, raw, "the merged specs")


def _differences(
    parsed: Sequence[tuple[SpecSet, Mapping[str, MessageSpec]]], messages: Mapping[str, _Message]
) -> Iterator[tuple[str, BreakingChange]]:
    merged = [each.source.spec for each in messages.values()]
    for each, specs in parsed:
        for change in compare_specs(list(specs.values()), merged):
            if "WIRE" in change.categories:
                yield each.label, change


def text_of(raw: Raw) -> bytes:
    """The JSON text of a value, with its comments."""
    return "\n".join(_lines(raw)).encode()


def _lines(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (f"// {line}" for line in str(value.get(COMMENT) or "").splitlines() if line)
        yield "{"
        items = [(key, each) for key, each in value.items() if key != COMMENT]
        yield from _items((f"{json.dumps(key)}: ", each) for key, each in items)
        yield "}"
    elif isinstance(value, list):
        yield "["
        yield from _items(("", each) for each in value)
        yield "]"
    else:
        yield json.dumps(value, ensure_ascii=False)


def _items(items: Iterable[tuple[str, object]]) -> Iterator[str]:
    every = list(items)
    for number, (start, value) in enumerate(every):
        *before, first = _until_value(lines := list(_lines(value)))
        rest = lines[len(before) + 1 :]
        yield from before
        following = [start + first, *rest]
        following[-1] += "," if number < len(every) - 1 else ""
        yield from following


def _until_value(lines: Sequence[str]) -> Sequence[str]:
    """The comments in front of a value, and the first line of the value."""
    count = next(number for number, line in enumerate(lines) if not line.startswith("// "))
    return lines[: count + 1]
