"""The version of this build: that of the release, and between releases also the commit that it was built from.

``hatch_build.py`` writes the commit to ``build.txt`` when messagegen is built or installed, also for an editable install.
Without the file, messagegen runs from its sources.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from messagegen import __version__

_FILE: Final = Path(__file__).with_name("build.txt")

BUILD: Final = __version__ + (_FILE.read_text(encoding="ascii").strip() if _FILE.is_file() else "+source")
"""Such as ``0.1.0``, or ``0.1.0+g1a2b3c4d5e6f`` for a later commit (PEP 440: newer than the release)."""
