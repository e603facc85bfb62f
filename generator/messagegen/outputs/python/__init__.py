"""The output ``python``: a package with one module per message, and the runtime that they share."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from messagegen.emit import module_text
from messagegen.findings import UsageError
from messagegen.outputs.output import File, Inputs, Options, Output
from messagegen.outputs.python.package import package_text
from messagegen.outputs.python.runtime import PARTS, chosen_parts, runtime_files
from messagegen.plan.partners import partners

__all__ = ["INDEX", "PARTS", "PYTHON", "RUNTIME_LICENCE", "package_text", "runtime_files"]

INDEX: Final = "__init__.py"
"""The file with lines for every message, in which lines of several branches are merged."""

RUNTIME_LICENCE: Final = "Apache-2.0 OR MIT-0"
"""The runtime may be vendored under either licence; see LICENSE-OUTPUT."""

_OWN: Final = "._runtime"


def _files(inputs: Inputs, options: Options) -> Mapping[str, File]:
    runtime = _runtime(options)
    parts = chosen_parts(inputs.messages, options.get("parts"))
    index = partial(package_text, inputs.messages, inputs.exports, parts=parts, runtime=runtime)
    files: dict[str, File] = {}
    partner_of = partners(inputs.messages)
    for plan in inputs.messages:
        partner = partner_of.get(plan.name)
        plans = (plan.name,) if partner is None else (plan.name, partner.name)
        files[f"{plan.module}.py"] = File(partial(module_text, plan, runtime, partner), plans=plans)
    files[INDEX] = File(index, signed=False)
    if runtime == _OWN:
        for path, text in runtime_files(inputs.messages, parts).items():
            files[path] = File(partial(str, text), licence=RUNTIME_LICENCE)
    files["py.typed"] = File(str)
    return files


def _runtime(options: Options) -> str:
    """The package that has the runtime. Raises ``UsageError``."""
    runtime = options.get("runtime", _OWN)
    if not isinstance(runtime, str) or (runtime != _OWN and not all(map(str.isidentifier, runtime.split(".")))):
        raise UsageError('runtime must be the name of a package; write runtime = "messagegen_runtime"')
    return runtime


PYTHON: Final = Output(
    name="python",
    about="a package with a module for each message",
    files=_files,
    options=("parts", "runtime"),
    by_default=lambda _: True,
)
