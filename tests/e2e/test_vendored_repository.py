"""A scratch repository that vendors generated code: whatever gets out of date is caught, and mended by one command."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import yaml

from tests.e2e.vendoring import Repository

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def test_the_committed_output_is_up_to_date_and_works(repository: Repository) -> None:
    assert repository.messagegen("generate", "--check").returncode == 0
    repository.mend()
    assert repository.status() == ""
    code = "from vendor_messages import PingRequest; print(PingRequest(text='hi').encode(version=1).hex())"
    assert repository.python(code) == "03686900"


def test_a_spec_edit(repository: Repository) -> None:
    repository.write_spec("PingRequest", "Text", "Reply")
    printed = repository.drift()
    assert "src/vendor_messages/ping_request.py would change" in printed
    assert "pong_request.py" not in printed
    repository.mend()
    changed = [line.split()[1] for line in repository.status().splitlines()]
    assert changed == [
        "specs/PingRequest.json",
        "src/vendor_messages/MANIFEST.json",
        "src/vendor_messages/ping_request.py",
    ]
    code = "from vendor_messages import PingRequest; print(PingRequest(text='a', reply='b').encode(version=0).hex())"
    assert repository.python(code) == "000161000162"


def test_a_hook_of_git_stops_a_commit_that_only_deletes_a_spec(repository: Repository) -> None:
    """The check as pre-commit runs it: without names of files, and for every commit."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert {hook["id"] for hook in hooks} == {
        "messagegen-check",
        "messagegen-generate",
        "messagegen-lint",
        "messagegen-fmt",
        "messagegen-breaking",
    }
    # By "files" or "types" pre-commit chooses among files that are there, and passes over a hook that gets none.
    assert all(hook["always_run"] and not hook["pass_filenames"] for hook in hooks)
    assert not any({"files", "types", "types_or"} & hook.keys() for hook in hooks)
    (entry,) = [hook["entry"] for hook in hooks if hook["id"] == "messagegen-check"]
    script = repository.root / ".git" / "hooks" / "pre-commit"
    script.parent.mkdir(exist_ok=True)
    script.write_text(f"#!/bin/sh\nexec {entry.replace('messagegen', f'{sys.executable} -m messagegen.cli', 1)}\n")
    script.chmod(0o755)
    repository.git("rm", "--quiet", "specs/PongRequest.json")
    refused = repository.run("git", "-c", "user.name=V", "-c", "user.email=v@example.org", "commit", "--message", "x")
    assert refused.returncode == 1
    assert "src/vendor_messages/pong_request.py is no longer generated" in refused.stdout + refused.stderr
    repository.mend()
    repository.commit()
    assert repository.status() == ""
