"""Merges sets of specs: one spec a message, with all versions that any of the sets has."""

from messagegen.evolve import SpecSet
from messagegen.merge.sets import CANNOT_MERGE, Merged, merge_sets

__all__ = ["CANNOT_MERGE", "Merged", "SpecSet", "merge_sets"]
