"""A check passes only if a run into an empty folder would write the same files, and a run always produces these files.

If it is set, ``MESSAGEGEN_STEPS`` is the number of steps in this process. For each 200 of these steps, one step runs in
a new process.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import ClassVar, Final

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.cli.drift import truth
from tests.cli.drift.commands import Command, by_process, in_process, remembered
from tests.cli.drift.truth import MANIFEST, Tree
from tests.cli.drift.versions import VERSIONS
from tests.cli.drift.world import INCLUDES, LICENCES, NAMES, PLANTED, TYPES, USERS, World
from tests.support.killing import small_disk
from tests.support.profiles import scaled

DISK: Final = 8 * 1024
"""The size of the disk in KB."""
STEPS: Final = int(os.environ.get("MESSAGEGEN_STEPS", "0"))
LENGTH: Final = 50
"""The number of steps in one example."""
NUMBERS: Final = st.integers(0, 2**20)
SHORT_LENGTH: Final = 10
"""The number of steps in one example if each run is a new process."""


class Machine(RuleBasedStateMachine):
    """Random changes happen to a repository, and after each change the check must report the right files."""

    command: ClassVar[Command] = staticmethod(in_process)
    disk: ClassVar[Path]
    is_small: ClassVar[bool] = False
    expected: ClassVar[dict[object, Tree]] = {}
    steps: ClassVar[int] = 0

    def __init__(self) -> None:
        super().__init__()
        self.work = tempfile.TemporaryDirectory(dir=self.disk)
        self.world = World(Path(self.work.name) / "repository", type(self).command, self.expected)

    def teardown(self) -> None:
        self.work.cleanup()

    def commit_at(self, number: int) -> Tree:
        """Return the commit that ``number`` selects."""
        return self.world.commits[number % len(self.world.commits)]

    def generated_at(self, number: int) -> list[str]:
        """Return a list with the generated file that ``number`` selects, or an empty list if no such file exists."""
        paths = sorted(self.world.tree().keys() - USERS.keys() - PLANTED.keys() - {MANIFEST})
        return [paths[number % len(paths)]] if paths else []

    @initialize()
    def start(self) -> None:
        """Begin with two commits. The second has one more spec."""
        self.world.write_spec("OrderPaid", "int64")
        self.world.generate()
        self.world.commit()

    @rule(name=st.sampled_from(NAMES), kind=st.sampled_from(TYPES))
    def write_spec(self, name: str, kind: str) -> None:
        self.world.write_spec(name, kind)

    @rule(name=st.sampled_from(NAMES))
    def remove_spec(self, name: str) -> None:
        self.world.remove_spec(name)

    @rule(include=st.sampled_from(INCLUDES), licence=st.sampled_from(LICENCES), codes=st.booleans())
    def change_settings(self, include: tuple[str, ...], licence: str, codes: bool) -> None:
        self.world.write_settings(include, licence, codes=codes)

    @rule(version=st.sampled_from(VERSIONS))
    def change_version(self, version: str) -> None:
        self.world.version = version

    @rule()
    def commit(self) -> None:
        self.world.commit()

    @rule(commit=NUMBERS, part=st.sampled_from(["all", "specs", "output", "manifest", "code"]))
    def revert(self, commit: int, part: str) -> None:
        chosen: dict[str, Callable[[str], bool]] = {
            "all": lambda _: True,
            "specs": lambda path: path.startswith(("specs/", "pyproject")),
            "output": lambda path: path.startswith("src/"),
            "manifest": lambda path: path.endswith(MANIFEST),
            "code": lambda path: path.startswith("src/") and not path.endswith(MANIFEST),
        }
        self.world.restore(self.commit_at(commit), chosen[part])

    @rule(commit=NUMBERS, file=NUMBERS)
    def take_a_file(self, commit: int, file: int) -> None:
        tree = self.commit_at(commit)
        path = sorted(tree)[file % len(tree)]
        self.world.restore(tree, lambda each: each == path)

    @rule(ours=NUMBERS, theirs=NUMBERS, seed=NUMBERS)
    def merge(self, ours: int, theirs: int, seed: int) -> None:
        self.world.merge(self.commit_at(ours), self.commit_at(theirs), seed)

    @rule(file=NUMBERS, front=st.booleans(), sign=st.booleans())
    def edit(self, file: int, front: bool, sign: bool) -> None:
        for path in self.generated_at(file):
            self.world.edit(path, front=front, sign=sign)

    @rule(file=NUMBERS)
    def remove(self, file: int) -> None:
        for path in self.generated_at(file):
            self.world.remove(path)

    @rule()
    def remove_manifest(self) -> None:
        self.world.remove(MANIFEST)

    @precondition(lambda self: MANIFEST in self.world.tree())
    @rule(how=st.sampled_from(["conflict", "lines", "other"]))
    def break_manifest(self, how: str) -> None:
        self.world.break_manifest(how)

    @rule(file=NUMBERS, every=st.booleans())
    def to_windows(self, file: int, every: bool) -> None:
        written = self.world.tree().keys() - USERS.keys() - PLANTED.keys()
        for path in sorted(written) if every else self.generated_at(file):
            self.world.to_windows(path)

    @rule(path=st.sampled_from(["signed.py", "_runtime/signed.py", "messages/signed.html", "order_paid.py"]))
    def sign_module(self, path: str) -> None:
        self.world.sign_module(path)

    @rule(path=st.sampled_from(sorted(PLANTED)))
    def plant(self, path: str) -> None:
        self.world.add(path, PLANTED[path])

    @rule()
    def remove_planted(self) -> None:
        for path in PLANTED.keys() & self.world.tree().keys():
            self.world.remove(path)

    @rule(path=st.sampled_from(sorted(USERS)))
    def write_file_of_user(self, path: str) -> None:
        self.world.add(path, USERS[path])

    @rule(step=st.integers(1, 30))
    def kill(self, step: int) -> None:
        users = self.world.users()
        self.world.kill(step)
        assert self.world.users() == users

    @precondition(lambda self: self.is_small)
    @rule(kilobytes=st.integers(0, 64))
    def fill_disk(self, kilobytes: int) -> None:
        users = self.world.users()
        self.world.fill_disk(self.disk, kilobytes)
        assert self.world.users() == users

    @rule()
    def generate(self) -> None:
        before, users, expected = self.world.tree(), self.world.users(), self.world.expected()
        code = self.world.generate()
        after = self.world.tree()
        assert self.world.users() == users
        if code == 0:
            left = truth.problems(after, expected, self.world.version)
            assert all(truth.is_loaded(path, after[path]) and not truth.is_ours(path, before) for path in left), left
            assert all(path in before for path in left)
        else:
            assert code == 2
            assert truth.blocked(before, expected, self.world.version)
            assert after == before

    @invariant()
    def check(self) -> None:
        code = self.world.check()
        tree, expected = self.world.tree(), self.world.expected()
        found = truth.problems(tree, expected, self.world.version)
        assert (code == 0) == (not found), (code, found)
        assert code in (0, 1) or truth.blocked(tree, expected, self.world.version)
        type(self).steps += 1


class Processes(Machine):
    """The machine with a new process for each run."""

    command = staticmethod(by_process)


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, bool]]:
    """A folder, and whether it is a separate small disk."""
    folder = tmp_path_factory.mktemp("disk")
    with ExitStack() as stack:
        try:
            stack.enter_context(small_disk(folder, DISK))
            is_small = True
        except pytest.skip.Exception:
            is_small = False
        stack.enter_context(remembered())
        yield folder, is_small


def run_machine(machine: type[Machine], disk: tuple[Path, bool], examples: int, length: int) -> None:
    machine.disk, machine.is_small = disk
    machine.steps = 0
    # Long runs do not shrink failures.
    phases = [Phase.generate] if STEPS else [Phase.generate, Phase.shrink]
    run_state_machine_as_test(
        machine, settings=settings(max_examples=examples, stateful_step_count=length, phases=phases)
    )
    sys.stdout.write(f"{machine.__name__}: {machine.steps} steps checked\n")


@pytest.mark.slow
def test_check_passes_only_if_the_code_matches_the_specs(disk: tuple[Path, bool]) -> None:
    run_machine(Machine, disk, STEPS // LENGTH or scaled(40), LENGTH)


@pytest.mark.slow
def test_the_command_passes_only_if_the_code_matches_the_specs(disk: tuple[Path, bool]) -> None:
    run_machine(Processes, disk, STEPS // 200 // SHORT_LENGTH or scaled(5), SHORT_LENGTH)
