"""Merges sets of specs: one spec a message, with all versions that any of the sets has."""

from messagegen.merge.sets import Merged, Refused, SpecSet, merge_sets

__all__ = ["Merged", "Refused", "SpecSet", "merge_sets"]
