"""The Python code of the page: the generator, and the packages that it needs, without compiled modules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Final

from docs.website.playground.pyodide import BuildError

ROOT: Final = Path(__file__).resolve().parents[3]
_PINS: Final = ROOT / "release" / "constraints" / "generate.txt"
_PIN: Final = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>[^\s;]+)", re.MULTILINE)
_LEFT_OUT: Final = frozenset({"rpds-py", "typing-extensions"})
"""A package without a WebAssembly wheel, which the stand-in replaces, and one that Python 3.14 does not need."""
_SUFFIXES: Final = frozenset({".py", ".json", ""})
"""The suffixes of files that packages read. The metaschemas of JSON Schema have files without a suffix."""
_LICENCE: Final = re.compile(r"licen[cs]e|copying|notice", re.IGNORECASE)
_HERE: Final = "docs/website/playground"
_MODULES: Final = ("__init__.py", "calls.py", "pasted.py", "rules.py")
"""The modules of this folder that run in the browser."""
_SOURCES: Final = {
    "messagegen": "generator/messagegen",
    "messagegen/templates": "templates",
    "messagegen/error_codes": "error_codes",
}
"""The folders with our own code, by their place on the page."""
_UNUSED: Final = ("messagegen/cli/", "messagegen/setup/", "messagegen/conformance/", "messagegen/templates/init/")
"""Folders that the calls of the page do not use."""
_READ: Final = ("*.py", "*.json", "*.j2", "*.css", "*.js", "*.txt")


def distributions() -> list[Distribution]:
    """Return the installed packages that the generator needs. Raise ``BuildError`` if one is not as pinned."""
    found = []
    for pin in _PIN.finditer(_PINS.read_text("utf-8")):
        if pin["name"] not in _LEFT_OUT:
            each = distribution(pin["name"])
            if each.version != pin["version"]:
                raise BuildError(f"expected {pin[0]}, found {each.version}; install the pinned version")
            found.append(each)
    return found


def python_files() -> dict[str, bytes]:
    """Return all Python files of the page, by path. Raise ``BuildError``."""
    files = {path: data for each in distributions() for path, data in _installed(each) if ".dist-info/" not in path}
    files["rpds.py"] = (ROOT / _HERE / "stand_ins" / "rpds.py").read_bytes()
    files |= {f"{_HERE}/{name}": (ROOT / _HERE / name).read_bytes() for name in _MODULES}
    for place, source in _SOURCES.items():
        files |= {f"{place}/{path}": data for path, data in _own(ROOT / source)}
    return {path: data for path, data in files.items() if not path.startswith(_UNUSED)}


def licences() -> dict[str, bytes]:
    """Return the licences of the packages, by path."""
    return {
        path: data
        for each in distributions()
        for path, data in _installed(each)
        if ".dist-info/" in path and _LICENCE.match(path.rpartition("/")[2])
    }


def _installed(package: Distribution) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a package without its tests."""
    for file in package.files or ():
        is_licence = ".dist-info/" in str(file)
        if is_licence or (file.suffix in _SUFFIXES and not {"..", "tests", "benchmarks"} & set(file.parts)):
            yield file.as_posix(), file.read_binary()


def _own(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a folder that the generator reads."""
    for pattern in _READ:
        for file in sorted(folder.rglob(pattern)):
            yield file.relative_to(folder).as_posix(), file.read_bytes()


def licence_texts(texts: Mapping[str, bytes]) -> str:
    """Return all licences as one text."""
    return "\n".join(f"{'=' * 80}\n{name}\n\n{text.decode('utf-8').strip()}\n" for name, text in texts.items())
