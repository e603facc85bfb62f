"""Builds between two releases tell themselves apart, and outputs know which one wrote them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from messagegen import __version__, build, config
from messagegen.config import ConfigError, load_outputs

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
try:
    from hatch_build import commit_of
finally:
    sys.path.remove(str(ROOT))


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def commit(folder: Path, text: str) -> str:
    (folder / "file").write_text(text)
    git(folder, "add", "file")
    git(folder, "commit", "-qm", text)
    return git(folder, "rev-parse", "--short=12", "HEAD")


def test_the_version_of_a_build_names_its_commit(tmp_path: Path) -> None:
    assert commit_of(tmp_path) is None
    git(tmp_path, "init", "-q")
    first = commit(tmp_path, "one")
    assert commit_of(tmp_path) == f"+g{first}"
    git(tmp_path, "tag", "v0.1.0")
    assert commit_of(tmp_path) == ""
    (tmp_path / "file").write_text("edited")
    assert commit_of(tmp_path) == f"+g{first}.dirty"
    second = commit(tmp_path, "two")
    assert commit_of(tmp_path) == f"+g{second}"
    (tmp_path / "inner").mkdir()
    assert commit_of(tmp_path / "inner") is None


def test_builds_fit_their_release() -> None:
    builds = ["0.1.0", "0.1.0+gfff0000", "0.1.0+gaaa0000.dirty", "0.2.0"]
    assert list(SpecifierSet("==0.1.0").filter(builds)) == builds[:3]


def test_a_configuration_can_require_one_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text('[tool.messagegen]\nrequired-version = "0.1.0+gfff0000"\n')
    monkeypatch.setattr(config, "BUILD", "0.1.0+gfff0000")
    load_outputs(file)
    monkeypatch.setattr(config, "BUILD", "0.1.0+gaaa0000")
    with pytest.raises(
        ConfigError, match=r"required-version is 0\.1\.0\+gfff0000, but this is messagegen 0\.1\.0\+gaaa"
    ):
        load_outputs(file)


def test_this_build_knows_its_version() -> None:
    assert Version(build.BUILD).base_version == __version__
