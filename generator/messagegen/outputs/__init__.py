"""The outputs that ``messagegen generate`` can write, one module or folder each.

CONTRIBUTING.md shows how to add an output.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from messagegen.findings import UsageError, nearest
from messagegen.outputs.error_codes import ERROR_CODES
from messagegen.outputs.fields import FIELDS
from messagegen.outputs.output import OWN_RUNTIME, File, Inputs, Options, Output
from messagegen.outputs.plans import PLANS
from messagegen.outputs.python import PYTHON, runtime_name
from messagegen.outputs.site import SITE
from messagegen.outputs.strategies import STRATEGIES

__all__ = ["OUTPUTS", "File", "Inputs", "Options", "Output", "choose", "files"]

OUTPUTS: tuple[Output, ...] = (PYTHON, ERROR_CODES, SITE, STRATEGIES, FIELDS, PLANS)
"""All outputs. The command line, the configuration and the tests use this table."""


def choose(include: Sequence[str]) -> tuple[Output, ...]:
    """Return the outputs with these names, in table order, or all outputs if ``include`` is empty.

    Raise ``UsageError`` for unknown names.
    """
    known = [output.name for output in OUTPUTS]
    for name in include:
        if name not in known:
            near = nearest(name, known)
            advice = f"did you mean {near}?" if near else f"the outputs are {', '.join(known)}"
            raise UsageError(f"unknown output {name}; {advice}")
    return tuple(output for output in OUTPUTS if not include or output.name in include)


def files(inputs: Inputs, include: Sequence[str] = (), options: Mapping[str, Options] | None = None) -> dict[str, File]:
    """Return the files of the included outputs, or of the default outputs, by relative POSIX path.

    Raise ``UsageError`` for unknown names and options, for missing inputs, and if two outputs write the same file.
    """
    options = options or {}
    _check_options(options)
    chosen = [output for output in choose(include) if include or output.by_default(inputs)]
    exports: dict[str, str] = {}
    for output in chosen:
        exports |= output.exports(inputs)
    runtime = runtime_name(options.get(PYTHON.name, {})) if PYTHON in chosen else OWN_RUNTIME
    written = frozenset(output.name for output in chosen)
    inputs = replace(inputs, exports=exports, written=written, runtime=runtime)

    found: dict[str, File] = {}
    for output in chosen:
        for path, file in output.files(inputs, options.get(output.name, {})).items():
            if path in found:
                raise UsageError(
                    f"the output {output.name} writes {path}, and so does another output; remove one of them"
                )
            found[path] = file
    return found


def _check_options(options: Mapping[str, Options]) -> None:
    """Raise ``UsageError`` for unknown outputs and options, even of outputs that are not written."""
    for name, given in options.items():
        (output,) = choose([name])
        for key in given:
            if key not in output.options:
                advice = f"the options are {', '.join(output.options)}" if output.options else "it has none"
                raise UsageError(f"unknown option {key} of the output {name}; {advice}")
