"""The reader of plan texts; the reference codec, JSON and columns use what it gives."""

from .model import Codec, Field, Layout, Plan, StructPlan
from .reader import read_plan

__all__ = ["Codec", "Field", "Layout", "Plan", "StructPlan", "read_plan"]
