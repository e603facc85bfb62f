"""Writes rendered texts to an output folder, or compares them, without touching files that are not ours.

``docs/design/004-publishing.md`` explains how and why files are replaced this way.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from messagegen.publish.changes import Drift, OutputChanges
from messagegen.publish.manifest import check_paths
from messagegen.publish.survey import check_output, survey
from messagegen.publish.tree import TreeUpdate, locked, recover, update_tree


def plan_changes(files: Mapping[str, str | bytes], output: Path, *, downgrade: bool = False) -> OutputChanges:
    """What :func:`publish` would do with ``files`` (relative POSIX path to text or bytes); writes nothing.

    Raises ``PublishError`` if :func:`publish` would.
    """
    return survey(files, output, downgrade=downgrade).changes


def publish(files: Mapping[str, str | bytes], output: Path, *, downgrade: bool = False) -> OutputChanges:
    """Writes ``files`` (relative POSIX path to text or bytes) and a manifest to ``output``, except those that are up to date.

    A killed run leaves either the old or the new files. Raises ``PublishError``, with nothing written, for a path
    outside ``output``, a file in the way that is not ours, a non-empty folder without a manifest, a link in place of a
    folder, and an output of a newer messagegen, unless ``downgrade`` is set.
    """
    check_output(output)
    check_paths(files)
    output.parent.mkdir(parents=True, exist_ok=True)
    with locked(output.parent):
        recover(output)
        found = survey(files, output, downgrade=downgrade)
        changes = found.changes
        if not changes.up_to_date:
            write = {path: found.wanted[path] for path in changes.written}
            update_tree(output, TreeUpdate(write, changes.stale, found.before, found.new_manifest))
    return changes


def check(files: Mapping[str, str | bytes], output: Path, *, downgrade: bool = False) -> Drift:
    """How ``output`` differs from ``files`` (relative POSIX path to text or bytes); writes nothing.

    Raises ``PublishError`` if :func:`publish` would.
    """
    return survey(files, output, downgrade=downgrade).drift()
