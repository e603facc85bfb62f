"""The runtime of generated code; copied unchanged into outputs, standard library only.

An output has the modules that its messages need, and the parts that it asks for. Importing it is cheap: code for
errors, JSON and reflection is loaded on first use.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PLAN_FORMAT = 3
"""The format number of plan texts in generated modules, which this reader and the native engine must support."""

_PARTS = {"frames": "frames", "json_form": "json", "native": "native"}


def part(module: str, *, needed: bool = True) -> Any:
    """A module that not every output has.

    Raises ``LookupError`` if it is not there; ``None`` if it is not ``needed``.
    """
    name = f"{__name__}.{module}"
    try:
        return __import__(name, fromlist=["*"])
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        if not needed:
            return None
        advice = (
            f'add "{_PARTS.get(module, module)}" to parts in [tool.messagegen.options.python], and generate it again'
        )
        raise LookupError(f"{__name__.rpartition('.')[0]} was generated without this; {advice}") from None
