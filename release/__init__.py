"""Builds, checks and tests what is published: ``python -m release --help``. It is not part of any distribution's wheel."""

import sys
from pathlib import Path

# The generator is not installed where wheels are built.
sys.path.append(str(Path(__file__).parents[1] / "generator"))
