"""The builds, checks and tests of published distributions: ``python -m release --help``. No wheel contains it."""

import sys
from pathlib import Path

# The generator is not installed where wheels are built.
sys.path.append(str(Path(__file__).parents[1] / "generator"))
