"""The primitive types of message specs, by name, and constants for some of them.

``messagegen.runtime.plan`` has the table, because generated packages need it, too.
"""

from __future__ import annotations

from typing import Final

from messagegen.runtime.plan import PRIMITIVES, Primitive

__all__ = ["BYTES", "INTEGER_OF_WIDTH", "PRIMITIVES", "RECORDS", "STRING", "Primitive"]

STRING: Final = PRIMITIVES["string"]
BYTES: Final = PRIMITIVES["bytes"]
RECORDS: Final = PRIMITIVES["records"]

INTEGER_OF_WIDTH: Final = {bits: PRIMITIVES[f"int{bits}"] for bits in (16, 32, 64)}
"""The integer types that may have an encoding (KIP-625), by their number of bits."""
