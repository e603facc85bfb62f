"""Vectors: bytes of each message in each version with the value they encode, the same on every machine."""

from __future__ import annotations

from messagegen.vectors.make import Vector, make_vectors, too_large
from messagegen.vectors.shapes import SHAPES, Shape

__all__ = ["SHAPES", "Shape", "Vector", "make_vectors", "too_large"]
