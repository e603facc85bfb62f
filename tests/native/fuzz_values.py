"""Encodes messages of values that stand in for plain ones: ``python -m tests.native.fuzz_values --most 1000000``.

The engine and straight-line Python must write the bytes of the plain values, and the same bytes again after reading
them. All other forms are compared for one message in ``--compare-every``.
"""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

import click

from messagegen.plan import ops
from tests.native.fuzzing import Fuzzer, fuzzer_options
from tests.native.random_messages import Maker
from tests.support.agreement import runtime, straight_encode
from tests.support.specs import OWN, PURPOSE_MADE, Subject, subjects
from tests.support.stand_ins import StandIns


@click.command(help=__doc__)
@fuzzer_options("messages", 100_000)
@click.option(
    "--compare-every", default=10, show_default=True, help="How many messages for one that is compared in every form."
)
def main(fuzzer: Fuzzer, compare_every: int) -> None:
    """Runs until all messages were written or something is wrong."""
    for number in fuzzer.rounds():
        subject, plain, message = drawn(fuzzer.random)
        if number % compare_every:
            check_bytes(subject, plain, message)
        else:
            check_every_form(subject, plain, message)


def is_read_again(subject: Subject) -> bool:
    """Whether all encoded messages can be decoded: Apache's classes can't read arrays of structs without bytes."""
    arrays = [
        codec.element
        for layout in subject.plan.layouts
        for _, codec in ops.fields_on_wire(layout)
        if isinstance(codec, ops.ArrayCodec) and isinstance(codec.element, ops.StructCodec)
    ]
    return all(element.nullable or subject.plan.layouts[element.layout].least_bytes for element in arrays)


@cache
def readable_subjects() -> list[Subject]:
    """Return all messages and versions whose encoded bytes can be decoded."""
    return [each for each in subjects(OWN, PURPOSE_MADE) if is_read_again(each)]


class _SmallMaker(Maker):
    """Makes messages with short arrays, which take less time."""

    def length(self, codec: Any, depth: int) -> int:
        return min(super().length(codec, depth), 5)


def drawn(random: Random) -> tuple[Subject, Any, Any]:
    """Return a message with plain values, and the same message with substitutes for these values."""
    subject = random.choice(readable_subjects())
    layout = subject.cls.CODEC.parsed_plan().roots[subject.version]
    plain = _SmallMaker(random, plain=True).message(layout)
    return subject, plain, StandIns(random, subclasses=True).struct(plain)


def check_every_form(subject: Subject, plain: Any, message: Any) -> None:
    """Raise ``AssertionError`` unless every way to encode a message returns the same bytes as for plain values."""
    cls, version = subject.cls, subject.version
    (expected,) = forms_of(plain, version)
    assert forms_of(message, version) == {expected}
    for lazy in (False, True):
        assert cls.decode(expected, version=version, lazy=lazy).encode(version=version) == expected
    text = json.dumps(message.to_json(version=version))
    assert text == json.dumps(plain.to_json(version=version))
    written = cls.from_json(json.loads(text), version=version).encode(version=version)
    assert written == without_unknown_tags(plain).encode(version=version)


def without_unknown_tags(value: Any) -> Any:
    """Return a message without unknown tagged fields, which JSON does not contain."""
    if type(value) is tuple:
        return tuple(map(without_unknown_tags, value))
    if not hasattr(value, "__defaults__"):
        return value
    held = {name: without_unknown_tags(getattr(value, name)) for name in value.__defaults__}
    return type(value)(**{**held, "unknown_tagged_fields": ()})


def forms_of(message: Any, version: int) -> set[bytes]:
    """Encode a message in every way, and return the different results; check their length against ``size``."""
    buffer = bytearray(b"x")
    message.encode_into(buffer, version=version)
    walk = runtime(type(message), "walk").walk_encode(message.CODEC.parsed_plan(), message, version)
    found = {message.encode(version=version), bytes(buffer[1:]), straight_encode(message, version), walk}
    assert {len(each) for each in found} == {message.size(version=version)}
    return found


def check_bytes(subject: Subject, plain: Any, message: Any) -> None:
    """Raise ``AssertionError`` unless both codecs encode a message to the same bytes as its plain values."""
    version = subject.version
    expected = straight_encode(plain, version)
    assert straight_encode(message, version) == expected
    assert message.encode(version=version) == expected
    assert subject.cls.decode(expected, version=version).encode(version=version) == expected


if __name__ == "__main__":
    main()
