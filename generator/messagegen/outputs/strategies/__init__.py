"""The output ``strategies``: a module of Hypothesis strategies for the messages of a package."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from messagegen.findings import UsageError
from messagegen.outputs.output import File, Inputs, Options, Output
from messagegen.templating import template

MODULE: Final = "strategies"


def strategies_text(package: str = "") -> str:
    """The module, for the messages of ``package``, or of the package that contains it."""
    return template("strategies", "module.py.j2").render(package=package)


def _files(_: Inputs, options: Options) -> Mapping[str, File]:
    package = options.get("package", "")
    if not isinstance(package, str) or not all(part.isidentifier() for part in package.split(".") if package):
        raise UsageError('package must be the name of a package; write package = "kafka_messages"')
    return {f"{MODULE}.py": File(partial(strategies_text, package))}


STRATEGIES: Final = Output(
    name="strategies",
    files=_files,
    options=("package",),
)
