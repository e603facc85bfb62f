"""Compares messagegen with Apache's Java classes, message by message."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from messagegen.generation.loading import load_package
from tests.oracle import Oracle, Question
from tests.oracle.fixtures import Row
from tests.oracle.mini_reader import MiniSpec
from tests.oracle.values import Sample, sample

STRICTER: Final = {
    "bytes after the end": re.compile(r"extra bytes after the message: \d+"),
    "no UTF-8": re.compile(r"the string is not UTF-8"),
    "size of a known tag": re.compile(r"tag \d+ has \d+ bytes, but its value has"),
    "null for a struct": re.compile(r"expected an object, got None"),
    "more than 32 bits": re.compile(r"the varint has more than"),
    "tags that go on beyond the end": re.compile(r"the bytes end early|bytes are (needed|announced), but only"),
}
"""Input that Java's classes accept but ours reject, by kind (docs/design/006-strictness.md)."""


def canonical(value: object) -> str:
    """Return JSON as text, with sorted keys, so that NaN equals NaN."""
    return json.dumps(value, sort_keys=True)


def load_texts(folder: Path, texts: Iterable[tuple[str, str]]) -> ModuleType:
    """Write the given (name, text) specs into ``folder``, and return their classes."""
    for name, text in texts:
        (folder / f"{name}.json").write_text(text, encoding="utf-8")
    return load_package(folder)


def round_trip_differences(messages: ModuleType, rows: Iterable[Row]) -> Iterator[str]:
    """Yield the differences in decoding, encoding and re-encoding rows of message, version, JSON and hex."""
    for row in rows:
        name, version, data = row["message"], row["version"], bytes.fromhex(row["hex"])
        cls: Any = getattr(messages, name)
        decoded = cls.decode(data, version=version)
        if canonical(decoded.to_json(version=version)) != canonical(row["json"]):
            yield f"{name} {version}: {row['hex']} decodes to {decoded}, not {row['json']}"
        if decoded.encode(version=version) != data:
            yield f"{name} {version}: {row['hex']} encodes again as {decoded.encode(version=version).hex()}"
        if "unknown" not in row and cls.from_json(row["json"], version=version).encode(version=version) != data:
            yield f"{name} {version}: {row['json']} does not encode as {row['hex']}"


def java_rows(oracle: Oracle, samples: Iterable[tuple[MiniSpec, Sample]]) -> Iterator[Row]:
    """Yield the bytes that Java writes for each value, and the value that it reads back; omit unreadable bytes."""
    asked = [
        Question("encode", spec.name, one.version, json=one.json, unknown=one.unknown or None) for spec, one in samples
    ]
    encoded = list(oracle.ask_all(asked))
    again = [
        Question("decode", question.message, question.version, hex=answer.hex)
        for question, answer in zip(asked, encoded, strict=True)
    ]
    for question, answer in zip(again, oracle.ask_all(again), strict=True):
        if answer.error is None:
            unknown = {"unknown": answer.unknown} if answer.unknown else {}
            row: Row = {"message": question.message, "version": question.version, "hex": question.hex}
            yield row | {"json": answer.json} | unknown


def damaged_differences(messages: ModuleType, rows: Iterable[Row]) -> Iterator[str]:
    """Yield rows of damaged bytes and JSON that only Java or only messagegen accepts, or that both read differently."""
    for row in rows:
        answer, name, version = row["answer"], row["message"], row["version"]
        cls: Any = getattr(messages, name)
        try:
            if row["op"] == "encode":
                ours = {"hex": cls.from_json(row["json"], version=version).encode(version=version).hex()}
            else:
                ours = {"json": cls.decode(bytes.fromhex(row["hex"]), version=version).to_json(version=version)}
        except ValueError as error:
            if "error" not in answer and not any(pattern.search(str(error)) for pattern in STRICTER.values()):
                yield f"Java accepts, we refuse ({error}): {row}"
            continue
        if "error" in answer:
            yield f"Java refuses, we accept: {row}"
        elif any(canonical(answer[key]) != canonical(value) for key, value in ours.items()):
            yield f"we say {ours}: {row}"


def rows_of(
    oracle: Oracle, messages: ModuleType, specs: list[MiniSpec], release: str, *, unknown: bool = True
) -> Iterator[Row]:
    """Yield the bytes that Java writes for a value of each message and version, and the value that it reads back.

    With ``unknown``, the values have unknown tagged fields.
    """
    asked = [
        Question("encode", spec.name, one.version, json=one.json, unknown=(unknown and one.unknown) or None)
        for spec in specs
        for version in spec.versions
        for one in (sample(spec, version, "mixed", seed=release, budget=400),)
    ]
    again = []
    for question, answer in zip(asked, oracle.ask_all(asked), strict=True):
        data = answer.parts.get("hex")
        if data is None:
            # Java's classes of 2.8 can't read records from JSON, so they read our bytes, and have to write the same
            # bytes.
            assert "expected Base64-encoded binary data" in (answer.error or ""), (question, answer)
            message = getattr(messages, question.message).from_json(question.json, version=question.version)
            data = message.encode(version=question.version).hex()
        again.append(Question("reencode", question.message, question.version, hex=data))
    for question, answer in zip(again, oracle.ask_all(again), strict=True):
        assert answer.hex == question.hex, question
        unknown_tags = {"unknown": answer.unknown} if answer.unknown else {}
        row: Row = {"message": question.message, "version": question.version, "hex": question.hex}
        yield row | {"json": answer.json} | unknown_tags
