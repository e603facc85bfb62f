"""Commands planted in a repository's files are never run, even if a folder of specs looks like a repository."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import pytest

from messagegen.cli import run
from messagegen.cli.command import _COMMANDS
from messagegen.findings import UsageError
from messagegen.git import read_commit, resolve, run_git, top_of
from release import source
from release.hatch_build import commit_of
from tests.cli.small_repository import ARGUMENTS, CONFIG, SPEC
from tests.support.git import git

ROOT: Final = Path(__file__).parents[2]
MISSING: Final = "1" * 40
HOOKS: Final = ("post-index-change", "post-checkout", "fsmonitor-watchman", "reference-transaction", "pre-auto-gc")

PLANTED: Final = """\
[core]
	repositoryformatversion = 1
	bare = false
	worktree = {work_tree}
	fsmonitor = {command}
	hooksPath = {hooks}
	sshCommand = {command}
	gitProxy = {command}
	askPass = {command}
	pager = {command}
	editor = {command}
	alternateRefsCommand = {command}
[extensions]
	partialClone = origin
[remote "origin"]
	url = {url}
	promisor = true
	uploadpack = {command}
[protocol]
	allow = always
[protocol "ext"]
	allow = always
[protocol "file"]
	allow = always
[credential]
	helper = !{command}
[diff]
	external = {command}
	ignoreSubmodules = none
[log]
	showSignature = true
[gpg]
	program = {command}
[alias]
	rev-parse = !{command}
	ls-tree = !{command}
	cat-file = !{command}
"""
"""A git configuration with a command in every key that can have one."""

GIT_ARGUMENTS: Final[dict[str, Sequence[Sequence[str]]]] = {
    "breaking": [
        [],
        ["--against", "git:origin/main"],
        ["--against", "git:HEAD:specs"],
        ["--specs", "specs", "--against", "git:origin/main"],
        ["--specs", "specs/inner", "--against", "git:main"],
        ["--specs", "specs", "--against", "specs"],
    ],
    "upgrade-report": [
        ["--from", "git:origin/main"],
        ["--from", "git:HEAD", "--to", "git:origin/main"],
        ["--from", "git:origin/main:specs", "--to", "specs/inner"],
        ["--from", "specs", "--to", "git:origin/main", "--specs", "specs/inner"],
    ],
    "merge-specs": [
        ["git:origin/main", "git:HEAD", "--output", "merged"],
        ["git:origin/main:specs", "specs", "--output", "merged"],
    ],
}
"""Arguments of the commands that read commits. ``ARGUMENTS``, from the tests of links, has those of other commands."""

OF_RELEASES: Final = {
    "generator/messagegen/__init__.py": '__version__ = "0.1.0"\n',
    "native/pyproject.toml": 'dynamic = ["version"]\n',
}
"""Files that the export of a commit changes."""


class Trap:
    """A command that creates the file ``sprung`` when it runs."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.sprung = folder / "sprung"
        self.command = folder / "command"
        self._write(self.command)
        self.hooks = folder / "hooks"
        self.hooks.mkdir()
        for name in HOOKS:
            self._write(self.hooks / name)

    def _write(self, file: Path) -> None:
        file.write_text(f"#!/bin/sh\ntouch '{self.sprung}'\nexit 1\n")
        file.chmod(0o755)

    def config(self, url: str, work_tree: str = ".") -> str:
        """Return the text of a git configuration that runs the command."""
        return PLANTED.format(command=self.command, hooks=self.hooks, url=url, work_tree=work_tree)


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    return Trap(tmp_path / "trap")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: a git repository with specs, and the branch ``origin/main``."""
    top = tmp_path / "repository"
    (top / "specs" / "inner").mkdir(parents=True)
    (top / "specs" / "Reading.json").write_text(SPEC)
    (top / "specs" / "inner" / "Other.json").write_text(SPEC.replace("Reading", "Other"))
    (top / "pyproject.toml").write_text(CONFIG.replace("git:HEAD", "git:origin/main"))
    git(top, "init", "--initial-branch=main")
    git(top, "add", ".")
    git(top, "commit", "--message=First")
    git(top, "update-ref", "refs/remotes/origin/main", "HEAD")
    monkeypatch.chdir(top)
    return top


def plant(folder: Path, config: str) -> None:
    """Make a folder look like a bare repository, with branches that name a missing commit."""
    for name in ("objects/info", "refs/heads", "refs/remotes/origin"):
        (folder / name).mkdir(parents=True)
    (folder / "objects" / "info" / "keep").touch()
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "config").write_text(config)
    for name in ("heads/main", "remotes/origin/main"):
        (folder / "refs" / name).write_text(f"{MISSING}\n")


def walk(trap: Trap, capfd: pytest.CaptureFixture[str], commands: Iterable[str] = GIT_ARGUMENTS) -> None:
    """Run ``commands`` with all their arguments, and check that the trap was not sprung."""
    for name in commands:
        for arguments in (*ARGUMENTS.get(name, ()), *GIT_ARGUMENTS.get(name, ())):
            code = run([name, *arguments])
            assert "Traceback" not in capfd.readouterr().err
            assert not trap.sprung.exists(), f"{name} {arguments} ran a command of the repository"
            assert code in {0, 1, 2}


urls = pytest.mark.parametrize("url", [".", "ssh://nowhere/x", "ext::{command}", "git://nowhere/x"])


def test_plain_git_runs_the_planted_command(repository: Path, trap: Trap) -> None:
    """This shows that the trap works. Git runs the command unless the user has forbidden bare repositories."""
    plant(repository / "specs", trap.config("."))
    command = ["git", "-c", "safe.bareRepository=all", "rev-parse", "--verify", "origin/main^{commit}"]
    subprocess.run(command, cwd=repository / "specs", check=False, capture_output=True)
    assert trap.sprung.exists()


@pytest.mark.slow
@urls
@pytest.mark.parametrize("folder", ["specs", "specs/inner", "."])
def test_commands_in_a_planted_bare_repository_are_not_run(
    repository: Path,
    trap: Trap,
    url: str,
    folder: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    plant(repository / folder, trap.config(url.format(command=trap.command)))
    git(repository, "add", ".")
    git(repository, "commit", "--message=Planted")
    walk(trap, capfd, _COMMANDS if url == "." else GIT_ARGUMENTS)
    # The commit is read from the outer repository.
    assert "origin/main:specs/Reading.json" in read_commit("origin/main", [repository / "specs"]).texts
    monkeypatch.chdir(repository / "specs")
    walk(trap, capfd)


@urls
def test_commands_in_a_planted_folder_outside_a_repository_are_not_run(
    repository: Path, trap: Trap, url: str, capfd: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(repository / ".git")
    plant(repository / "specs", trap.config(url.format(command=trap.command)))
    walk(trap, capfd)
    with pytest.raises(UsageError, match="specs is not in a git repository; give a folder of specs to compare with"):
        read_commit("origin/main", [repository / "specs"])


def test_an_invalid_git_folder_or_file_is_an_error(repository: Path, trap: Trap) -> None:
    shutil.rmtree(repository / ".git")
    (repository / ".git").mkdir()
    plant(repository, trap.config("."))
    with pytest.raises(UsageError, match=r"git rev-parse failed|git does not recognize"):
        top_of(repository / "specs")
    shutil.rmtree(repository / ".git")
    (repository / ".git").write_text("gitdir: .\n")
    with pytest.raises(UsageError, match=r"git rev-parse failed|git does not recognize"):
        top_of(repository / "specs")
    assert not trap.sprung.exists()


@pytest.mark.slow
@urls
def test_commands_in_the_git_configuration_of_the_repository_are_not_run(
    repository: Path, trap: Trap, url: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The file ``.git/config`` is trusted, but reading specs and exporting releases need no program except git."""
    for file, text in OF_RELEASES.items():
        (repository / file).parent.mkdir(parents=True)
        (repository / file).write_text(text)
    git(repository, "add", ".")
    git(repository, "commit", "--message=Releases")
    config = trap.config(url.format(command=trap.command), str(repository))
    (repository / ".git" / "config").write_text(config)
    (repository / ".git" / "refs" / "remotes" / "origin" / "main").write_text(f"{MISSING}\n")
    (repository / "specs" / "Reading.json").write_text(SPEC + "\n")
    walk(trap, capfd)
    commit_of(repository)
    monkeypatch.setattr(source, "ROOT", repository)
    source.uncommitted()
    source.tags()
    source.export(repository.parent / "exported")
    with pytest.raises(source.SourceError, match="has no commit origin/main"):
        source.export(repository.parent / "exported", "origin/main")
    assert not trap.sprung.exists()


