"""Which versions are installed, which engine runs, and what is wrong with it: the facts of ``messagegen self-check``."""

from __future__ import annotations

import platform
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

from messagegen import __version__, load
from messagegen.build import BUILD
from messagegen.runtime import PLAN_FORMAT

DISTRIBUTIONS: Final = (
    "messagegen",
    "messagegen-kafka",
    "messagegen-client",
    "messagegen-pipeline",
    "messagegen-native",
)
"""All of them are released together, under one version."""

_SPEC: Final = """{
  "type": "data", "name": "SelfCheck", "validVersions": "0", "flexibleVersions": "0+",
  "fields": [{ "name": "Words", "type": "[]string", "versions": "0+", "about": "Some text." }]
}"""
_BYTES: Final = b"\x03\x03to\x03be\x00"


@dataclass(frozen=True, slots=True)
class Engine:
    """Which engine generated code uses in this process, with the formats that it needs."""

    name: str
    """``native`` or ``python``."""
    why_not_native: str
    """Empty if the native engine is used."""
    plan_format: int
    engine_format: int


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """An installation of messagegen."""

    version: str
    location: str
    python: str
    platform: str
    engine: Engine
    distributions: dict[str, str | None]
    """The version of each distribution of messagegen; ``None`` for those that are not installed."""
    problems: tuple[str, ...]
    """What is wrong, with what to do about it; nothing if all is well."""


def diagnose() -> Diagnosis:
    """Looks at this process: versions, engine, dependencies, and whether a message can be generated and used."""
    installed = {name: _distribution(name) for name in DISTRIBUTIONS}
    engine = _engine()
    return Diagnosis(
        version=BUILD,
        location=str(Path(__file__).parent),
        python=_python(),
        platform=sysconfig.get_platform(),
        engine=engine,
        distributions={name: found.version if found else None for name, found in installed.items()},
        problems=(*_versions(installed), *_engine_problems(engine, installed), *_use()),
    )


def _distribution(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _python() -> str:
    free_threaded = ", free-threaded" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    return f"{platform.python_implementation()} {platform.python_version()}{free_threaded} ({sys.executable})"


def _engine() -> Engine:
    from messagegen.runtime import native  # noqa: PLC0415 - looks for the engine

    name = "python" if native.ENGINE is None else "native"
    return Engine(name, native.WHY_NOT, PLAN_FORMAT, native.ENGINE_FORMAT)


def _versions(installed: dict[str, Distribution | None]) -> Iterator[str]:
    for name, found in installed.items():
        if found and found.version != __version__:
            yield f"{name} is version {found.version}, but messagegen is {__version__}; install both from one release or commit"


def _engine_problems(engine: Engine, installed: dict[str, Distribution | None]) -> Iterator[str]:
    expected = installed["messagegen-native"] is not None and engine.why_not_native != "MESSAGEGEN_PURE is set"
    if expected and engine.why_not_native:
        yield engine.why_not_native


def _use() -> Iterator[str]:
    """Generates a message in memory, and encodes and decodes it with the engine of this process."""
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
