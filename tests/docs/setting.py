"""Where the examples of a page run, and what is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pytest

from tests.arrow.support.history_data import write_broker

ROOT: Final = Path(__file__).resolve().parents[2]
NEEDS: Final = frozenset({"network", "broker", "spark"})
"""Second words of fences that fetch something, ask a broker, or use Spark."""


@dataclass(frozen=True)
class Setting:
    """Where the examples of a page run: their folder, which of ``NEEDS`` are there, and whether all commands run.

    ``stands_for`` has texts of the page, such as the address of a broker, with what runs, and is printed, in their place.
    """

    folder: Path
    having: frozenset[str] = frozenset()
    every_command: bool = False
    stands_for: Mapping[str, str] = field(default_factory=dict)

    def real(self, example: str) -> str:
        """An example as it runs here."""
        for text, real in self.stands_for.items():
            example = example.replace(text, real)
        return example

    def printed(self, output: str) -> str:
        """An output as the page prints it."""
        for text, real in self.stands_for.items():
            output = output.replace(real, text)
        return output


def prepared(
    page: Path,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    having: str = "",
    stands_for: Mapping[str, str] = MappingProxyType({}),
) -> Setting:
    """Works in ``folder``, where what examples write can be imported from there and from ``src``."""
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.syspath_prepend(str(folder / "src"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "reader")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "reader@example.org")
    if "kafka-logs" in page.read_text(encoding="utf-8"):
        write_broker(folder / "kafka-logs")
    return Setting(
        folder,
        having=frozenset({having}),
        every_command=page.parent == ROOT / "docs" / "quickstart",
        stands_for={"PATH/": f"{ROOT}/", **stands_for},
    )
