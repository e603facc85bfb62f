"""The repository that the tests of vendoring begin with; each gets a copy."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.e2e.vendoring import MAKEFILE, PYPROJECT, Repository


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    repository = Repository(tmp_path_factory.mktemp("vendor"))
    (repository.root / "specs").mkdir()
    (repository.root / "pyproject.toml").write_text(PYPROJECT)
    (repository.root / "Makefile").write_text(MAKEFILE)
    (repository.root / ".gitignore").write_text("__pycache__/\n")
    repository.write_spec("PingRequest", "Text")
    repository.write_spec("PongRequest", "Text")
    repository.git("init", "--quiet")
    repository.mend()
    repository.commit()
    return repository


@pytest.fixture
def repository(original: Repository, tmp_path: Path) -> Repository:
    shutil.copytree(original.root, tmp_path / "copy", symlinks=True)
    return Repository(tmp_path / "copy")
