"""Breaks long lines as black would, so that black has little left to do: it formats its own form in half the time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

LINE_LENGTH: Final = 120

_BREAKABLE: Final = re.compile(
    r"""\s*(from\ |def\ |tags\ =\ |__all__\ =|[wt]\ \+=\ _pack|classes=|_encode_|_write_|o\.\w+,\ p\ =\ _|o\.[\w.,\ ]+\ =\ _unpack)""",
    re.VERBOSE,
)
"""The lines that templates write and that can grow long; texts of specs stand in none of them."""

_COLLECTION: Final = re.compile(r"__all__|\s*classes=")
_RUN: Final = re.compile(r"(?P<indent>\s*)(?P<targets>o\.[\w., ]+) = (?P<call>_unpack_\w+\(b, p\))")


def break_long_lines(text: str) -> str:
    """``text`` with the lines over ``LINE_LENGTH`` broken at their brackets; strings that span lines are left alone."""
    lines: list[str] = []
    in_string = False
    for line in text.split("\n"):
        if len(line) > LINE_LENGTH and not in_string and _BREAKABLE.match(line):
            lines.extend(_broken(line))
        else:
            lines.append(line)
        if line.count('"""') % 2:
            in_string = not in_string
    return "\n".join(lines)


def _broken(line: str) -> Iterator[str]:
    indent = line[: len(line) - len(line.lstrip())]
    if run := _RUN.fullmatch(line):
        yield f"{indent}("
        yield from (f"{indent}    {target}," for target in run["targets"].split(", "))
        yield f"{indent}) = {run['call']}"
        return
    if line.startswith("from ", len(indent)):
        head, _, names = line.partition(" import ")
        yield f"{head} import ("
        yield from (f"{indent}    {name}," for name in names.split(", "))
        yield f"{indent})"
        return
    if line.startswith("tags = ", len(indent)):
        name, _, value = line.partition(" = ")
        if len(indent) + 4 + len(value) > LINE_LENGTH:
            value = value.replace(" if ", f"\n{indent}    if ").replace(" else ", f"\n{indent}    else ")
        yield from (f"{name} = (", f"{indent}    {value}", f"{indent})")
        return
    start, end = _bracket(line)
    body = line[start:end]
    yield line[:start]
    if "[" in body:
        yield f"{indent}    {body},"
    elif len(indent) + 4 + len(body) <= LINE_LENGTH and not _COLLECTION.match(line):
        yield f"{indent}    {body}"
    else:
        yield from (f"{indent}    {part}," for part in body.split(", "))
    yield indent + line[end:]


def _bracket(line: str) -> tuple[int, int]:
    """Where the inside of the bracket lies that black opens: the first of a ``def``, the last of anything else."""
    pairs: list[tuple[int, int]] = []
    open_at: list[int] = []
    for at, char in enumerate(line):
        if char in "([":
            open_at.append(at + 1)
        elif char in ")]":
            start = open_at.pop()
            if not open_at:
                pairs.append((start, at))
    return pairs[0] if line.lstrip().startswith("def ") else pairs[-1]