def test_a_blob_that_a_partial_clone_lacks_is_an_error(repository: Path, trap: Trap) -> None:
    blob = run_git(repository, "rev-parse", "HEAD:specs/Reading.json").decode().strip()
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(UsageError, match=f"lacks the object {blob}, as partial clones do; fetch it without --filter"):
        read_commit("HEAD", [repository / "specs"])
    (repository / ".git" / "config").write_text(trap.config(".", str(repository)))
    with pytest.raises(UsageError, match=r"git cat-file failed|lacks the object"):
        read_commit("HEAD", [repository / "specs"])
    assert not trap.sprung.exists()


def test_commit_names_that_look_like_options_are_refused(repository: Path, trap: Trap) -> None:
    for ref in (f"--output={trap.sprung}", "--exec-path=.", "--git-dir=specs", "-h"):
        with pytest.raises(UsageError, match="has no commit"):
            resolve(repository, ref)
    assert not trap.sprung.exists()


def test_specs_in_a_different_repository_than_the_configuration_are_refused(
    repository: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    git(repository / "specs", "init", "--initial-branch=main")
    git(repository / "specs", "add", ".")
    git(repository / "specs", "commit", "--message=Inner")
    assert run(["breaking", "--against", "git:HEAD"]) == 2
    assert "specs is in a different git repository from" in capfd.readouterr().err
    assert run(["breaking", "--against", "git:HEAD", "--specs", "specs"]) == 0


def test_a_program_in_the_current_folder_is_not_run(
    repository: Path, trap: Trap, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(trap.command, repository / "git")
    monkeypatch.setenv("PATH", ".")
    with pytest.raises(UsageError, match="no git on PATH; give a folder of specs to compare with"):
        read_commit("HEAD", [repository / "specs"])
    assert not trap.sprung.exists()


def test_only_one_module_starts_git() -> None:
    """The rule covers everything except tests."""
    found = []
    for folder in ("generator", "generated", "client", "pipeline", "release", "benchmarks", "docs"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            if '"git"' in text and ("subprocess" in text or "program(" in text):
                found.append(path.relative_to(ROOT).as_posix())
    assert found == ["generator/messagegen/git.py"]
    assert "subprocess" not in (ROOT / "release" / "hatch_build.py").read_text(encoding="utf-8")
