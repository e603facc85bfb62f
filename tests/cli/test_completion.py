"""Shell completion, asked for by a real bash."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BIN = Path(sys.executable).parent
BASH = shutil.which("bash")

PRESS_TAB = """
set -e
eval "$({variable}=bash_source {name})"
COMP_WORDS=({words})
COMP_CWORD={at}
{function} {name}
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.skipif(BASH is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("name", "words", "expected"),
    [
        ("messagegen", "gen", {"generate"}),
        ("messagegen", "generate --format g", {"github"}),
        ("kafka-offsets", "--isolation-level read_c", {"read_committed"}),
        ("messagegen-data", "dump --for", {"--format"}),
    ],
)
def test_bash_completes(name: str, words: str, expected: set[str]) -> None:
    plain = name.replace("-", "_")
    script = PRESS_TAB.format(
        variable=f"_{plain.upper()}_COMPLETE",
        name=name,
        words=f"{name} {words}",
        at=len(words.split()),
        function=f"_{plain}_completion",
    )
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    assert BASH is not None
    done = subprocess.run(
        [BASH, "--norc", "-c", script], env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert set(done.stdout.split()) == expected
