"""The runtime of generated code. It needs only the standard library.

An output contains the modules that its messages need, and the parts that its settings request. Importing it is cheap:
code for errors, JSON and reflection is loaded on first use.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PLAN_FORMAT = 3
"""The format number of plan texts in generated modules, which this reader and the native engine must support."""


def part(name: str) -> Any:
    """Return a module that not every output contains. Raise ``LookupError`` if this output lacks it.

    In an output, this function has a case for each module that the output contains. It uses import statements, so type
    checkers and programs that freeze applications find the modules.
    """
    match name:
        case "frames":
            from . import frames

            return frames
        case "json_form":
            from . import json_form

            return json_form
        case "native":
            from . import native

            return native
        case "secrets":
            from . import secrets

            return secrets
        case "uuids":
            from . import uuids

            return uuids
        case "varints":
            from . import varints

            return varints
        case _:
            package = __name__.rpartition(".")[0]
            wanted = name.removesuffix("_form")
            advice = f'add "{wanted}" to parts in [tool.messagegen.options.python], and generate it again'
            raise LookupError(f"{package} was generated without this; {advice}")
