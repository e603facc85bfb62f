"""Parses the target options of the group commands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from messagegen_client.cli.offsets.input import UNITS, OptionError, iso, parse_time
from messagegen_client.groups.files import OffsetFileError, read_csv
from messagegen_client.groups.resets import OffsetReset

TARGETS: Final = (
    "to_datetime",
    "by_duration",
    "to_earliest",
    "to_latest",
    "to_offset",
    "shift_by",
    "to_current",
    "from_file",
)
"""The target options. Exactly one must be given."""
_AGO: Final = re.compile(r"([0-9]{1,15})(ms|[smhdw])")
_ISO: Final = re.compile(
    r"P(?:([0-9]{1,9})D)?(?:T(?=[0-9])(?:([0-9]{1,9})H)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})(?:\.([0-9]{1,6}))?S)?)?"
)
_NUMBER: Final = re.compile("[+-]?[0-9]{1,19}")


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a reset, and its text. ``warning`` says why it is probably a mistake."""

    text: str
    reset: OffsetReset
    warning: str | None = None


def parse_target(options: Mapping[str, Any], group_id: str, now: datetime) -> Target:
    """Parses the target option. Raises ``OptionError``, which names the option."""
    given = [name for name in TARGETS if options[name] not in (None, False)]
    if len(given) != 1:
        found = f", not {' and '.join(map(option_of, given))}" if given else ""
        raise OptionError(f"expected one of {', '.join(map(option_of, TARGETS))}{found}")
    (name,) = given
    try:
        return _read(name, options[name], group_id, now)
    except ValueError as problem:
        raise OptionError(f"{option_of(name)}: {problem}") from None


def option_of(name: str) -> str:
    """The option on the command line."""
    return f"--{name.replace('_', '-')}"


def _read(name: str, value: Any, group_id: str, now: datetime) -> Target:
    match name:
        case "to_datetime":
            return _to_datetime(value, now)
        case "by_duration":
            reset = OffsetReset.by_duration(parse_duration(value), now)
            return Target(f"to {iso(reset.number)}, {value} ago", reset)
        case "to_offset":
            return Target(f"to offset {value}", OffsetReset.to_offset(_whole(value)))
        case "shift_by":
            return Target(f"by {_whole(value):+d}", OffsetReset.shift_by(_whole(value)))
        case "from_file":
            return Target(f"to the offsets of {value}", OffsetReset.to_offsets(_read_file(value, group_id)))
        case "to_earliest":
            return Target("to the first offsets", OffsetReset.to_earliest())
        case "to_latest":
            return Target("to the ends", OffsetReset.to_latest())
        case _:
            return Target("to the committed offsets", OffsetReset.to_current())


def _to_datetime(text: str, now: datetime) -> Target:
    wanted = parse_time(text, now)
    if wanted.timestamp is None:
        raise OptionError(f"{text!r} is not a time; use for example --to-earliest or --to-latest")
    return Target(f"to {iso(wanted.timestamp)}", OffsetReset.to_datetime(wanted.timestamp), wanted.warning)


def parse_duration(text: str) -> timedelta:
    """Parses ``2h``, with the units of ``--time``, or ``P1DT2H30M``, as Kafka's tools. Raises ``OptionError``."""
    word = text.strip().removeprefix("-")
    simple, formal = _AGO.fullmatch(word), _ISO.fullmatch(word)
    try:
        if simple:
            return int(simple[1]) * UNITS[simple[2]]
        if formal and any(formal.groups()):
            days, hours, minutes, seconds, parts = (part or "0" for part in formal.groups())
            return timedelta(
                days=int(days),
                hours=int(hours),
                minutes=int(minutes),
                seconds=int(seconds),
                microseconds=int(parts.ljust(6, "0")),
            )
    except OverflowError:
        raise OptionError(f"{text!r} is too long ago") from None
    raise OptionError(f"invalid duration {text!r}; write for example 2h, 30m, 7d or P1DT2H")


def _whole(text: str) -> int:
    if not _NUMBER.fullmatch(text.strip()):
        raise OptionError(f"invalid number {text!r}: expected a whole number")
    return int(text)


def _read_file(path: Path, group_id: str) -> dict[Any, int]:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise OptionError(f"{path} is not UTF-8") from None
    except OSError as problem:
        raise OptionError(f"{path} can't be read: {problem.strerror}") from None
    try:
        offsets = read_csv(text, group_id)
    except OffsetFileError as problem:
        raise OptionError(f"{path}: {problem}") from None
    if not offsets:
        raise OptionError(f"{path} has no offsets; expected lines of topic,partition,offset")
    return offsets


def selected(options: Mapping[str, Any]) -> Sequence[str]:
    """The options for partitions that were given."""
    return [option_of(name) for name in ("topic", "partitions", "topic_partitions") if options[name]]
