"""The reader of plan texts, for the reference codec, JSON and columns."""

from .model import Codec, Field, Layout, Plan, StructPlan
from .reader import read_plan

__all__ = ["Codec", "Field", "Layout", "Plan", "StructPlan", "read_plan"]
