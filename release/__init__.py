"""Builds, checks and tests published distributions: ``python -m release --help``. Wheels lack this package."""

import sys
from pathlib import Path

# The generator is not installed in the environments that build wheels.
sys.path.append(str(Path(__file__).parents[1] / "generator"))
