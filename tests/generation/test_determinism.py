"""Specs produce the same bytes on every machine, in every process and in any order."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.specs import OWN, PURPOSE_MADE, build, read_specs

SOME = [
    "Entities",
    "FlexibleHeader",
    "GroupThingKey",
    "GroupThingValue",
    "HostileText",
    "MapKeys",
    "TypeMaps",
    "ZeroCopy",
]

COMMAND = """\
import json, sys
from pathlib import Path
from tests.generation.test_determinism import digests

print(json.dumps(digests(Path(sys.argv[1]), messages=sys.argv[2:])))
"""


def digests(*folders: Path, messages: Sequence[str] = SOME) -> dict[str, str]:
    """Return the SHA-256 of each file generated from the specs in ``folders``, by path."""
    files = build(*folders, messages=messages).files
    return {path: hashlib.sha256(text.encode()).hexdigest() for path, text in files.items()}


def digests_elsewhere(folder: Path, messages: Sequence[str], environment: dict[str, str]) -> dict[str, str]:
    """Return ``digests`` of a fresh process with environment variables."""
    command = [sys.executable, "-c", COMMAND, str(folder), *messages]
    paths = os.pathsep.join(filter(None, [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": paths, **environment}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def expected() -> dict[str, str]:
    return digests(PURPOSE_MADE)


@pytest.mark.slow
@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "1", "LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONHASHSEED": "2", "LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "tr", "TZ": "Pacific/Kiritimati"},
        {"PYTHONHASHSEED": "3", "PYTHONOPTIMIZE": "2", "COLUMNS": "20"},
    ],
    ids=["in an ASCII locale", "in Turkish", "optimised"],
)
def test_the_environment_does_not_change_the_output(expected: dict[str, str], environment: dict[str, str]) -> None:
    assert digests_elsewhere(PURPOSE_MADE, SOME, environment) == expected


@pytest.mark.slow
@pytest.mark.parametrize("folder", [PURPOSE_MADE, OWN], ids=lambda path: str(path.name))
def test_the_hash_seed_does_not_change_the_output_for_any_message(folder: Path) -> None:
    one, other = (digests_elsewhere(folder, [], {"PYTHONHASHSEED": seed}) for seed in ("1", "2"))
    assert one == other
    assert len(one) > len(read_specs([folder]))


@pytest.mark.slow
def test_file_order_changes_nothing(expected: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, path in enumerate(sorted(PURPOSE_MADE.glob("*.json"), reverse=True)):
        folder = tmp_path / f"{number % 3}" / f"{number:02}"
        folder.mkdir(parents=True)
        shutil.copy(path, folder)
    ordinary = Path.rglob
    monkeypatch.setattr(Path, "rglob", lambda self, pattern: reversed(list(ordinary(self, pattern))))
    assert digests(tmp_path / "2", tmp_path / "0", tmp_path / "1") == expected


@pytest.mark.parametrize(("ending", "mark"), [(b"\r\n", b""), (b"\n", b"\xef\xbb\xbf")])
def test_line_endings_and_byte_order_marks_change_nothing(
    expected: dict[str, str], tmp_path: Path, ending: bytes, mark: bytes
) -> None:
    for path in PURPOSE_MADE.glob("*.json"):
        (tmp_path / path.name).write_bytes(mark + path.read_bytes().replace(b"\n", ending))
    assert digests(tmp_path) == expected
