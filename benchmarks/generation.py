"""Measures ``messagegen generate`` for all official specs: from nothing, and later with and without a change."""

from __future__ import annotations

import shutil
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.processes import WorkerError, run_program
from benchmarks.results import Generation
from tests.oracle.jars import KAFKA_RELEASE, SPEC_ARTIFACTS, kafka_jars

PACKAGE: Final = "official_messages"
COLD: Final = "cold"
UNCHANGED: Final = "nothing changed"
CHECK: Final = "nothing changed, --check"
ONE_CHANGED: Final = "one spec changed"
_EDITED: Final = "MetadataResponse.json"
_ABOUT: Final = '"about": "'


@dataclass(frozen=True, slots=True)
class _Bench:
    """A scratch folder with a copy of the specs, the output, and the cache of the command."""

    folder: Path

    @property
    def specs(self) -> Path:
        return self.folder / "specs"

    @property
    def output(self) -> Path:
        return self.folder / PACKAGE

    def generate(self, *flags: str) -> float:
        """Run the command, and return its wall time in seconds."""
        command = [_program(), "generate", "--specs", str(self.specs), "--output", str(self.output), *flags]
        cache = {"XDG_CACHE_HOME": str(self.folder / "cache")}
        start = time.perf_counter()
        run_program(command, cache, self.folder)
        return time.perf_counter() - start

    def forget(self) -> None:
        """Remove the output and the cache."""
        for folder in (self.output, self.folder / "cache"):
            shutil.rmtree(folder, ignore_errors=True)

    def edit(self, turn: int) -> None:
        """Change the first description in one spec, each time to a different text."""
        (spec,) = self.specs.rglob(_EDITED)
        text = spec.read_text(encoding="utf-8")
        spec.write_text(text.replace(_ABOUT, f"{_ABOUT}Edit {turn}. ", 1), encoding="utf-8")


def measure(
    specs: Path, folder: Path, *, cold: int, warm: int, progress: Callable[[str], None]
) -> tuple[tuple[Generation, ...], int]:
    """Time ``cold`` runs from nothing, and ``warm`` runs of every other kind. Also return the bytes in all files.

    The generated package stays in ``folder`` under the name ``PACKAGE``. Raises ``WorkerError`` if a run fails.
    """
    bench = _Bench(folder)
    shutil.copytree(specs, bench.specs)
    times: dict[str, list[float]] = {COLD: [], UNCHANGED: [], CHECK: [], ONE_CHANGED: []}
    for turn in range(cold):
        progress(f"generating all specs from nothing, {turn + 1} of {cold}")
        bench.forget()
        times[COLD].append(bench.generate())
    for turn in range(warm):
        progress(f"generating again, {turn + 1} of {warm}")
        times[UNCHANGED].append(bench.generate())
        times[CHECK].append(bench.generate("--check"))
        bench.edit(turn)
        times[ONE_CHANGED].append(bench.generate())
    runs = [Generation(kind, min(found), statistics.median(found)) for kind, found in times.items() if found]
    return tuple(runs), _size(bench.output)


def fetch_specs(out: Path) -> Path:
    """Write the official specs to the folder ``out`` with ``messagegen fetch-specs``.

    Maven fetches the jars once.
    """
    jars = [str(kafka_jars() / f"{artifact}-{KAFKA_RELEASE}.jar") for artifact in SPEC_ARTIFACTS]
    flags = [argument for jar in jars for argument in ("--jar", jar)]
    run_program([_program(), "fetch-specs", *flags, "--output", str(out)], {})
    return out


def _program() -> str:
    program = Path(sys.executable).with_name("messagegen")
    if not program.exists():
        raise WorkerError(f"{program} does not exist; run `make bench`, which installs the project")
    return str(program)


def _size(output: Path) -> int:
    return sum(
        file.stat().st_size for file in output.rglob("*") if file.is_file() and file.parent.name != "__pycache__"
    )
