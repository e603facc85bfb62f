"""The output ``python``: a package with one module per message, and the runtime that the modules share."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from messagegen.emit import module_text
from messagegen.findings import UsageError
from messagegen.outputs.output import OWN_RUNTIME, File, Inputs, Options, Output
from messagegen.outputs.python.package import package_text
from messagegen.outputs.python.runtime import (
    EVERY_MODULE,
    PARTS,
    SharedRuntime,
    chosen_parts,
    needed_modules,
    runtime_files,
)
from messagegen.plan.partners import partners

__all__ = ["INDEX", "PARTS", "PYTHON", "RUNTIME_LICENCE", "package_text", "runtime_files"]

INDEX: Final = "__init__.py"
"""The file that has lines for every message, so version control merges the lines of several branches in it."""

RUNTIME_LICENCE: Final = "Apache-2.0 OR MIT-0"
"""The runtime may be vendored under either licence; see LICENSE-OUTPUT."""


def _files(inputs: Inputs, options: Options) -> Mapping[str, File]:
    parts = chosen_parts(inputs.messages, options.get("parts"))
    shared = _shared_runtime(options)
    if shared is not None:
        shared.check(inputs.messages, parts)
    runtime = OWN_RUNTIME if shared is None else shared.name
    index = partial(package_text, inputs.messages, inputs.exports, parts=parts, runtime=runtime)
    files: dict[str, File] = {}
    partner_of = partners(inputs.messages)
    for plan in inputs.messages:
        files[f"{plan.module}.py"] = File(partial(module_text, plan, runtime, partner_of.get(plan.name)))
    files[INDEX] = File(index)
    if shared is None:
        modules = EVERY_MODULE if options.get("shared") else needed_modules(inputs.messages, parts)
        for path, text in runtime_files(modules).items():
            files[path] = File(partial(str, text), licence=RUNTIME_LICENCE)
    files["py.typed"] = File(str)
    return files


def runtime_name(options: Options) -> str:
    """Return the name of the package that contains the runtime. Raise ``UsageError`` for invalid options."""
    shared = _shared_runtime(options)
    return OWN_RUNTIME if shared is None else shared.name


def _shared_runtime(options: Options) -> SharedRuntime | None:
    """Return the shared runtime, or ``None`` if the package has its own. Raise ``UsageError`` for invalid options."""
    runtime, shared = options.get("runtime"), options.get("shared", False)
    if not isinstance(shared, bool):
        raise UsageError(f"shared must be true or false, not {shared!r}")
    if runtime is None:
        return None
    if shared:
        raise UsageError("an output that imports its runtime cannot share one; leave out shared, or runtime")
    if not isinstance(runtime, SharedRuntime):
        raise UsageError('runtime must be the folder of another output, or a package; write runtime = "src/common"')
    return runtime


PYTHON: Final = Output(
    name="python",
    about="a package with a module for each message",
    files=_files,
    options=("parts", "runtime", "shared"),
    by_default=lambda _: True,
)
