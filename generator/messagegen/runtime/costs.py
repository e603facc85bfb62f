"""What decoded objects cost in bytes, so that no message takes more memory than its limits allow.

The numbers are those of CPython 3.11, rounded up. They are agreed, not measured: all engines count by this table, and so
give the same verdict on any interpreter. ``docs/design/009-limits.md`` says where they are compared with the limits.
"""

from __future__ import annotations

STRUCT = 32
"""A struct without its fields: the header of an object and of the garbage collector."""
FIELD = 8
"""A field of a struct, the unknown tagged fields among them."""
ARRAY = 48
"""A tuple that is not empty, without its elements."""
NUMBER_PLACE = 8
"""The place of a number of constant size in its tuple, which is made at one go."""
PLACE = 18
"""The place of any other element, in its tuple and in the list before that."""
INT = 32
"""An int that is not one of those that Python keeps."""
INT64 = 36
"""The same where it has 64 bits on the wire."""
KEPT_INTS = range(-5, 257)
"""The ints that Python keeps and that cost nothing."""
FLOAT = 32
UUID = 112
ASCII = 56
"""A string of ASCII characters, beside its bytes; the empty one and those of one character cost nothing."""
TEXT = 80
"""Any other string, beside ``TEXT_BYTE`` for each of its bytes in UTF-8."""
TEXT_BYTE = 4
BYTES = 40
"""Bytes, beside their number; fewer than two cost nothing."""
VIEW = 200
"""A memoryview."""
TAG = 64
"""The pair of an unknown tagged field, beside its place, its tag and its bytes."""
