"""Builds the folder of the page. All files that the page loads are in it."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from docs.website.playground.bytecode import with_bytecode
from docs.website.playground.calls import INDEX, index_of
from docs.website.playground.packages import ROOT, licence_texts, licences, python_files
from docs.website.playground.pyodide import PACKAGE, pyodide_files
from messagegen.fetch.specs import stored_specs
from messagegen.merge.folders import merged_releases

RELEASES: Final = "2.4..4.4"
"""The releases of Kafka whose messages the page explains."""
SIZES: Final = "sizes.json"
"""The file with the size in bytes of each file that the page loads before it can be used."""
_CACHE: Final = ROOT / ".cache" / "playground"
_HERE: Final = Path(__file__).parent
_OLDEST: Final = (1980, 1, 1, 0, 0, 0)
"""The time of all files in archives, so that the same files give the same bytes."""


def official_specs() -> dict[str, bytes]:
    """Return the merged specs of ``RELEASES`` by file name. They are fetched into the user's cache once."""
    return {path.rpartition("/")[2]: text for path, text in stored_specs(merged_releases(RELEASES)).items()}


def page_files(specs: Mapping[str, bytes], cache: Path = _CACHE) -> dict[str, bytes]:
    """Return the files of the page, by path. Raise ``BuildError``, or ``SpecError`` for specs with errors."""
    sources = {
        **pyodide_files(cache),
        "packages.zip": _archive(python_files()),
        "specs.zip": _archive({**specs, INDEX: index_of(specs).encode()}),
    }
    loaded = with_bytecode(sources, cache)
    sizes = {path: len(data) for path, data in loaded.items()}
    texts = {
        "messagegen": (ROOT / "LICENSE").read_bytes(),
        "Specs of Apache Kafka": (_HERE / "licences" / "Kafka.txt").read_bytes(),
        f"{PACKAGE} (sources: https://github.com/pyodide/pyodide)": (_HERE / "licences" / "MPL-2.0.txt").read_bytes(),
        "Python": (_HERE / "licences" / "Python.txt").read_bytes(),
        **licences(),
    }
    return {
        **loaded,
        **{file.name: file.read_bytes() for file in sorted((_HERE / "page").iterdir())},
        SIZES: json.dumps(sizes).encode(),
        "licences.txt": licence_texts(texts).encode(),
    }


def write_page(files: Mapping[str, bytes], folder: Path) -> None:
    """Write the files of the page into ``folder``."""
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)


def _archive(files: Mapping[str, bytes]) -> bytes:
    """Return a zip archive of ``files``."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(files):
            archive.writestr(zipfile.ZipInfo(path, _OLDEST), files[path], zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
