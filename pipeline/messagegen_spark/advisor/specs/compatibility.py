"""Whether versions of two plans put every byte in the same place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from messagegen_arrow.plan_model import read_plan
from messagegen_spark.advisor.encodings import split

_STRUCT: Final = re.compile(r"struct\((\d+)\)")

Layout = tuple[str, ...]
"""The lines of a layout, with the layouts of its structs in the place of their numbers."""


class IncompatibleError(ValueError):
    """A changed spec that reads or writes other bytes than it should; nobody should use it."""


def check_old_versions(before: str, after: str) -> None:
    """Raises ``IncompatibleError`` unless all versions of the plan ``before`` are the same in ``after``, fields and bytes."""
    if _structs(before) != _structs(after):
        raise IncompatibleError("the fields of the message, their types or their defaults have changed")
    old, new = layouts(before), layouts(after)
    for version, layout in old.items():
        if new.get(version) != layout:
            raise IncompatibleError(f"version {version} would be read and written differently")


def check_new_version(before: str, after: str, encodings: Mapping[tuple[str, str], str]) -> None:
    """Raises ``IncompatibleError`` unless ``after`` adds one version to ``before``, the last one with these encodings.

    ``encodings`` has struct and attribute of the fields whose encoding changes, and nothing else may.
    """
    latest = read_plan(before).versions[-1]
    if read_plan(after).versions[-1] != latest + 1:
        raise IncompatibleError(f"the new version is not {latest + 1}")
    expected = layouts(before, encodings)[latest]
    if layouts(after)[latest + 1] != expected:
        raise IncompatibleError(
            f"version {latest + 1} would not be version {latest} with other encodings and nothing else; does the spec have fields "
            f"or flexibleVersions that begin with version {latest + 1}? Add that version by hand, and advise on it"
        )


def layouts(plan_text: str, encodings: Mapping[tuple[str, str], str] | None = None) -> dict[int, Layout]:
    """What lies on the wire, by version, whatever the numbers of layouts; with other ``encodings``, if some are given."""
    expanded: list[Layout] = []
    roots: dict[int, Layout] = {}
    root = next(iter(read_plan(plan_text).structs))
    for head, *body in _blocks(plan_text, "layout "):
        _, _, struct, versions, *flexible = head.split(" ")
        # Which steps are done at one go is speed, not bytes.
        lines = (line.removeprefix(" ").removeprefix("+ ") for line in body)
        recoded = (_recoded(struct, line, encodings or {}) for line in lines)
        expanded.append((struct, *flexible, *(_expanded(line, expanded) for line in recoded)))
        if struct == root:
            roots |= dict.fromkeys(_versions(versions), expanded[-1])
    return roots


def _structs(plan_text: str) -> list[list[str]]:
    return _blocks(plan_text, "struct ")


def _blocks(plan_text: str, start: str) -> list[list[str]]:
    blocks: list[list[str]] = []
    inside = False
    for line in plan_text.splitlines():
        if not line.startswith(" "):
            inside = line.startswith(start)
            if inside:
                blocks.append([])
        if inside:
            blocks[-1].append(line)
    return blocks


def _expanded(line: str, layouts_: list[Layout]) -> str:
    return _STRUCT.sub(lambda found: f"struct{layouts_[int(found[1])]}", line)


def _recoded(struct: str, line: str, encodings: Mapping[tuple[str, str], str]) -> str:
    """A line with the codec of the new encoding, if its field has one."""
    mark, _, rest = line.rpartition(" ")
    attribute = mark.rpartition(" ")[2]
    encoding = encodings.get((struct, attribute))
    if encoding is None or line.startswith((":guard", ":skip", ":foreign")):
        return line
    form, width = split(encoding)
    codec = f"int{width}" if form == "fixed" else encoding
    head, bracket, tail = rest.rpartition("(")
    closing = tail[tail.index(")") :] if bracket else ""
    return f"{mark} {head}{bracket}{codec}{closing}"


def _versions(text: str) -> list[int]:
    found: list[int] = []
    for part in text.split(","):
        lowest, _, highest = part.partition("-")
        found += range(int(lowest), int(highest or lowest) + 1)
    return found
