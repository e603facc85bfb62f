"""What an error says: where in a message something is wrong, and why."""

from __future__ import annotations

_LONGEST_REASON = 1000
"""The exception text of a value may have any length."""


def path_text(parts: list[str | int]) -> str:
    """A path of attributes and indexes, such as ``topics[3].name``."""
    return "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in parts).removeprefix(".")


def reason(failure: Exception) -> str:
    """The reason to report for an exception."""
    if isinstance(failure, UnicodeDecodeError):
        return f"the string is not UTF-8 at its byte {failure.start}"
    if isinstance(failure, UnicodeEncodeError):
        return f"the string can't be written as UTF-8: character {failure.start} is a lone surrogate"
    if isinstance(failure, IndexError):
        return "the bytes end early"
    return str(failure)[:_LONGEST_REASON]
