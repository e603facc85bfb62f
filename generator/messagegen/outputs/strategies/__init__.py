"""The output ``strategies``: a module of Hypothesis strategies for the messages of a package."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from messagegen.emit.code import Code
from messagegen.findings import UsageError
from messagegen.outputs.output import OWN_RUNTIME, File, Inputs, Options, Output
from messagegen.templating import template

MODULE: Final = "strategies"
_RUNTIME_NAMES: Final = {
    "base": ["Message"],
    "errors": ["UnsupportedVersionError"],
    "plan": ["Codec", "Field", "Layout"],
    "wire": ["HIGHEST_TAG"],
}
"""The names that the module imports from the runtime, by its modules."""


def strategies_text(package: str = "", runtime: str = OWN_RUNTIME) -> str:
    """Return the text of the module, for the messages of ``package``, or of the package that contains the module.

    ``runtime`` is the name of the package that contains the runtime: absolute, or relative to ``package``.
    """
    source = f"{package}{runtime}" if runtime.startswith(".") else runtime
    code = Code()
    for module, names in _RUNTIME_NAMES.items():
        code.imported(f"{source}.{module}", names)
    return template("strategies", "module.py.j2").render(imports=code.lines)


def _files(inputs: Inputs, options: Options) -> Mapping[str, File]:
    package = options.get("package", "")
    if not isinstance(package, str) or not all(part.isidentifier() for part in package.split(".") if package):
        raise UsageError('package must be the name of a package; write package = "kafka_messages"')
    if not package and "python" not in inputs.written:
        # Without the output python, strategies would import from a package whose files this run removes.
        raise UsageError(
            'output "strategies" imports the classes of output "python"; '
            'write include = ["python", "strategies"], '
            'or name the package that has them: options.strategies = { package = "kafka_messages" }'
        )
    return {f"{MODULE}.py": File(partial(strategies_text, package, OWN_RUNTIME if package else inputs.runtime))}


STRATEGIES: Final = Output(
    name="strategies",
    about="a module of Hypothesis strategies for the messages of a package",
    files=_files,
    options=("package",),
)
