"""maturin, with one line that says what is missing where the engine has to be compiled and cannot be.

pip compiles the sdist where there is no wheel for a Python and platform.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import Any

import maturin

RUST = (1, 88)
"""The oldest Rust that compiles the engine: ``rust-version`` in ``Cargo.toml``."""

prepare_metadata_for_build_wheel = maturin.prepare_metadata_for_build_wheel
prepare_metadata_for_build_editable = maturin.prepare_metadata_for_build_editable
build_wheel = maturin.build_wheel
build_editable = maturin.build_editable
build_sdist = maturin.build_sdist
get_requires_for_build_sdist = maturin.get_requires_for_build_sdist


def missing() -> str | None:
    """What the engine needs and this machine does not have."""
    wanted = f"Rust {RUST[0]}.{RUST[1]} or newer"
    for tool in ("cargo", "rustc"):
        if not shutil.which(tool):
            return f"{wanted} ({tool} is not on the PATH)"
    done = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=False)
    found = re.match(r"rustc (\d+)\.(\d+)", done.stdout)
    if not found or (int(found[1]), int(found[2])) < RUST:
        return f"{wanted} (rustc --version says: {(done.stdout or done.stderr).strip()})"
    if sys.platform != "win32" and "CC" not in os.environ and not any(map(shutil.which, ("cc", "gcc", "clang"))):
        return "a C compiler (none of cc, gcc and clang is on the PATH)"
    return None


def _check() -> None:
    needed = missing()
    if needed:
        sys.exit(
            f"messagegen-native has no wheel for this Python and platform, and compiling it needs {needed}."
            " messagegen works without it, in pure Python."
        )


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """What maturin asks for. Exits if the engine cannot be compiled here."""
    _check()
    needed: list[str] = maturin.get_requires_for_build_wheel(config_settings)
    return needed


def get_requires_for_build_editable(config_settings: dict[str, Any] | None = None) -> list[str]:
    """Like ``get_requires_for_build_wheel``."""
    _check()
    needed: list[str] = maturin.get_requires_for_build_editable(config_settings)
    return needed
