"""Outputs: what ``messagegen generate`` can write, one folder each.

``docs/design/012-emitting.md`` describes how to add one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

from messagegen.findings import UsageError
from messagegen.outputs.error_codes import ERROR_CODES
from messagegen.outputs.output import File, Inputs, Options, Output
from messagegen.outputs.python import PYTHON
from messagegen.outputs.site import SITE
from messagegen.outputs.strategies import STRATEGIES

__all__ = ["OUTPUTS", "File", "Inputs", "Options", "Output", "choose", "files"]

OUTPUTS: tuple[Output, ...] = (PYTHON, ERROR_CODES, SITE, STRATEGIES)
"""The table of outputs, which the command line, the configuration and the tests read."""


def choose(include: Sequence[str]) -> tuple[Output, ...]:
    """The outputs with these names, in table order; all of them without names. Raises ``UsageError`` for unknown names."""
    known = [output.name for output in OUTPUTS]
    for name in include:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            advice = f"did you mean {near[0]}?" if near else f"the outputs are {', '.join(known)}"
            raise UsageError(f"unknown output {name}; {advice}")
    return tuple(output for output in OUTPUTS if not include or output.name in include)


def files(
    inputs: Inputs, include: Sequence[str] = (), options: Mapping[str, Options] | None = None
) -> Iterator[tuple[Output, Mapping[str, File]]]:
    """The files of the included outputs, or of those that are written by default.

    Raises ``UsageError`` for unknown names and options, for two outputs that write the same file, and for missing inputs.
    """
    chosen = [output for output in choose(include) if include or output.by_default(inputs)]
    options = options or {}
    for name, given in options.items():
        (output,) = choose([name])
        for key in given:
            if key not in output.options:
                advice = f"the options are {', '.join(output.options)}" if output.options else "it has none"
                raise UsageError(f"unknown option {key} of the output {name}; {advice}")
    inputs = replace(inputs, exports={name: at for output in chosen for name, at in output.exports(inputs).items()})
    writer: dict[str, str] = {}
    for output in chosen:
        made = output.files(inputs, options.get(output.name, {}))
        for path in made:
            if path in writer:
                raise UsageError(f"the outputs {writer[path]} and {output.name} both write {path}; remove one of them")
            writer[path] = output.name
        yield output, made
