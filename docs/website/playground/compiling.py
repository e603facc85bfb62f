"""Compiles the modules that the page imports. This program runs in Pyodide, because bytecode fits one Python only.

Each module that calls of the page import gets its bytecode. ``messagegen`` keeps its source, which it copies to
generated packages.
"""

from __future__ import annotations

import json
import py_compile
import sys
import zipfile
from pathlib import Path
from typing import Final

sys.path.insert(0, "/packages")

from docs.website.playground.calls import Playground

_SPEC: Final = """
{ "type": "data", "name": "Reading", "validVersions": "0-1", "flexibleVersions": "1+",
  "fields": [ { "name": "Values", "type": "[]string", "versions": "0+", "ignorabel": true } ] }
"""
_ARCHIVES: Final = {"python_stdlib.zip": ("/stdlib", "/lib/python314.zip"), "packages.zip": ("/packages", "/packages")}
"""The folder of each archive, and the folder or archive from which Python imports its modules."""
_SOURCE_KEPT: Final = "messagegen/"
_OLDEST: Final = (1980, 1, 1, 0, 0, 0)


def call_everything() -> None:
    """Make each call of the page, so that all modules are imported."""
    valid = _SPEC.replace("ignorabel", "ignorable")
    playground = Playground("/specs")
    playground.explain(json.dumps({"text": "00 12 00 04"}))
    playground.explain(json.dumps({"text": "02 02 61 00", "own": valid, "part": "body"}))
    for text in (_SPEC, valid):
        playground.check(json.dumps({"text": text}))
    playground.breaking(json.dumps({"old": valid, "new": valid.replace("string", "int32")}))


def imported(place: str) -> set[str]:
    """Return the paths of the imported modules below ``place``."""
    files = (getattr(module, "__file__", None) or "" for module in list(sys.modules.values()))
    return {file.removeprefix(f"{place}/") for file in files if file.startswith(f"{place}/")}


def compile_archive(folder: Path, wanted: set[str], archive: Path) -> None:
    """Write the files of a folder to an archive, with bytecode for the ``wanted`` modules."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as written:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            path = file.relative_to(folder).as_posix()
            files = {path: file}
            if path in wanted:
                code = file.with_suffix(".pyc")
                mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
                py_compile.compile(str(file), str(code), path, doraise=True, invalidation_mode=mode)
                name = f"{path}c"
                if path.startswith(_SOURCE_KEPT):
                    name = f"{Path(path).parent.as_posix()}/__pycache__/{file.stem}.{sys.implementation.cache_tag}.pyc"
                else:
                    files = {}
                files[name] = code
            for each, source in files.items():
                written.writestr(zipfile.ZipInfo(each, _OLDEST), source.read_bytes(), zipfile.ZIP_DEFLATED)


call_everything()
Path("/compiled").mkdir()
for _archive, (_folder, _place) in _ARCHIVES.items():
    compile_archive(Path(_folder), imported(_place), Path("/compiled") / _archive)
