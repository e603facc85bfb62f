"""The output class: a name, and a function from plans to files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from messagegen.plan.error_codes import ErrorCodesPlan
from messagegen.plan.ops import MessagePlan

Options = Mapping[str, object]
"""The configured options of an output, as TOML values."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """The inputs of outputs.

    ``messages`` are sorted by name. ``exports`` are the names that the package exports in addition to its messages,
    with their modules: those of all outputs that are written together. ``written`` are the names of these outputs.
    """

    messages: tuple[MessagePlan, ...]
    error_codes: ErrorCodesPlan | None = None
    exports: Mapping[str, str] = field(default_factory=dict[str, str])
    written: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class File:
    """One file; ``render`` returns its text when it is needed.

    A file may have a ``licence`` of its own (an SPDX expression). It is then copied as it is, otherwise it has the
    licence of the specs, and Python code is formatted.
    """

    render: Callable[[], str]
    licence: str = ""


def _nothing(_: Inputs) -> Mapping[str, str]:
    return {}


def _never(_: Inputs) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Output:
    """One thing that ``messagegen generate`` can write.

    - ``name`` is how ``include`` and ``--include`` name it. Its code is the module or folder ``outputs/NAME``, its
      templates are in ``templates/NAME``.
    - ``about`` says in a few words what it writes, as in docs/outputs.md.
    - ``files`` gives its files by relative POSIX path. It raises ``UsageError`` for inputs or options that it can't
      work with.
    - ``options`` are the keys that it accepts in ``options.NAME``.
    - ``exports`` are the names that the package offers of it, with their modules.
    - ``by_default`` says whether it is written if nothing is included by name.
    """

    name: str
    about: str
    files: Callable[[Inputs, Options], Mapping[str, File]]
    options: tuple[str, ...] = ()
    exports: Callable[[Inputs], Mapping[str, str]] = _nothing
    by_default: Callable[[Inputs], bool] = _never
