"""The setting that page examples run in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pytest

from tests.arrow.support.history_data import write_broker
from tests.docs.examples import NEEDS, Setting, blocks

ROOT: Final = Path(__file__).resolve().parents[2]


FIRST_PAGE: Final = ROOT / "docs" / "your-own-client.md"
SECOND_PAGE: Final = "your-own-share-group.md"
"""The name of the page whose examples use the files of ``FIRST_PAGE``."""


def write_files(page: Path, folder: Path) -> None:
    """Write the files that a page contains to ``folder``."""
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.second and block.second not in NEEDS:
            (folder / block.second).write_text(block.text, encoding="utf-8")


def prepared(
    page: Path,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    having: str = "",
    stands_for: Mapping[str, str] = MappingProxyType({}),
) -> Setting:
    """Make ``folder`` the current folder, and let examples import the modules that they write there or in its ``src``.

    ``having`` contains the available ``NEEDS``, separated by blanks.
    """
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.syspath_prepend(str(folder / "src"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "reader")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "reader@example.org")
    if page.name == SECOND_PAGE:
        write_files(FIRST_PAGE, folder)
    if "kafka-logs" in page.read_text(encoding="utf-8"):
        write_broker(folder / "kafka-logs")
    return Setting(
        folder,
        having=frozenset(having.split()),
        every_command=page.parent == ROOT / "docs" / "quickstart",
        stands_for={"PATH/": f"{ROOT}/", **stands_for},
    )
