"""Merges sets of specs: the result has one spec for each message, with the versions of all sets."""

from messagegen.evolve import SpecSet
from messagegen.merge.differences import CANNOT_MERGE
from messagegen.merge.findings import MergeFinding
from messagegen.merge.sets import Merged, merge_sets

__all__ = ["CANNOT_MERGE", "MergeFinding", "Merged", "SpecSet", "merge_sets"]
