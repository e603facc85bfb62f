"""Checks of the changelog before a version is published."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from packaging.version import InvalidVersion, Version

UNRELEASED: Final = "Unreleased"
_SECTION: Final = re.compile(r"^## (.+)$", re.MULTILINE)
_OUTPUT: Final = "Output: "


@dataclass(frozen=True, slots=True)
class Section:
    """The entries for a version, or for unreleased changes."""

    title: str
    text: str


def sections(changelog: str) -> list[Section]:
    """Return the sections of a changelog, in the order of the file."""
    parts = _SECTION.split(changelog)
    return [Section(title, text.strip()) for title, text in zip(parts[1::2], parts[2::2], strict=True)]


def problems(changelog: str, version: str, tags: Sequence[str], releasing: str | None = None) -> Iterator[str]:
    """Yield the problems of a changelog.

    ``version`` is the version of the sources, ``tags`` are the tags of the repository, and ``releasing`` is the tag to
    publish.
    """
    found = sections(changelog)
    released = [section.title for section in found if section.title != UNRELEASED]
    if UNRELEASED in [section.title for section in found[1:]]:
        yield f"the section {UNRELEASED} is not the first"
    yield from _order(released)
    for section in found:
        if not section.text.startswith(_OUTPUT):
            rule = f'"{_OUTPUT}", which says whether generated files change'
            yield f"the section {section.title} does not begin with {rule}"
    for tag in tags:
        if tag.removeprefix("v") not in released:
            yield f"tag {tag} has no section; add ## {tag.removeprefix('v')}"
    if version not in released:
        yield f"version {version} has no section; add ## {version}"
    if releasing is not None:
        yield from _release(found, version, releasing)


def _order(released: Sequence[str]) -> Iterator[str]:
    try:
        versions = [Version(title) for title in released]
    except InvalidVersion as error:
        yield f"a section is neither {UNRELEASED} nor a version: {error}"
        return
    if versions != sorted(set(versions), reverse=True):
        yield "the sections are not in order; the newest version comes first, each once"


def _release(found: Sequence[Section], version: str, tag: str) -> Iterator[str]:
    if tag != f"v{version}":
        yield f"tag {tag} does not fit version {version}; use v{version}, or change the version"
    if found and found[0].title == UNRELEASED:
        yield f"there is a section {UNRELEASED}; give it the title {version}"
