"""The table of sizes in docs/your-repository.md matches real packages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from messagegen.config import Settings
from messagegen.generation.package import build_package
from tests.support.checkout import ROOT

_PAGE: Final = ROOT / "docs/your-repository.md"
_APIS: Final = "ApiVersions Fetch FindCoordinator ListOffsets Metadata OffsetCommit OffsetFetch Produce"
_VERSIONS: Final = 3
"""The newest versions of each API."""
_ROUNDING: Final = 0.1


def table() -> dict[str, tuple[int, int]]:
    """Return the Python files and kilobytes of each package in the page."""
    lines = _PAGE.read_text(encoding="utf-8").split("| package |")[1].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:] if line.startswith("|")]
    return {name: (int(files), int(size.removesuffix(" KB").replace(",", ""))) for name, files, size in rows}


def own_messages(folder: Path, count: int) -> Settings:
    """Return the settings of a package of ``count`` own messages, each with three fields."""
    for number in range(count):
        fields = [("Sensor", "string"), ("TakenAtMs", "int64"), ("Celsius", "float64")]
        spec = {
            "type": "data",
            "name": f"Reading{number}",
            "validVersions": "0",
            "flexibleVersions": "0+",
            "fields": [{"name": name, "type": type_, "versions": "0+", "about": name} for name, type_ in fields],
        }
        (folder / f"Reading{number}.json").write_text(json.dumps(spec), encoding="utf-8")
    return Settings((folder,))


def newest_versions(official: Path) -> Settings:
    """Return the settings of requests and responses of some APIs, in their newest versions, with headers."""
    names = [f"{api}{kind}" for api in _APIS.split() for kind in ("Request", "Response")]
    versions: dict[str, str] = {}
    for name in names:
        (file,) = official.rglob(f"{name}.json")
        (found,) = re.findall(r'"validVersions": "\d+-(\d+)"', file.read_text(encoding="utf-8"))
        versions[name] = f"{int(found) - _VERSIONS + 1}-{found}"
    return Settings((official,), messages=(*names, "RequestHeader", "ResponseHeader"), versions=versions)


def measured(settings: Settings) -> tuple[int, float]:
    """Return the number of Python files of a package, and their size in kilobytes."""
    texts = [text for path, text in build_package(settings).files.items() if path.endswith(".py")]
    return len(texts), sum(len(text.encode()) for text in texts) / 1000


def check(name: str, settings: Settings) -> None:
    files, size = measured(settings)
    stated_files, stated_size = table()[name]
    is_near = abs(stated_size - size) <= _ROUNDING * size
    assert (files, is_near) == (stated_files, True), f"{name}: {files} files, {size:.0f} KB"


@pytest.mark.parametrize(("name", "count"), [("1 own message", 1), ("12 own messages", 12)])
def test_sizes_of_own_messages(tmp_path: Path, name: str, count: int) -> None:
    check(name, own_messages(tmp_path, count))


@pytest.mark.java
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "settings_of"),
    [
        ("8 APIs of Kafka, the newest three versions", newest_versions),
        ("all messages of Kafka 4.4.0", lambda official: Settings((official,))),
    ],
)
def test_sizes_of_official_messages(official: Path, name: str, settings_of: Callable[[Path], Settings]) -> None:
    check(name, settings_of(official))
