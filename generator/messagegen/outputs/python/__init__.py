"""The output ``python``: a package with one module per message, and the runtime that they share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from importlib.resources import files as resources
from importlib.resources.abc import Traversable
from typing import Final

from messagegen.emit import module_text
from messagegen.outputs import formatting
from messagegen.outputs.output import File, Inputs, Options, Output
from messagegen.outputs.python.package import has_records, package_text
from messagegen.plan.ops import MessagePlan
from messagegen.plan.partners import partners

__all__ = ["INDEX", "PYTHON", "RUNTIME_LICENCE", "package_text", "runtime_files"]

INDEX: Final = "__init__.py"
"""The file with lines for every message, in which lines of several branches are merged."""

RUNTIME_LICENCE: Final = "Apache-2.0 OR MIT-0"
"""The runtime may be vendored under either licence; see LICENSE-OUTPUT."""


def runtime_files(*, records: bool = True) -> dict[str, str]:
    """The files of the runtime, by path; their text is copied unchanged. ``records``: with those for record batches."""
    found = _texts(resources("messagegen.runtime"), "_runtime")
    return {path: text for path, text in found if records or not path.startswith("_runtime/records/")}


def _texts(folder: Traversable, path: str) -> Iterator[tuple[str, str]]:
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.is_dir():
            yield from _texts(item, f"{path}/{item.name}")
        elif item.name.endswith(".py"):
            yield f"{path}/{item.name}", item.read_text(encoding="utf-8")


def _files(inputs: Inputs, _: Options) -> Mapping[str, File]:
    partner_of = partners(inputs.messages)
    made = {f"{plan.module}.py": _message(plan, partner_of.get(plan.name)) for plan in inputs.messages}
    made[INDEX] = File(partial(package_text, inputs.messages, inputs.exports), signed=False)
    for path, text in runtime_files(records=has_records(inputs.messages)).items():
        made[path] = File(partial(str, text), copied=True, licence=RUNTIME_LICENCE)
    made["py.typed"] = File(str, copied=True)
    return made


def _message(plan: MessagePlan, partner: MessagePlan | None) -> File:
    return File(partial(module_text, plan, partner), plans=tuple(one.name for one in (plan, partner) if one))


PYTHON: Final = Output(
    name="python",
    purpose="Python classes that encode and decode themselves",
    files=_files,
    formatter=formatting.python,
    by_default=lambda _: True,
)
