"""Test runs in CI fail if they change the checkout."""

from __future__ import annotations

from pathlib import Path

from tests.support.checkout import state
from tests.support.git import git


def test_new_and_ignored_files_are_found_but_bytecode_is_not(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    (tmp_path / ".gitignore").write_text("build.txt\n__pycache__\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message=First")
    assert state(tmp_path) == set()
    (tmp_path / "new.py").write_text("")
    (tmp_path / "build.txt").write_text("")
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "new.pyc").write_text("")
    assert state(tmp_path) == {"?? new.py", "!! build.txt"}
    assert state(tmp_path / "__pycache__") == state(tmp_path)
