"""Text that could change a terminal or give commands to a CI service, and whether output is safe from it."""

from __future__ import annotations

import re
from typing import Final

import pytest

CONTROLS: Final = [*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0))]
"""The control characters of ASCII and Latin-1 (C0 and C1)."""
SEPARATORS: Final = ["\u2028", "\u2029"]
BIDIRECTIONAL: Final = [
    "\u061c",
    "\u200e",
    "\u200f",
    *map(chr, range(0x202A, 0x202F)),
    *map(chr, range(0x2066, 0x206A)),
]
FORGED: Final = "a\n::error file=b::c\r##[error]d\x1b[2J" + "".join([*CONTROLS, *SEPARATORS, *BIDIRECTIONAL])
"""A text that contains each of these characters, and commands to CI services."""

_COLOUR: Final = re.compile(r"\x1b\[[0-9]*m")


def is_safe(line: str) -> bool:
    """Whether printing ``line`` does not move the cursor, reverse text or issue a command to a CI service."""
    return line.isprintable() and not line.lstrip().startswith("::") and "##[" not in line and "##vso[" not in line


def unsafe_lines(output: str) -> list[str]:
    """Return the unsafe lines of a command's output. Remove the command's own colours first."""
    return [line for line in _COLOUR.sub("", output).split("\n") if not is_safe(line)]


def print_as_to_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep escape sequences in captured output. By default, click removes them if the output is not a terminal."""
    monkeypatch.setattr("click.utils.should_strip_ansi", lambda *_: False)
