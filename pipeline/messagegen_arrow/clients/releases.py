"""The versions of requests that Kafka's releases support.

The folder ``table`` is a link to the generator's folder, because both read the same table.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, Literal

_KEY_COLUMN: Final = "api_key"

Absence = Literal["", "removed", "added later", "never"]


@dataclass(frozen=True, slots=True)
class ApiSupport:
    """The versions of an API in a release; if it has none, ``absence`` is the reason."""

    versions: range
    absence: Absence = ""


@cache
def _table() -> Mapping[str, Mapping[int, range]]:
    """Return the versions of each API, by release and API key, with releases in order."""
    text = files("messagegen_arrow.clients").joinpath("table", "api_versions.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    names = [name for name in rows[0] if name != _KEY_COLUMN]
    return {name: {int(row[_KEY_COLUMN]): _range(row[name]) for row in rows if row[name]} for name in names}


def _range(text: str) -> range:
    lowest, _, highest = text.partition("-")
    return range(int(lowest), int(highest or lowest) + 1)


def known_releases() -> tuple[str, ...]:
    """Return the releases in the table, from old to new."""
    return tuple(_table())


def api_support(release: str, api_key: int) -> ApiSupport:
    """Return the versions of an API in a release."""
    versions = _table()[release].get(api_key)
    if versions is not None:
        return ApiSupport(versions)
    names = known_releases()
    having = [number for number, name in enumerate(names) if api_key in _table()[name]]
    if not having:
        return ApiSupport(range(0), "never")
    return ApiSupport(range(0), "removed" if having[-1] < names.index(release) else "added later")


def releases_of(text: str) -> tuple[str, ...]:
    """Return the releases of a range such as ``3.9..4.4``, or of a single release such as ``4.4.0``, in order.

    Raises ``ValueError`` if a release is unknown, or if the newer release comes first.
    """
    first, dots, last = text.partition("..")
    start = _number(first)
    end = _number(last) if dots else start
    if start > end:
        raise ValueError(f"{first} is newer than {last}; write the older release first")
    return known_releases()[start : end + 1]


def _number(text: str) -> int:
    names = known_releases()
    for number, name in enumerate(names):
        minor = name.rpartition(".")[0]
        if text in (name, minor):
            return number
        if text.startswith(f"{minor}."):
            raise ValueError(f"unknown release {text!r}; write {minor} or {name}, the only patch of {minor} here")
    raise ValueError(f"unknown release {text!r}; expected one of {', '.join(names)}, or 2.4 for 2.4.1")
