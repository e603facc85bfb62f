"""The runtime that the package of an output imports, if it does not contain its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Final

from messagegen.config import Settings, load_outputs
from messagegen.findings import UsageError
from messagegen.outputs.output import OWN_FOLDER
from messagegen.outputs.python.runtime import EVERY_MODULE, SharedRuntime
from messagegen.places import real

_PYTHON: Final = "python"
_RUNTIME: Final = "runtime"


Options = Mapping[str, Mapping[str, object]]
"""The options of outputs by their names."""


def with_shared_runtime(options: Options, configuration: Path | None) -> Options:
    """Return the options of an output, with a ``SharedRuntime`` as ``options.python.runtime`` if it is set.

    The setting is the folder of another output in the same configuration, or the name of an installed package. No code
    of that package runs. Raise ``UsageError`` for an unknown or unsuitable runtime.
    """
    python = options.get(_PYTHON, {})
    given = python.get(_RUNTIME)
    if not isinstance(given, str):
        return options
    owner = _output(given, configuration)
    runtime = _installed(given) if owner is None else _of_output(given, owner)
    return {**options, _PYTHON: {**python, _RUNTIME: runtime}}


def _output(given: str, configuration: Path | None) -> Settings | None:
    """Return the output with the folder ``given``, relative to the configuration; ``None`` for a package name."""
    if configuration is not None:
        folder = real(configuration.parent / given)
        for output in load_outputs(configuration):
            if output.output is not None and real(output.output) == folder:
                return output
    if all(map(str.isidentifier, given.split("."))):
        return None
    raise UsageError(
        f'runtime must be the folder of another output, or the name of a package, not "{given}"; '
        'write runtime = "src/common_messages" or runtime = "messagegen.runtime"'
    )


def _of_output(given: str, owner: Settings) -> SharedRuntime:
    if not owner.options.get(_PYTHON, {}).get("shared"):
        raise UsageError(
            f"the output {given} has a runtime for its own messages only; "
            "write shared = true in the options.python of that output"
        )
    if owner.include and _PYTHON not in owner.include:
        raise UsageError(f'the output {given} writes no runtime; add "python" to its include')
    return SharedRuntime(f"{owner.require_package()}.{OWN_FOLDER}", EVERY_MODULE)


def _installed(name: str) -> SharedRuntime:
    """Return the runtime of an installed package without importing it. Raise ``UsageError`` if it is not installed."""
    path: Iterable[str] | None = None
    for end, _ in enumerate(name.split("."), 1):
        spec = PathFinder.find_spec(".".join(name.split(".")[:end]), None if path is None else list(path))
        if spec is None or spec.submodule_search_locations is None:
            raise UsageError(f"no package {name} is installed here; install it, or leave out runtime")
        path = list(spec.submodule_search_locations)
    files = [file for folder in path or () for file in Path(folder).iterdir()]
    return SharedRuntime(name, frozenset(file.name.removesuffix(".py") for file in files))
