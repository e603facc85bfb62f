"""The package ``messagegen_client``."""

from __future__ import annotations

import subprocess
import sys


def test_importing_the_package_loads_no_library_that_is_only_needed_later() -> None:
    heavy = ["aiokafka", "javaproperties", "yaml", "click", "messagegen"]
    code = f"import sys, messagegen_client; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
