"""The licences of the code that is compiled into the native libraries, for the wheels of the engine and the jar.

``python -m release licences`` writes them to ``native/THIRD-PARTY-LICENSES``, and is run after a change of
``Cargo.lock``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from release.build import BuildError
from release.crates import Crate, linked_crates
from release.source import ROOT
from release.targets import TARGETS

THIRD_PARTY: Final = ROOT / "native" / "THIRD-PARTY-LICENSES"
MANIFESTS: Final = tuple(ROOT / "native" / library / "Cargo.toml" for library in ("python", "jni"))
_TEXT: Final = re.compile(r"(?:un)?licen[cs]e|copying|notice|copyright", re.IGNORECASE)
"""The start of the names of files with licences and notices."""
_UNUSED: Final = frozenset({"zstd/COPYING"})
"""The GPL, the alternative to zstd's BSD licence."""
_RULE: Final = "=" * 100
_OPENING: Final = """\
The native libraries of messagegen contain code of the crates below, and of the C libraries in some of these crates.
"""


def third_party_text() -> str:
    """Return the licences of all crates in the native libraries of all targets; equal texts occur once.

    Raises ``BuildError`` for a crate without a text.
    """
    crates = {crate for manifest in MANIFESTS for target in TARGETS for crate in linked_crates(manifest, target)}
    lines = [f"{crate.name} {crate.version}: {crate.licence}" for crate in sorted(crates)]
    parts = [_OPENING + "\n" + "\n".join(lines) + "\n"]
    parts += [f"{owners}\n\n{text}\n" for text, owners in _by_text(crates)]
    return f"\n{_RULE}\n".join(parts)


def _by_text(crates: Iterable[Crate]) -> list[tuple[str, str]]:
    """Return each text with the files that contain it, sorted by these files."""
    owners: defaultdict[str, list[str]] = defaultdict(list)
    for crate in sorted(crates):
        for path, text in _texts_of(crate):
            owners[text].append(f"{crate.name} {crate.version}, {path}")
    return sorted(((text, "\n".join(names)) for text, names in owners.items()), key=lambda pair: pair[1])


def _texts_of(crate: Crate) -> list[tuple[str, str]]:
    """Return the paths and texts of a crate's licences, including those for C libraries in the crate."""
    files = sorted(file for file in crate.folder.rglob("*") if file.is_file() and _TEXT.match(file.name))
    paths = {file.relative_to(crate.folder).as_posix(): file for file in files}
    texts = [
        (path, "\n".join(line.rstrip() for line in file.read_text(encoding="utf-8").strip().splitlines()))
        for path, file in paths.items()
        if path not in _UNUSED
    ]
    if not texts:
        raise BuildError(f"the crate {crate.name} {crate.version} has no licence text; expected a file such as LICENSE")
    return texts


def write() -> Path:
    """Write the licences into the sources, and return the file. Raises ``BuildError``."""
    THIRD_PARTY.write_text(third_party_text(), encoding="utf-8", newline="\n")
    return THIRD_PARTY
