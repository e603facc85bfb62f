"""The version of this build: that of the release, and between releases also the commit that it was built from.

``hatch_build.py`` writes the commit to ``build.txt`` when messagegen is built or installed, also for an editable install.
Without the file, messagegen runs from its sources.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from messagegen import __version__

_FILE: Final = Path(__file__).with_name("build.txt")

SOURCE: Final = "+source"
"""What the version of sources ends with that were not installed."""

BUILD: Final = __version__ + (_FILE.read_text(encoding="ascii").strip() if _FILE.is_file() else SOURCE)
"""Such as ``0.1.0``, or ``0.1.0+12.g1a2b3c4`` 12 commits later (PEP 440: newer than the release, older than 13 commits later)."""


def is_build(version: str) -> bool:
    """Whether a version names the commit that this build is from.

    A shallow clone, such as pre-commit's, counts its commits otherwise, and may shorten the commit otherwise.
    """
    theirs, ours = (re.fullmatch(r"([^+]+)\+\d+\.(g[0-9a-f]{7,})", text) for text in (version.strip(), BUILD))
    if theirs is None or ours is None or theirs[1] != ours[1]:
        return False
    return theirs[2].startswith(ours[2]) or ours[2].startswith(theirs[2])
