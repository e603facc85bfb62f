"""The package sizes in docs/your-repository.md match real packages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from messagegen.config import Settings
from messagegen.fetch.releases import releases_of
from messagegen.generation.package import build_package
from tests.support.checkout import ROOT

_PAGE: Final = ROOT / "docs/your-repository.md"
_APIS: Final = "ApiVersions Fetch FindCoordinator ListOffsets Metadata OffsetCommit OffsetFetch Produce"
_ROUNDING: Final = 0.1


def table() -> dict[str, tuple[int, int]]:
    """Return the page's number of Python files and kilobytes for each package."""
    lines = _PAGE.read_text(encoding="utf-8").split("| package |")[1].partition("\n\n")[0].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:] if line.startswith("|")]
    return {name: (int(files), int(size.removesuffix(" KB").replace(",", ""))) for name, files, size in rows}


def own_messages(folder: Path, count: int) -> Settings:
    """Return the settings of a package with ``count`` messages, each with three fields."""
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


def whole(official: Path, brokers: str = "") -> Settings:
    """Return the settings of a package with all messages."""
    return Settings((official,), brokers=releases_of(brokers) if brokers else ())


def some_apis(official: Path, brokers: str = "") -> Settings:
    """Return the settings of a package with headers and the requests and responses of ``_APIS``."""
    names = [f"{api}{kind}" for api in _APIS.split() for kind in ("Request", "Response")]
    return replace(whole(official, brokers), messages=(*names, "RequestHeader", "ResponseHeader"))


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
def test_the_page_states_the_real_sizes_of_packages_of_own_messages(tmp_path: Path, name: str, count: int) -> None:
    check(name, own_messages(tmp_path, count))


@pytest.mark.java
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "settings_of", "brokers"),
    [
        ("8 APIs of Kafka 4.4.0", some_apis, ""),
        ('the same for `brokers = "2.8..4.4"`', some_apis, "2.8..4.4"),
        ("all messages of Kafka 4.4.0", whole, ""),
        ('the same for `brokers = "3.0..4.4"`', whole, "3.0..4.4"),
    ],
)
def test_the_page_states_the_real_sizes_of_packages_of_official_messages(
    official: Path, name: str, settings_of: Callable[[Path, str], Settings], brokers: str
) -> None:
    check(name, settings_of(official, brokers))


@pytest.mark.java
@pytest.mark.slow
def test_the_page_states_the_real_size_of_the_runtime(official: Path) -> None:
    files = build_package(some_apis(official)).files
    size = sum(len(text.encode()) for path, text in files.items() if path.startswith("_runtime/")) / 1000
    (stated,) = re.findall(r"the runtime,\s+(\d+) KB", _PAGE.read_text(encoding="utf-8"))
    assert abs(int(stated) - size) <= _ROUNDING * size, f"{size:.0f} KB"
