"""The generated classes straight from specs, in memory: for notebooks, tests and tools."""

from __future__ import annotations

import importlib.abc
import importlib.util
import itertools
import linecache
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final

from messagegen.generation.plans import checked_plan
from messagegen.generation.sources import read_sources
from messagegen.generation.texts import error_codes_text, message_text, package_text
from messagegen.plan.error_codes import MODULE as ERROR_CODES_MODULE
from messagegen.plan.error_codes import build_error_codes
from messagegen.plan.partners import partners
from messagegen.render import runtime_files

if TYPE_CHECKING:
    from messagegen.spec.error_codes import ErrorCodesSpec
    from messagegen.spec.model import MessageSpec

_NUMBERS: Final = itertools.count()


def load_package(
    *sources: str | Path, messages: Sequence[str] = (), error_codes: str | Path | None = None
) -> ModuleType:
    """The package that ``messagegen generate`` would write for the specs in the given folders or files.

    The code is what would be written, except for black's line breaks; modules are made on first use. Two loads share nothing.
    Raises ``SpecError`` with findings, ``UsageError`` for missing folders and unknown names.
    """
    file = None if error_codes is None else Path(error_codes)
    read = read_sources([Path(source) for source in sources], messages=messages, error_codes=file)
    return load_specs(read.messages, read.error_codes)


def load_specs(specs: Sequence[MessageSpec], error_codes: ErrorCodesSpec | None = None) -> ModuleType:
    """``load_package`` for specs that are read already."""
    name = f"messagegen_loaded_{next(_NUMBERS)}"
    finder = _Finder(name, specs, error_codes)
    sys.meta_path.append(finder)
    return importlib.import_module(name)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules of one package among texts instead of files; renders a message when it is first asked for."""

    def __init__(self, package: str, specs: Sequence[MessageSpec], error_codes: ErrorCodesSpec | None) -> None:
        self.package = package
        self.plans = {plan.module: plan for plan in map(checked_plan, specs)}
        self.partners = partners(self.plans.values())
        self.texts = {
            f"{package}.{path.removesuffix('.py').removesuffix('/__init__').replace('/', '.')}": text
            for path, text in runtime_files().items()
        }
        self.texts[package] = package_text(list(self.plans.values()), with_error_codes=error_codes is not None)
        if error_codes is not None:
            self.texts[f"{package}.{ERROR_CODES_MODULE}"] = error_codes_text(build_error_codes(error_codes))

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        if fullname != self.package and not fullname.startswith(f"{self.package}."):
            return None
        if self.text(fullname) is None:
            return None
        is_package = fullname in (self.package, f"{self.package}._runtime")
        return importlib.util.spec_from_loader(fullname, self, is_package=is_package)

    def exec_module(self, module: ModuleType) -> None:
        text = self.text(module.__name__) or ""
        file_name = f"<messagegen {module.__name__}>"
        # Registered so that tracebacks and inspect show the generated line.
        linecache.cache[file_name] = (len(text), None, text.splitlines(keepends=True), file_name)
        module.__file__ = file_name
        exec(compile(text, file_name, "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - rendered text is ours

    def text(self, fullname: str) -> str | None:
        if fullname not in self.texts:
            plan = self.plans.get(fullname.rpartition(".")[2])
            if plan is None:
                return None
            self.texts[fullname] = message_text(plan, self.partners.get(plan.name))
        return self.texts[fullname]
