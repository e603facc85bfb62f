"""Branches that each change specs and output: git merges them, or one ``messagegen generate`` mends what it could not."""

from __future__ import annotations

import subprocess

import pytest

from tests.e2e.vendoring import Repository

pytestmark = pytest.mark.exhaustive

UNION = """\
src/vendor_messages/__init__.py merge=union
src/vendor_messages/MANIFEST.json merge=union
"""


def branch(repository: Repository, name: str, *specs: str) -> None:
    """A branch off the first commit that adds messages."""
    repository.git("checkout", "--quiet", "-b", name, "start")
    for spec in specs:
        repository.write_spec(spec, "Text")
    generate(repository)
    repository.commit()


def generate(repository: Repository) -> None:
    done = repository.messagegen("generate")
    assert (done.returncode, done.stderr) == (0, "")


def merge(repository: Repository, name: str) -> subprocess.CompletedProcess[str]:
    return repository.run("git", "-c", "user.name=V", "-c", "user.email=v@example.org", "merge", "--no-edit", name)


def conflicts(repository: Repository) -> list[str]:
    return repository.git("diff", "--name-only", "--diff-filter=U").split()


def assert_whole(repository: Repository, *messages: str) -> None:
    """The output is up to date, nothing is left to mend, and every message can be used."""
    done = repository.messagegen("generate", "--check")
    assert done.returncode == 0, done.stdout + done.stderr
    names = ", ".join(messages)
    assert repository.python(f"from vendor_messages import {names}; print(len([{names}]))") == str(len(messages))


@pytest.fixture
def start(repository: Repository) -> Repository:
    repository.git("tag", "start")
    return repository


@pytest.mark.parametrize("way", ["as it is", "--ours", "--theirs"])
def test_messages_side_by_side_are_mended_by_generate(start: Repository, way: str) -> None:
    branch(start, "ours", "AckRequest")
    branch(start, "theirs", "NewsRequest")
    assert merge(start, "ours").returncode == 1
    damaged = ["src/vendor_messages/MANIFEST.json", "src/vendor_messages/__init__.py"]
    assert conflicts(start) == damaged
    done = start.messagegen("generate", "--check")
    assert done.returncode == 1
    assert {f"{path} has merge conflicts" for path in damaged} <= set(done.stdout.splitlines())
    if way != "as it is":
        start.git("checkout", way, *damaged)
    generate(start)
    start.commit()
    assert_whole(start, "AckRequest", "NewsRequest", "PingRequest", "PongRequest")


def test_with_union_merges_nothing_is_in_conflict(start: Repository) -> None:
    (start.root / ".gitattributes").write_text(UNION)
    start.commit()
    start.git("tag", "--force", "start")
    branch(start, "ours", "AckRequest")
    branch(start, "theirs", "NewsRequest")
    assert merge(start, "ours").returncode == 0
    names = "AckRequest, NewsRequest, PingRequest, PongRequest"
    assert start.python(f"from vendor_messages import {names}; print(1)") == "1"
    generate(start)
    assert_whole(start, *names.split(", "))
