"""The reference codec: walks the plan field by field, slow and obvious.

It says which field at which byte is wrong, after a straight-line codec found that something is; and it is what straight-line
codecs are tested against. Where both read or write something, they agree to the byte.
"""

from .reader import Reader, walk_cost, walk_decode
from .writer import walk_encode

__all__ = ["Reader", "walk_cost", "walk_decode", "walk_encode"]
