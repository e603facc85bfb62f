"""The functions that write a layout, and an array of it.

``functions.py`` adds them, and ``values.py`` their lines for values of each kind.

In generated functions, ``struct`` is what is written, ``out`` the buffer, ``value`` a value that is being written, and
``length`` its length, or the length + 1 where it is written in compact form. Each call of ``code`` adds the line that
it shows.

Fields of constant size are written together (``Run``), and with them the length of the value that follows
(``Length``). So whatever writes a value gets the run before it, and writes it first.
"""

from __future__ import annotations

from messagegen.emit.writing.functions import LayoutWriter

__all__ = ["LayoutWriter"]
