"""Shell completion, asked for by a real bash, and what commands say where their extra is not installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_exit_codes import SCRIPTS

BIN = Path(sys.executable).parent
BASH = shutil.which("bash")
EXTRAS = {
    "client": ("javaproperties", "scramp", "yaml"),
}

PRESS_TAB = """
set -e
eval "$({variable}=bash_source {name})"
COMP_WORDS=({words})
COMP_CWORD={at}
{function} {name}
printf '%s\\n' "${{COMPREPLY[@]}}"
"""

WITHOUT = """
import importlib, importlib.abc, sys

finders = list(sys.meta_path)

class Without(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent}:
            return None
        for finder in finders:
            if (found := finder.find_spec(name, path, target)) is not None:
                return found
        return None

sys.meta_path[:] = [Without()]
for options in {options}:
    try:
        importlib.import_module({module!r}).{function}(options)
    except SystemExit as left:
        print(left.code)
"""


@pytest.mark.skipif(BASH is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("name", "words", "expected"),
    [
        ("messagegen", "gen", {"generate"}),
        ("messagegen", "generate --for", {"--format"}),
        ("messagegen", "generate --format g", {"github"}),
        ("kafka-client-quotas", "--des", {"--describe"}),
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


def test_every_command_is_completed() -> None:
    assert set(SCRIPTS) == {
        "messagegen",
        "kafka-client-quotas",
        "kafka-offsets",
        "messagegen-data",
    }


@pytest.mark.parametrize(
    ("name", "extra", "options"),
    [
        (
            "kafka-client-quotas",
            "client",
            [["--help"], ["--version"], ["--describe"], ["plan", "absent"], ["--nonsense"]],
        ),
        ("kafka-offsets", "client", [["--help"], ["--version"], ["--topic", "t"], [], ["--nonsense"]]),
    ],
)
def test_without_its_extra_a_command_says_one_line_for_everything(
    name: str, extra: str, options: list[list[str]]
) -> None:
    module, _, function = SCRIPTS[name].partition(":")
    code = WITHOUT.format(absent=set(EXTRAS[extra]), module=module, function=function, options=options)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    line = f"Error: the module {EXTRAS[extra][0]} is missing; install it: pip install 'messagegen[{extra}]'"
    assert done.stderr.splitlines() == [line] * len(options)
    assert done.stdout.split() == ["1"] * len(options)
