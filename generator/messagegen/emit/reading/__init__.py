"""The functions that read a layout, an array of it, and its tag section.

``functions.py`` adds them, and ``values.py`` their lines for values of each kind.

In generated functions, ``struct`` is the new struct, ``data`` the bytes, ``pos`` the position, and ``length`` the
length before a value. Each call of ``code`` adds the line that it shows.

Fields of constant size are read together with the length of the value that follows (``Length``). If the length is an
int16 or int32, ``pos`` is then after it. A compact length may have more bytes than the one that was read, so ``pos``
stays before it.
"""

from __future__ import annotations

from messagegen.emit.reading.functions import LayoutReader

__all__ = ["LayoutReader"]
