"""The reference codec: walks the plan field by field, slow and obvious.

It locates the field and byte of an error after a straight-line codec fails, and straight-line codecs are tested against
it. If both can read or write something, they agree to the byte.
"""

from .reader import Reader, walk_cost, walk_decode
from .writer import walk_encode

__all__ = ["Reader", "walk_cost", "walk_decode", "walk_encode"]
