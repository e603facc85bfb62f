"""Measures recommendations: encodes and decodes messages of the data in new versions with other encodings."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from messagegen_arrow.advisor.encodings import FORMS
from messagegen_arrow.advisor.fields import integer_fields
from messagegen_arrow.advisor.specs.patch import FieldEncodings, load_class, load_table, patch_spec
from messagegen_arrow.catalog import MessageTable
from messagegen_arrow.engine import engine_name

ROUNDS: Final = 15
"""How often each variant is measured, in turns; the best round counts, because noise only makes code slower."""


@dataclass(frozen=True, slots=True)
class TrialRow:
    """The messages in one variant of their spec; a mean over them."""

    name: str
    bytes: float
    encode_microseconds: float
    decode_microseconds: float


@dataclass(frozen=True, slots=True)
class Trial:
    """The measurements, and the number of messages."""

    engine: str
    messages: int
    left_out: int
    """Messages that the newest version cannot hold, or that could not be read."""
    rows: tuple[TrialRow, ...]

    def row(self, name: str) -> TrialRow:
        """The variant with this name. Raises ``LookupError`` for an unknown one."""
        for one in self.rows:
            if one.name == name:
                return one
        raise LookupError(f"unknown variant {name!r}; known variants: {', '.join(one.name for one in self.rows)}")

    def as_json(self) -> dict[str, Any]:
        """All values, for JSON."""
        return asdict(self)


def run_trial(
    text: str, messages: Iterable[tuple[int, bytes]], advised: FieldEncodings | None = None, *, rounds: int = ROUNDS
) -> Trial:
    """Measures messages, pairs of version and bytes, in the newest version of the spec ``text``, and in four that follow it.

    These are ``fixed``, ``packed`` and ``upacked``, with that encoding for all integers in their widths, and ``advised``.
    Raises what ``patch_spec`` raises, and ``ValueError`` if no message can be written in the newest version.
    """
    now = load_class(text)
    table = load_table(text)
    variants: dict[str, Variant] = {"now": (now, table.valid_versions[1])}
    wanted = {form: _all_in(table, form) for form in FORMS} | ({"advised": advised} if advised else {})
    for name, encodings in wanted.items():
        patch = patch_spec(text, encodings)
        variants[name] = (load_class(patch.after), patch.version)
    known = [(version, data) for version, data in messages]
    kept = [(version, data) for version, data in known if _fits(now, version, data, table.valid_versions[1])]
    return Trial(engine_name(), len(kept), len(known) - len(kept), measure(variants, kept, rounds))


Variant = tuple[Any, int]
"""A generated class, and the version to measure it in."""


def measure(
    variants: Mapping[str, Variant], messages: Sequence[tuple[int, bytes]], rounds: int
) -> tuple[TrialRow, ...]:
    """Measures all variants in turns, after each has decoded the messages in their original version."""
    if not messages:
        raise ValueError("no message can be written in the newest version, so there is nothing to measure")
    work = {name: _work(cls, version, messages) for name, (cls, version) in variants.items()}
    best: dict[tuple[str, int], int] = {}
    for _ in range(rounds):
        for name, (_, *calls) in work.items():
            for number, call in enumerate(calls):
                taken = _time(call)
                best[name, number] = min(best.get((name, number), taken), taken)
    count = len(messages)
    return tuple(
        TrialRow(name, total / count, best[name, 0] / count / 1000, best[name, 1] / count / 1000)
        for name, (total, *_) in work.items()
    )


def _work(
    cls: Any, version: int, messages: Sequence[tuple[int, bytes]]
) -> tuple[int, Callable[[], object], Callable[[], object]]:
    """The bytes of all messages in a version, and functions that encode and decode them."""
    objects = [cls.decode(data, version=old) for old, data in messages]
    encoded = [one.encode(version=version) for one in objects]
    return (
        sum(map(len, encoded)),
        lambda: [one.encode(version=version) for one in objects],
        lambda: [cls.decode(one, version=version) for one in encoded],
    )


def _time(call: Callable[[], object]) -> int:
    start = time.perf_counter_ns()
    call()
    return time.perf_counter_ns() - start


def _fits(cls: Any, version: int, data: bytes, latest: int) -> bool:
    try:
        cls.decode(data, version=version).encode(version=latest)
    except ValueError:
        return False
    return True


def _all_in(table: MessageTable, form: str) -> FieldEncodings:
    latest = integer_fields(table.plan, table.valid_versions[1])
    return {
        (field.struct, field.keys.rpartition(".")[2]): f"{form}{field.width}" for field in latest if field.advisable
    }
