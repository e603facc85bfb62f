"""Creates generated classes from specs in memory, for notebooks, tests and tools."""

from __future__ import annotations

import importlib.abc
import importlib.util
import itertools
import linecache
import sys
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final

from messagegen import outputs
from messagegen.generation.sources import read_sources
from messagegen.outputs.python import PARTS
from messagegen.plan.build import build_plan
from messagegen.plan.error_codes import build_error_codes

if TYPE_CHECKING:
    from messagegen.spec.error_codes import ErrorCodesSpec
    from messagegen.spec.model import MessageSpec

_NUMBERS: Final = itertools.count()
_ALL: Final = {"python": {"parts": tuple(PARTS)}}
"""Nothing is written, so packages in memory have everything."""


def inputs_of(messages: Iterable[MessageSpec], error_codes: ErrorCodesSpec | None = None) -> outputs.Inputs:
    """The inputs that outputs are rendered from."""
    plans = tuple(sorted(map(build_plan, messages), key=lambda plan: plan.name))
    return outputs.Inputs(plans, None if error_codes is None else build_error_codes(error_codes))


def load_package(
    *sources: str | Path, messages: Sequence[str] = (), error_codes: str | Path | None = None
) -> ModuleType:
    """The package that ``messagegen generate`` would write for the specs in the given folders or files.

    The code is the same except for black's line breaks; modules are created on first use. Two loads share nothing.
    Raises ``SpecError`` with findings, ``UsageError`` for missing folders and unknown names.
    """
    file = None if error_codes is None else Path(error_codes)
    read = read_sources([Path(source) for source in sources], messages=messages, error_codes=file)
    return load_specs(read.messages, read.error_codes)


def load_specs(specs: Sequence[MessageSpec], error_codes: ErrorCodesSpec | None = None) -> ModuleType:
    """``load_package`` for parsed specs."""
    name = f"messagegen_loaded_{next(_NUMBERS)}"
    sys.meta_path.append(_Finder(name, inputs_of(specs, error_codes)))
    return importlib.import_module(name)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the modules of a package from memory; a message is rendered when its module is imported."""

    def __init__(self, package: str, inputs: outputs.Inputs) -> None:
        self.package = package
        self.files: dict[str, outputs.File] = {}
        self.packages: set[str] = set()
        for path, file in (
            (path, file) for _, files in outputs.files(inputs, options=_ALL) for path, file in files.items()
        ):
            name = f"{package}/{path}".removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            self.files[name] = file
            if path.endswith("__init__.py"):
                self.packages.add(name)

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        if fullname not in self.files:
            return None
        return importlib.util.spec_from_loader(fullname, self, is_package=fullname in self.packages)

    def exec_module(self, module: ModuleType) -> None:
        text = self.files[module.__name__].render()
        file_name = f"<messagegen {module.__name__}>"
        # Registered so that tracebacks and inspect show the generated line.
        linecache.cache[file_name] = (len(text), None, text.splitlines(keepends=True), file_name)
        module.__file__ = file_name
        exec(compile(text, file_name, "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - rendered text is ours
