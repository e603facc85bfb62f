"""The version of this build: the release, and the commit if the build is between releases.

``release/hatch_build.py`` puts ``build.txt`` into wheels and sdists. If the file is missing, messagegen runs from its
sources, such as in an editable install.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import messagegen
from messagegen import __version__
from messagegen.templating import template_folder

_FILE: Final = Path(__file__).with_name("build.txt")
_SOURCE: Final = "+source"

BUILD: Final = __version__ + (_FILE.read_text(encoding="ascii").strip() if _FILE.is_file() else _SOURCE)
"""The version, such as ``0.1.0``, or ``0.1.0+20261126141500.g1a2b3c4d5e6f`` for a later commit (PEP 440)."""

REQUIRED: Final = BUILD.removesuffix(_SOURCE)
"""The version that a configuration must require for this build. It is only the release if the commit is unknown."""


def is_older(build: str, other: str) -> bool:
    """Whether ``build`` is certainly older than ``other``, judged by their releases, or else by their commit times.

    Builds without a commit time, such as releases and sources, are not older than other builds of the same version. The
    result is false if a text is not a version.
    """
    from packaging.version import InvalidVersion, Version  # noqa: PLC0415 - seldom needed

    try:
        mine, theirs = Version(build), Version(other)
    except InvalidVersion:
        return False
    if mine.public != theirs.public:
        return Version(mine.public) < Version(theirs.public)
    times = [(one.local or "").partition(".")[0] for one in (mine, theirs)]
    return all(time.isdigit() for time in times) and int(times[0]) < int(times[1])


def fit(build: str, other: str) -> bool:
    """Whether two distributions may be from the same build.

    Their versions must be equal. If both have a commit, the commits must be equal, too.
    """
    from packaging.version import Version  # noqa: PLC0415 - seldom needed

    mine, theirs = Version(build), Version(other)
    if mine.public != theirs.public:
        return False
    commits = {one.local for one in (mine, theirs)} - {None, _SOURCE.removeprefix("+")}
    return len(commits) <= 1


@cache
def code_digest() -> str:
    """Return a digest of the generator's version, code and templates, which is a key for cached results."""
    import hashlib  # noqa: PLC0415 - most commands need no digest

    digest = hashlib.sha256(BUILD.encode())
    for folder in (Path(messagegen.__file__).parent, template_folder()):
        for file in sorted(folder.rglob("*")):
            if file.is_file() and file.suffix != ".pyc":
                digest.update(file.name.encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
