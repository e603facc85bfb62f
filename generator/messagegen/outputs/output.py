"""The class of outputs: a name, and a function that turns plans into files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from messagegen.plan.error_codes import ErrorCodesPlan
from messagegen.plan.ops import MessagePlan

OWN_FOLDER: Final = "_runtime"
"""The folder of a package that contains the runtime."""
OWN_RUNTIME: Final = f".{OWN_FOLDER}"
"""The name of the runtime for a package that contains its own."""

Options = Mapping[str, object]
"""The configured options of an output, as TOML values."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """The data that outputs render.

    ``messages`` are sorted by name. ``exports`` are the names that the package exports in addition to its messages,
    with their modules. They come from all outputs that are written together; ``written`` are the names of these
    outputs. ``runtime`` is the name of the package that contains the runtime of the output ``python``: absolute, or
    relative to the generated package.
    """

    messages: tuple[MessagePlan, ...]
    error_codes: ErrorCodesPlan | None = None
    exports: Mapping[str, str] = field(default_factory=dict[str, str])
    written: frozenset[str] = frozenset()
    runtime: str = OWN_RUNTIME


@dataclass(frozen=True, slots=True)
class File:
    """A file; ``render`` returns its text, and is called only if the text is needed.

    A file may have its own ``licence`` (an SPDX expression), and is then copied unchanged. Any other file gets the
    licence of the specs.
    """

    render: Callable[[], str]
    licence: str = ""


def _nothing(_: Inputs) -> Mapping[str, str]:
    return {}


def _never(_: Inputs) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Output:
    """An output that ``messagegen generate`` can write.

    - ``name`` selects it in ``include`` and ``--include``. Its code is in the module or folder ``outputs/NAME``, and
      its templates are in ``templates/NAME``.
    - ``about`` briefly describes its files, as in docs/outputs.md.
    - ``files`` returns its files by relative POSIX path. It raises ``UsageError`` for inputs or options that it does
      not support.
    - ``options`` are the keys that it accepts in ``options.NAME``.
    - ``exports`` returns the names that the package exports for this output, with their modules.
    - ``by_default`` returns whether it is written if no output is included by name.
    """

    name: str
    about: str
    files: Callable[[Inputs, Options], Mapping[str, File]]
    options: tuple[str, ...] = ()
    exports: Callable[[Inputs], Mapping[str, str]] = _nothing
    by_default: Callable[[Inputs], bool] = _never
