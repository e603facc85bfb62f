"""Finds what ``messagegen self-check`` prints: the installed versions, the engine in use, and problems."""

from __future__ import annotations

import platform
import sys
import sysconfig
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from messagegen import load
from messagegen.build import BUILD, REQUIRED, fit

DISTRIBUTIONS: Final = (
    "messagegen",
    "messagegen-kafka",
    "messagegen-client",
    "messagegen-testing",
    "messagegen-pipeline",
    "messagegen-native",
)
"""The distributions that are released together, under one version."""

_SPEC: Final = """{
  "type": "data", "name": "SelfCheck", "validVersions": "0", "flexibleVersions": "0+",
  "fields": [{ "name": "Words", "type": "[]string", "versions": "0+", "about": "Some text." }]
}"""
_BYTES: Final = b"\x03\x03to\x03be\x00"
_PROFILE_IN_JAR: Final = "messagegen/spark/profile.txt"
_PURE: Final = "MESSAGEGEN_PURE is set"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """An installation of messagegen; ``problems`` are sentences with advice.

    ``engine`` is ``native`` with the Cargo profile, or the reason why Python is used instead. ``jar`` is the path of
    the jar for Spark with the profile of its libraries, or the reason why it is missing. ``distributions`` maps names
    to versions, or to ``None`` if a distribution is not installed.
    """

    version: str
    location: str
    python: str
    platform: str
    engine: str
    jar: str
    distributions: dict[str, str | None]
    problems: tuple[str, ...]


def diagnose() -> Diagnosis:
    """Return the diagnosis of this installation: versions, engine, and problems with generating and using a message."""
    installed = {name: _version(name) for name in DISTRIBUTIONS}
    why_not_native = _why_not_native()
    free_threaded = ", free-threaded" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    return Diagnosis(
        version=BUILD,
        location=str(Path(__file__).parent),
        python=f"{platform.python_implementation()} {platform.python_version()}{free_threaded} ({sys.executable})",
        platform=sysconfig.get_platform(),
        engine=f"Python: {why_not_native}" if why_not_native else f"native{_profile_of_engine()}",
        jar=_jar(),
        distributions=installed,
        problems=(*_problems(installed, why_not_native), *_use(native=not why_not_native)),
    )


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _why_not_native() -> str:
    from messagegen.runtime import native  # noqa: PLC0415 - looks for the engine

    return native.WHY_NOT


def _profile_of_engine() -> str:
    try:
        engine = import_module("messagegen_native")
    except ImportError:
        return ""
    return _described(getattr(engine, "PROFILE", "unknown"))


def _profile_of_jar(jar: Path) -> str:
    try:
        with zipfile.ZipFile(jar) as archive:
            return _described(archive.read(_PROFILE_IN_JAR).decode())
    except KeyError:
        return _described("unknown")
    except (OSError, zipfile.BadZipFile) as error:
        return f" (cannot be read: {error})"


def _described(profile: str) -> str:
    """Return the Cargo profile in parentheses. A profile that is not for releases gets a note on its speed."""
    effect = "" if profile in ("release", "unknown") else ", for tests: two to three times slower than release"
    return f" (profile {profile}{effect})"


def _jar() -> str:
    """Return the path of the jar for Spark, which some wheels of the pipeline contain, or why it is missing."""
    found = find_spec("messagegen_spark")
    folders = [] if found is None else found.submodule_search_locations or []
    if not folders:
        return "none: messagegen-pipeline is not installed"
    jar = Path(folders[0], "jvm", "kafka-log.jar")
    return (
        f"{jar}{_profile_of_jar(jar)}"
        if jar.is_file()
        else "none: messagegen-pipeline was not installed from a wheel of `make spark-wheel`"
    )


def _problems(installed: Mapping[str, str | None], why_not_native: str) -> Iterator[str]:
    for name, found in installed.items():
        if found is not None and not fit(found, BUILD):
            yield f"{name} is version {found}, but messagegen is {REQUIRED}; install both from one release or commit"
    if installed["messagegen-native"] and why_not_native not in ("", _PURE):
        yield why_not_native


def _use(*, native: bool) -> Iterator[str]:
    """Yield problems with generating, encoding and decoding a message, and with its engine if ``native`` is true."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "SelfCheck.json")
            file.write_text(_SPEC, encoding="utf-8")
            message = load(file).SelfCheck
            data = message(words=("to", "be")).encode(version=0)
            again = message.decode(_BYTES, version=0)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what the user wants to know
        yield f"generating a message failed ({type(error).__name__}: {error}); install messagegen again"
        return
    if data != _BYTES or again.words != ("to", "be"):
        yield f"a generated message has the bytes {data.hex()} instead of {_BYTES.hex()}; install messagegen again"
    if native and message.CODEC.engine is None:
        yield "the native engine does not support a generated message; install messagegen-native again"
