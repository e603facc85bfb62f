"""Compares the answers of a peer with the lines, and groups what differs into classes of faults."""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, cast
from uuid import UUID

from tests.peers.lines import Line

WRONG: Final = "wrong bytes"
REFUSED: Final = "refused valid bytes"
ACCEPTED: Final = "accepted invalid bytes"
KINDS: Final = (WRONG, REFUSED, ACCEPTED)

_MOST_CLASSES: Final = 10
_LONGEST: Final = 120
_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Fault:
    """A class of faults: how often it occurs, and the example with the fewest bytes."""

    kind: str
    about: str
    count: int
    message: str
    version: int
    hex: str
    found: str
    java: str


def judge(lines: Sequence[Line], answers: Sequence[Mapping[str, Any]], op: str) -> dict[str, Any]:
    """Return the numbers of one peer and its classes of faults, the most frequent first."""
    supported: set[tuple[str, int]] = set()
    checks = 0
    found: dict[tuple[str, str], list[tuple[Line, str]]] = {}
    for line, answer in zip(lines, answers, strict=True):
        if "unsupported" in answer:
            continue
        supported.add((line.message, line.version))
        checks += 1
        if fault := _fault(line, answer, op):
            kind, about, text = fault
            found.setdefault((kind, about), []).append((line, text))
    faults = sorted(_faults(found), key=lambda fault: (-fault.count, fault.kind, fault.about))
    counts = Counter({kind: sum(fault.count for fault in faults if fault.kind == kind) for kind in KINDS})
    return {
        "messages": len({message for message, _ in supported}),
        "versions": len(supported),
        "checks": checks,
        **{kind: counts[kind] for kind in KINDS},
        "classes": len(faults),
        "faults": [asdict(fault) for fault in faults[:_MOST_CLASSES]],
    }


def _faults(found: Mapping[tuple[str, str], Sequence[tuple[Line, str]]]) -> Iterator[Fault]:
    for (kind, about), cases in found.items():
        line, text = min(cases, key=lambda case: (len(case[0].hex), case[0].message, case[0].version))
        java = line.java or "decodes these bytes and writes the same"
        yield Fault(kind, about, len(cases), line.message, line.version, _short(line.hex), _short(text), _short(java))


def _fault(line: Line, answer: Mapping[str, Any], op: str) -> tuple[str, str, str] | None:
    """Return the kind of a fault, its class, and what the peer answered; ``None`` if the answer is right."""
    if line.java is not None:
        if "error" in answer:
            return None
        return ACCEPTED, line.about, f"writes {answer['hex']}" if op == "reencode" else "returns values"
    if "error" in answer:
        error = str(answer["error"])
        return REFUSED, _class_of(error), error
    if op == "decode":
        missing = Counter(_values(line.json)) - Counter(_values(answer["json"]))
        return (WRONG, line.about, f"lacks {', '.join(sorted(missing)[:3])}") if missing else None
    return None if answer["hex"] == line.hex else (WRONG, line.about, f"writes {answer['hex']}")


def _values(value: object) -> Iterator[str]:
    """Yield all values in a JSON value as text, without names: libraries name fields differently."""
    if isinstance(value, Mapping):
        for inside in cast("Mapping[str, object]", value).values():
            yield from _values(inside)
    elif isinstance(value, list):
        for inside in cast("Sequence[object]", value):
            yield from _values(inside)
    elif isinstance(value, str) and _UUID.fullmatch(value):
        yield base64.urlsafe_b64encode(UUID(value).bytes).decode("ascii").rstrip("=")
    elif value is not None and value != "":
        yield str(value)


def _class_of(error: str) -> str:
    """Return an error without the numbers and names that differ between cases."""
    return _short(re.sub(r"\d+", "N", re.sub(r"(['\"]).*?\1|b'.*", "...", error.splitlines()[0] if error else "")), 60)


def _short(text: str, longest: int = _LONGEST) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= longest else f"{plain[:longest]}..."
