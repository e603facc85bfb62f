"""The reference codec: walks the layouts of a message field by field, slow and obvious.

It locates the field and byte of an error after straight-line code fails, and straight-line code and the native engine
are tested against it. If both can read or write something, they agree to the byte. A kind of value is a branch in
``Reader.value`` and one in ``Writer.value``. Loaded on first use.
"""

from __future__ import annotations

from .failures import reason
from .reading import Reader, walk_decode
from .writing import Writer, walk_encode

__all__ = ["Reader", "Writer", "reason", "walk_decode", "walk_encode"]
