"""The functions that write a layout, and an array of it.

``functions.py`` adds them, and ``values.py`` their lines for values of each kind.

In generated functions, ``struct`` is the written struct, ``out`` the buffer, ``value`` a value of it, and ``length``
its length, or the length + 1 in compact form. Each call of ``code`` adds the line that it shows.

Fields of constant size are written together (``Run``) with the length of the value that follows (``Length``). So the
methods that write a value take the run before the value, and write the run first.
"""

from __future__ import annotations

from messagegen.emit.writing.functions import LayoutWriter

__all__ = ["LayoutWriter"]
