"""What a repository needs for message specs: files to write, and files that are left as they are."""

from __future__ import annotations

from messagegen.setup.layout import SCHEMA_FILE, Layout, read_layout
from messagegen.setup.steps import Step, setup_steps

__all__ = ["SCHEMA_FILE", "Layout", "Step", "read_layout", "setup_steps"]
