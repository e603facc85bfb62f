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

    ``messages`` are sorted by name. ``exports`` are the names that the package exports in addition to its messages, with their
    modules: those of all outputs that are written together.
    """

    messages: tuple[MessagePlan, ...]
    error_codes: ErrorCodesPlan | None = None
    exports: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class File:
    """One file; ``render`` gives its text when it is needed.

    ``plans`` names the message whose plan its text is rendered from, and others of which it has the names, if it is rendered from
    nothing else: its text stays the same while the spec and these names do. A file may have a ``licence`` of its own (an SPDX
    expression). One that is not ``signed`` has no digest in its header, because lines of several branches are merged in it.
    """

    render: Callable[[], str]
    plans: tuple[str, ...] = ()
    licence: str = ""
    signed: bool = True


def _nothing(_: Inputs) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, slots=True)
class Output:
    """One thing that ``messagegen generate`` can write.

    ``name`` is how ``include`` and ``--include`` name it, and the folder of its code and templates. ``files`` gives its files by
    relative POSIX path. It raises ``UsageError`` for inputs or options that it cannot work with. ``options`` are the keys that it knows.
    ``exports`` are the names that the package offers of it, with their modules, and ``by_default`` says whether it is written if nothing
    is included by name.
    """

    name: str
    files: Callable[[Inputs, Options], Mapping[str, File]]
    options: tuple[str, ...] = ()
    exports: Callable[[Inputs], Mapping[str, str]] = _nothing
    by_default: Callable[[Inputs], bool] = lambda _: False
