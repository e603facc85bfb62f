"""The plugin needs only its wheel, the wheel of messagegen-kafka, and a client."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import venv
from pathlib import Path
from typing import Final

import pytest

from tests.testing.support.page import run_file

ROOT: Final = Path(__file__).parents[2]

# Tests that need the network are marked with ``java``, too: uv fetches pytest and librdkafka.
pytestmark = [pytest.mark.java, pytest.mark.slow]

_LISTED: Final = "import importlib.metadata as m, json; print(json.dumps([d.name for d in m.distributions()]))"


def run(*command: object) -> str:
    done = subprocess.run(list(map(str, command)), cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_page_runs_in_a_new_environment(tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    for project in ("generated", "testing"):
        build = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", wheels]
        run(*build, ROOT / project)
    venv.create(tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    install = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", python]
    run(*install, "--constraint", ROOT / "release" / "constraints" / "dev.txt", *wheels.iterdir(), "confluent-kafka")
    installed = {re.sub(r"[-_.]+", "-", name).lower() for name in json.loads(run(python, "-c", _LISTED))}
    assert {name for name in installed if name.startswith("messagegen")} == {"messagegen-kafka", "messagegen-testing"}
    assert run_file("test_orders.py", tmp_path, python=python).passed == 1
    assert run_file("test_without_kafka.py", tmp_path, python=python).passed == 7
