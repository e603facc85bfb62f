"""Damages plan texts: words and lines are repeated, moved, replaced or removed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Final

from messagegen.plan.text import plan_text
from tests.support.specs import OWN, PURPOSE_MADE, plans

_FIXTURES: Final = Path(__file__).parents[1] / "fixtures" / "plans"
_WORDS: Final = ("", "0", "-1", "7", "32767", "0-32767", "99999999999", "??", "nobody", ":about", "struct(0)", "array(")
_MOST_REPEATS: Final = 2_000
_NUMBERS_OF_CHANGES: Final = (1, 1, 1, 2, 4)


def plan_texts() -> list[str]:
    """Return the texts of all plans in the repository, including invalid plans."""
    own = [plan_text(plan) for folder in (OWN, PURPOSE_MADE) for plan in plans(folder).values()]
    return own + [path.read_text(encoding="utf-8") for path in sorted(_FIXTURES.rglob("*.plan"))]


def spoiled(random: Random, text: str) -> str:
    """Return a plan text after some changes, which may cancel each other."""
    lines = text.split("\n")
    for _ in range(random.choice(_NUMBERS_OF_CHANGES)):
        random.choice(_CHANGES)(random, lines)
    return "\n".join(lines)


def _drop_line(random: Random, lines: list[str]) -> None:
    if len(lines) > 1:
        del lines[random.randrange(len(lines))]


def _repeat_line(random: Random, lines: list[str]) -> None:
    place = random.randrange(len(lines))
    lines[place:place] = [lines[place]] * random.choice((1, 1, 1, _MOST_REPEATS))


def _move_line(random: Random, lines: list[str]) -> None:
    line = lines.pop(random.randrange(len(lines)))
    lines.insert(random.randint(0, len(lines)), line)


def _change_word(random: Random, lines: list[str]) -> None:
    place = random.randrange(len(lines))
    words = lines[place].split(" ")
    words[random.randrange(len(words))] = random.choice([*_WORDS, *_words_of(random, lines)])
    lines[place] = " ".join(words)


def _repeat_part(random: Random, lines: list[str]) -> None:
    """Repeat a part of a word, such as a version range, or the array in an array of arrays."""
    place = random.randrange(len(lines))
    start = random.randint(0, len(lines[place]))
    part = lines[place][start : start + random.randint(1, 12)]
    separator = random.choice(("", ",", " "))
    lines[place] = (
        f"{lines[place][:start]}{(part + separator) * random.choice((2, 3, _MOST_REPEATS))}{lines[place][start:]}"
    )


def _change_letter(random: Random, lines: list[str]) -> None:
    place = random.randrange(len(lines))
    at = random.randint(0, len(lines[place]))
    lines[place] = (
        f"{lines[place][:at]}{chr(random.choice((0, 32, 34, 40, 45, 63, 0x2028, 0x1F600)))}{lines[place][at + 1 :]}"
    )


def _words_of(random: Random, lines: Sequence[str]) -> list[str]:
    return random.choice(lines).split(" ")


_CHANGES: Final[tuple[Callable[[Random, list[str]], None], ...]] = (
    _drop_line,
    _repeat_line,
    _move_line,
    _change_word,
    _change_word,
    _repeat_part,
    _change_letter,
)
