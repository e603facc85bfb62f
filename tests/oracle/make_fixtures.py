"""Rewrites the fixtures with Apache's own classes: ``python -m tests.oracle.make_fixtures``.

The output is the same on every run; it changes only with the specs, the Kafka release or the value makers.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from tests.oracle import TOOLS_RELEASE, Oracle, OracleError, Question, build_made_up, official_specs
from tests.oracle.damage import mutate, spoil
from tests.oracle.fixtures import (
    DAMAGED,
    MADE_UP_MESSAGES,
    MADE_UP_SPECS,
    OFFICIAL_MESSAGES,
    OWN_MESSAGES,
    Row,
    write_rows,
)
from tests.oracle.made_up import made_up_text
from tests.oracle.mini_reader import MiniSpec, read_spec
from tests.oracle.values import Mode, Sample, sample, samples

MADE_UP_COUNT: Final = 40
_MESSAGE_SPECS: Final = Path(__file__).resolve().parents[2] / "message_specs"
_LONGEST_ERROR: Final = 200
_BOUNDARIES: Final[tuple[Mode, ...]] = ("empty", "lowest", "highest")


def main() -> None:
    """Write every fixture file; raise ``OracleError`` if Java refuses a value that should be valid."""
    official = [read_spec(text) for specs in official_specs().values() for text in specs.values()]
    with Oracle() as oracle:
        _write(OFFICIAL_MESSAGES, round_trips(oracle, (_question(spec, one) for spec, one in _compact(official))))
        _write(OWN_MESSAGES, round_trips(oracle, (_question(spec, one) for spec, one in _own(oracle))))
        _write(DAMAGED, damaged(oracle, official))
    made_up = write_made_up_specs()
    with tempfile.TemporaryDirectory() as scratch:
        build = build_made_up(MADE_UP_SPECS, Path(scratch))
        with Oracle(classes=[build.classes], release=TOOLS_RELEASE) as oracle:
            _write(MADE_UP_MESSAGES, round_trips(oracle, (_question(spec, one) for spec, one in _full(made_up))))


def write_made_up_specs() -> list[MiniSpec]:
    """Replace the committed made-up specs, and return them."""
    MADE_UP_SPECS.mkdir(parents=True, exist_ok=True)
    for stale in MADE_UP_SPECS.glob("*.json"):
        stale.unlink()
    specs = []
    for text in made_up_fixture_texts():
        specs.append(read_spec(text))
        (MADE_UP_SPECS / f"{specs[-1].name}.json").write_text(text, encoding="utf-8", newline="\n")
    return specs


def made_up_fixture_texts() -> list[str]:
    """Return the texts of the committed made-up specs, with line endings that git does not change."""
    return [made_up_text(seed).replace("\r\n", "\n") for seed in range(MADE_UP_COUNT)]


def round_trips(oracle: Oracle, questions: Iterable[Question]) -> Iterator[Row]:
    """Yield a row with the bytes that Java writes for each value, and the value that it reads back.

    There is only one row for equal bytes, and no row for bytes that Java itself cannot read (an array of empty
    structs). Raises ``OracleError`` for a value that Java does not write.
    """
    asked = list(questions)
    encoded: dict[tuple[str, int, str], None] = {}
    for question, answer in zip(asked, oracle.ask_all(asked), strict=True):
        if answer.error is not None:
            raise OracleError(f"{question.message} version {question.version}: {answer.error}\n{question.json}")
        encoded[question.message, question.version, answer.hex] = None
    again = [Question("reencode", message, version, hex=data) for message, version, data in encoded]
    for question, answer in zip(again, oracle.ask_all(again), strict=True):
        if answer.error is not None and "Tried to allocate a collection" in answer.error:
            continue
        row: Row = {"message": question.message, "version": question.version, "json": answer.json, "hex": question.hex}
        if answer.hex != question.hex:
            raise OracleError(f"Java's bytes change on the way through Java: {row}")
        yield row | ({"unknown": answer.unknown} if answer.unknown else {})


def damaged(oracle: Oracle, specs: Sequence[MiniSpec]) -> Iterator[Row]:
    """Yield Java's answers to one damaged encoding and one invalid JSON value for every live message and version."""
    good = [
        (spec, sample(spec, version, "mixed", seed="damaged", budget=100))
        for spec in specs
        for version in spec.versions
    ]
    encoded = [answer.hex for answer in oracle.ask_all(_question(spec, one) for spec, one in good)]
    asked: list[tuple[str, Question]] = []
    for (spec, one), data in zip(good, encoded, strict=True):
        source = random.Random(f"{spec.name}/{one.version}")
        for how, hex_text in source.sample(list(mutate(data)), 1):
            asked.append((how, Question("reencode", spec.name, one.version, hex=hex_text)))
        spoiled = list(spoil(spec, one))
        for how, json in source.sample(spoiled, min(1, len(spoiled))):
            asked.append((how, Question("encode", spec.name, one.version, json=json)))
    for (how, question), answer in zip(asked, oracle.ask_all(question for _, question in asked), strict=True):
        parts = {"error": answer.error[:_LONGEST_ERROR]} if answer.error is not None else dict(answer.parts)
        given: Row = {"json": question.json} if question.op == "encode" else {"hex": question.hex}
        yield {
            "op": question.op,
            "how": how,
            "message": question.message,
            "version": question.version,
            **given,
            "answer": parts,
        }


def _compact(specs: Sequence[MiniSpec]) -> Iterator[tuple[MiniSpec, Sample]]:
    for spec in specs:
        for version in spec.versions:
            boundary = random.Random(f"{spec.name}/{version}").choice(_BOUNDARIES)
            yield spec, sample(spec, version, boundary, budget=300)
            yield spec, sample(spec, version, "mixed", budget=800)


def _full(specs: Sequence[MiniSpec]) -> Iterator[tuple[MiniSpec, Sample]]:
    for spec in specs:
        for version in spec.versions:
            yield from ((spec, one) for one in samples(spec, version, mixed=3, budget=1200))


def _own(oracle: Oracle) -> Iterator[tuple[MiniSpec, Sample]]:
    """Yield the repository's own messages that Kafka also has, in the versions that both have."""
    specs = [read_spec(file.read_text(encoding="utf-8")) for file in sorted(_MESSAGE_SPECS.glob("*.json"))]
    if not specs:
        raise OracleError(f"no specs in {_MESSAGE_SPECS}")
    answers = list(oracle.ask_all(Question("info", spec.name) for spec in specs))
    for spec, answer in zip(specs, answers, strict=True):
        if answer.error is not None:
            click.echo(f"{spec.name}: no fixtures, because Kafka does not have it")
            continue
        for version in spec.versions:
            if answer.parts["lowest"] <= version <= answer.parts["highest"]:
                yield from ((spec, one) for one in samples(spec, version, mixed=4, budget=1200))


def _question(spec: MiniSpec, one: Sample) -> Question:
    return Question("encode", spec.name, one.version, json=one.json, unknown=one.unknown)


def _write(file: Path, rows: Iterable[Row]) -> None:
    counted: Counter[tuple[str, int]] = Counter()

    def counting() -> Iterator[Row]:
        for row in rows:
            counted[row["message"], row["version"]] += 1
            yield row

    write_rows(file, counting())
    pairs, size = len(counted), file.stat().st_size
    click.echo(f"{file.name}: {counted.total()} rows, {pairs} pairs of message and version, {size:,} bytes")


if __name__ == "__main__":
    main()
