"""Generates classes from specs in memory, for notebooks, tests and tools."""

from __future__ import annotations

import importlib
import itertools
import sys
from collections.abc import Iterable, Sequence
from importlib.abc import ExecutionLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Final

from messagegen import outputs
from messagegen.findings import UsageError
from messagegen.generation.choosing import Choice
from messagegen.generation.sources import Sources, read_sources
from messagegen.outputs.python import PARTS
from messagegen.plan.build import build_plan
from messagegen.plan.error_codes import build_error_codes
from messagegen.spec.model import MessageSpec

_NUMBERS: Final = itertools.count()
_ALL: Final = {"python": {"parts": tuple(PARTS)}}
"""The options of packages in memory: they have all parts, because parts take no files there."""


def inputs_of(sources: Sources) -> outputs.Inputs:
    """Return the inputs of the outputs."""
    plans = tuple(sorted(map(build_plan, sources.messages), key=lambda plan: plan.name))
    return outputs.Inputs(plans, build_error_codes(sources.error_codes) if sources.error_codes else None)


def load_package(
    *sources: str | Path, messages: Sequence[str] = (), error_codes: str | Path | None = None
) -> ModuleType:
    """Return the package that ``messagegen generate`` would write for the specs in the given folders or files.

    ``messages`` are names and patterns; if it is empty, the package has all messages. Modules are created on first use.
    The packages of two calls share nothing. Raise ``SpecError`` with findings, or ``UsageError`` for missing folders
    and unknown names.
    """
    if not sources:
        raise UsageError("no specs; name a folder of specs, or a file")
    codes = None if error_codes is None else Path(error_codes)
    paths = [Path(source) for source in sources]
    return _load(read_sources(paths, choice=Choice(messages), error_codes=codes))


def load_specs(specs: Iterable[MessageSpec]) -> ModuleType:
    """Return a package as ``load_package`` does, for parsed specs."""
    return _load(Sources(tuple(specs)))


def _load(sources: Sources) -> ModuleType:
    name = f"messagegen_loaded_{next(_NUMBERS)}"
    sys.meta_path.append(_Finder(name, outputs.files(inputs_of(sources), options=_ALL)))
    return importlib.import_module(name)


class _Finder(MetaPathFinder, ExecutionLoader):
    """Imports the modules of a package from memory; a message is rendered when its module is imported."""

    def __init__(self, package: str, files: dict[str, outputs.File]) -> None:
        self.files = {f"{package}/{path}": file for path, file in files.items()}

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        return spec_from_loader(fullname, self) if self.get_filename(fullname) in self.files else None

    def is_package(self, fullname: str) -> bool:
        return self.get_filename(fullname).endswith("/__init__.py")

    def get_filename(self, fullname: str) -> str:
        path = fullname.replace(".", "/")
        return f"{path}.py" if f"{path}.py" in self.files else f"{path}/__init__.py"

    def get_source(self, fullname: str) -> str:
        return self.files[self.get_filename(fullname)].render()
