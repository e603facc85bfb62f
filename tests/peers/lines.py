"""The lines that peers are held against: valid bytes and refused bytes, each confirmed by Apache's Java classes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from messagegen.plan.ops import MessagePlan
from messagegen.vectors import Vector, make_vectors
from tests.oracle.damage import mutate
from tests.oracle.jars import official_specs
from tests.oracle.oracle import Oracle, Question
from tests.support.specs import plans

_RECORDS: Final = frozenset({"ProduceRequest", "FetchResponse", "FetchSnapshotResponse", "ShareFetchResponse"})
"""Messages with record batches, which libraries also decode. The bytes of vectors are no batches."""
_DAMAGED: Final = frozenset({"typical", "edges"})
"""The shapes whose bytes are also damaged."""


@dataclass(frozen=True, slots=True)
class Line:
    """One message in one version as hex; ``about`` is the shape of valid bytes or the damage of refused bytes.

    Valid bytes have ``json``. ``java`` is the exception that Java raises for refused bytes.
    """

    message: str
    kind: str
    api_key: int
    version: int
    header_version: int
    about: str
    hex: str
    json: Any = None
    java: str | None = None

    def question(self, op: str) -> dict[str, Any]:
        """Return the line as a request of the conformance protocol, with what a library needs to find the message."""
        parts = asdict(self)
        for name in ("about", "json", "java"):
            del parts[name]
        return {"op": op, **parts}


def write_specs(folder: Path) -> None:
    """Write the specs of all requests and responses in the oracle's release to a folder."""
    for name, text in official_specs()["kafka-clients"].items():
        (folder / f"{name}.json").write_text(text, encoding="utf-8")


def official_lines(folder: Path, oracle: Oracle) -> Iterator[Line]:
    """Yield the lines of the requests and responses in a folder of specs, in the order of names and versions."""
    for plan in plans(folder).values():
        if plan.api_key is not None and plan.name not in _RECORDS:
            yield from lines_of(plan, oracle)


def lines_of(plan: MessagePlan, oracle: Oracle) -> Iterator[Line]:
    """Yield the lines of one request or response: vectors that Java re-encodes, and damaged bytes that Java refuses."""
    for vector in make_vectors([plan]):
        line = _line(plan, vector)
        damaged = _damaged(vector)
        asked = [line.hex, *(data for _, data in damaged)]
        answers = oracle.ask_all(Question("reencode", plan.name, vector.version, hex=data) for data in asked)
        if answers[0].parts.get("hex") == line.hex:
            yield line
        for (about, data), answer in zip(damaged, answers[1:], strict=True):
            if answer.error:
                yield Line(**{**asdict(line), "about": about, "hex": data, "json": None, "java": answer.error})


def _damaged(vector: Vector) -> list[tuple[str, str]]:
    """Return what was damaged and the damaged bytes as hex."""
    if vector.shape not in _DAMAGED or not vector.data:
        return []
    last = ("last byte missing", vector.data[:-1].hex())
    return [last, *(pair for pair in mutate(vector.data.hex()) if pair[0] != "extended")]


def _line(plan: MessagePlan, vector: Vector) -> Line:
    assert plan.api_key is not None
    header = next(number for versions, number in plan.header_versions if vector.version in versions)
    return Line(
        message=plan.name,
        kind=plan.kind,
        api_key=plan.api_key,
        version=vector.version,
        header_version=header,
        about=vector.shape,
        hex=vector.data.hex(),
        json=vector.json,
    )
