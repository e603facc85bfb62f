"""Commands whose standard output or standard error is closed, full, or a pipe without a reader."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
from messagegen_client import admin
from messagegen_client.quotas.entities import ClientQuotaEntity
from tests.client.support.quota_cluster import QuotaCluster, QuotaStore
from messagegen_client.cli.quotas.command import main

store = QuotaStore({ClientQuotaEntity(user=f"user-{n}"): {"producer_byte_rate": 1.0} for n in range(3000)})
admin.Cluster = lambda _: QuotaCluster(store)
try:
    main(["--bootstrap-server", "memory:9092", *sys.argv[1:]])
finally:
    if len(store.entries) != 3000:
        open("altered", "w").close()
"""
ALTER = "--alter --names=user=alice --add=producer_byte_rate=1"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")


@pytest.fixture
def shell(tmp_path: Path) -> Path:
    """A folder to run in, which contains the program and a quota file."""
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "quotas.yaml").write_text("quotas: [{entity: {user: alice}, values: {producer_byte_rate: 1}}]\n")
    return tmp_path


def run(folder: Path, line: str) -> tuple[int, str]:
    """Run a line of shell, where ``P`` is the program, and return the exit code and standard error."""
    root = Path(__file__).parents[3]
    done = subprocess.run(
        ["/bin/sh", "-c", line.replace("P ", f"{sys.executable} program.py ")],
        cwd=folder,
        env={"PYTHONPATH": f"{root}:{root / 'client'}:{root / 'generated'}", "PYTHONWARNINGS": "error"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=60,
    )
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    return done.returncode, done.stderr


CLOSED = "Error: standard output is closed; redirect it to a file or /dev/null\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("P --describe >&-", 1, CLOSED),
        ("P plan quotas.yaml >&-", 1, CLOSED),
        ("P export >&-", 1, CLOSED),
        ("P --describe >&- 2>&-", 1, ""),
        ("P --describe --frobnicate 2>&-", 64, ""),
        (f"{ALTER.join(['P ', ''])} --format=json >&-", 1, CLOSED),
        ("P apply quotas.yaml >&-", 1, CLOSED),
        ("P apply quotas.yaml --format=json >&-", 1, CLOSED),
        ("{ P --describe; echo $? >&2; } | true", 0, "141\n"),
        ("{ P export; echo $? >&2; } | head -c 10", 0, "141\n"),
    ],
)
def test_a_command_with_a_closed_output_fails_and_changes_nothing(shell: Path, line: str, code: int, said: str) -> None:
    assert run(shell, line) == (code, said)
    assert not (shell / "altered").exists()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("words", ["--describe", "--describe --names=user=user-1", "export"])
def test_a_full_disk_prints_a_one_line_error(shell: Path, words: str) -> None:
    code, said = run(shell, f"P {words} >/dev/full")
    assert (code, said) == (1, "Error: standard output: No space left on device\n")


def test_a_closed_standard_error_does_not_raise(shell: Path) -> None:
    assert run(shell, "{ P --frobnicate; echo $? >rc; } 2>&1 | true") == (0, "")
    assert (shell / "rc").read_text() in {"141\n", "64\n"}
