"""Runs the script from the page about restoring topics, and reads and writes committed offsets."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import kafka  # type: ignore[import-untyped]
import kafka.structs  # type: ignore[import-untyped]

from tests.broker.waiting import eventually
from tests.docs.examples import blocks

# kafka-python has no type annotations.
KAFKA: Final[Any] = kafka
PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "restoring-topics.md"
SCRIPT: Final = "commit_offsets.py"

Commits = dict[tuple[str, int], tuple[int, str]]
"""The committed offset and metadata by topic and partition."""


def run_script(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the unchanged script from the page in a folder."""
    (text,) = (block.text for block in blocks(PAGE.read_text(encoding="utf-8")) if block.second == SCRIPT)
    (folder / SCRIPT).write_text(text, encoding="utf-8")
    command = [sys.executable, SCRIPT, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=60)


def commit(bootstrap: str, group: str, commits: Commits) -> None:
    """Commit offsets and metadata for a group without members."""
    with KAFKA.KafkaAdminClient(bootstrap_servers=bootstrap) as admin:
        metadata_of = KAFKA.structs.OffsetAndMetadata
        offsets = {KAFKA.TopicPartition(*place): metadata_of(*each) for place, each in commits.items()}

        def is_done() -> bool:
            # A new cluster has no coordinator of the group yet, or the coordinator is still loading.
            try:
                errors = admin.alter_group_offsets(group, offsets).values()
            except KAFKA.errors.CoordinatorNotAvailableError:
                return False
            return not any(error.errno for error in errors)

        eventually(is_done)


def committed(bootstrap: str, group: str) -> Commits:
    """Return the commits of a group, ordered by topic and partition."""
    with KAFKA.KafkaAdminClient(bootstrap_servers=bootstrap) as admin:
        found = admin.list_group_offsets({group: None})[group]
    return {tuple(place): (each.offset, each.metadata) for place, each in sorted(found.items())}
