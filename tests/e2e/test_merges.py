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


def branch(repository: Repository, name: str, *specs: str, upgraded: bool = False) -> None:
    """A branch off the first commit that adds messages, written by this messagegen or a newer one."""
    repository.git("checkout", "--quiet", "-b", name, "start")
    for spec in specs:
        repository.write_spec(spec, "Text")
    generate(repository, upgraded=upgraded)
    repository.commit()


def generate(repository: Repository, *, upgraded: bool = False) -> None:
    done = (repository.upgraded if upgraded else repository.messagegen)("generate")
    assert (done.returncode, done.stderr) == (0, "")


def merge(repository: Repository, name: str) -> subprocess.CompletedProcess[str]:
    return repository.run("git", "-c", "user.name=V", "-c", "user.email=v@example.org", "merge", "--no-edit", name)


def conflicts(repository: Repository) -> list[str]:
    return repository.git("diff", "--name-only", "--diff-filter=U").split()


def assert_whole(repository: Repository, *messages: str, upgraded: bool = False) -> None:
    """The output is up to date, nothing is left to mend, and every message can be used."""
    check = repository.upgraded if upgraded else repository.messagegen
    done = check("generate", "--check")
    assert done.returncode == 0, done.stdout + done.stderr
    names = ", ".join(messages)
    assert repository.python(f"from vendor_messages import {names}; print(len([{names}]))") == str(len(messages))


@pytest.fixture
def start(repository: Repository) -> Repository:
    repository.git("tag", "start")
    return repository


def test_changes_of_different_specs_merge_by_themselves(start: Repository) -> None:
    for name, spec in (("ours", "PingRequest"), ("theirs", "PongRequest")):
        start.git("checkout", "--quiet", "-b", name, "start")
        start.write_spec(spec, "Text", "More")
        generate(start)
        start.commit()
    assert merge(start, "ours").returncode == 0
    assert_whole(start, "PingRequest", "PongRequest")


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


@pytest.mark.parametrize(
    ("into", "way"), [("ours", "as it is"), ("theirs", "as it is"), ("theirs", "--ours"), ("theirs", "--theirs")]
)
def test_an_upgrade_on_one_side_is_mended_by_the_newer_messagegen(start: Repository, into: str, way: str) -> None:
    branch(start, "ours", "AckRequest")
    branch(start, "theirs", "NewsRequest", upgraded=True)
    start.git("checkout", "--quiet", into)
    merge(start, "theirs" if into == "ours" else "ours")
    damaged = conflicts(start)
    assert damaged
    if way != "as it is":
        start.git("checkout", way, *damaged)
    generate(start, upgraded=True)
    start.commit()
    assert_whole(start, "AckRequest", "NewsRequest", "PingRequest", "PongRequest", upgraded=True)
    text = (start.output / "ack_request.py").read_text()
    assert "NEWER" in text
