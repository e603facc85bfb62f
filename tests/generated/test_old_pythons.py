"""Generated packages work on a Python that is older than messagegen's own minimum, with only the standard library."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from messagegen.vectors import make_vectors
from tests.support import pythons, without_packages
from tests.support.specs import OWN, PURPOSE_MADE, build, plans

EVERY_PART = {"python": {"parts": ["frames", "json", "native", "records"]}}


@pytest.mark.slow
def test_packages_agree_with_their_vectors_on_the_oldest_python(tmp_path: Path) -> None:
    oldest = pythons.oldest_for_output()
    if oldest is None:
        pytest.skip("Python 3.10 is not installed")
    package = tmp_path / "messages"
    for path, text in build(OWN, PURPOSE_MADE, options=EVERY_PART).files.items():
        file = package / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    vectors = tmp_path / "vectors.jsonl"
    made = [vector for folder in (OWN, PURPOSE_MADE) for vector in make_vectors(plans(folder).values())]
    vectors.write_text("".join(f"{json.dumps(vector.as_json())}\n" for vector in made), encoding="utf-8")
    program = [without_packages.__file__, str(tmp_path), package.name, str(vectors)]
    done = subprocess.run([oldest, "-I", "-W", "error", *program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{len(made)} of {len(made)} vectors agree\n"
