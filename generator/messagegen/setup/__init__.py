"""Sets up a repository for message specs, and upgrades its pinned versions: ``messagegen init``."""

from messagegen.setup.new import EXAMPLE, Editor, setup_steps
from messagegen.setup.steps import SCHEMA_FILE, Ci, Step
from messagegen.setup.upgrade import upgrade_steps

__all__ = ["EXAMPLE", "SCHEMA_FILE", "Ci", "Editor", "Step", "setup_steps", "upgrade_steps"]
