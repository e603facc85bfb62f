"""Rendered texts to disk: comparing and writing an output folder, without ever touching what is not ours.

``docs/design/004-publishing.md`` gives the reasons for the way in which files are replaced.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from messagegen.publish.changes import Drift, OutputChanges
from messagegen.publish.manifest import check_paths
from messagegen.publish.survey import check_output, survey
from messagegen.publish.tree import TreeUpdate, locked, recover, update_tree


def plan_changes(files: Mapping[str, str | bytes], output: Path, *, downgrade: bool = False) -> OutputChanges:
    """What :func:`publish` would do with ``files`` (relative POSIX path to text or bytes); nothing is written.

    Raises ``PublishError`` where it would refuse.
    """
    return survey(files, output, downgrade=downgrade).changes


def publish(files: Mapping[str, str | bytes], output: Path, *, downgrade: bool = False) -> OutputChanges:
    """Makes ``output`` hold ``files`` (relative POSIX path to text or bytes) and its manifest; what is up to date stays untouched.

    A killed run leaves the old files or the new ones. Raises ``PublishError``, with nothing written, for a path
    outside ``output``, a file in the way that is not ours, a filled folder without a manifest, a link where a folder is
    meant, and an output of a newer messagegen, unless ``downgrade`` is set.
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
    """How ``output`` differs from ``files`` (relative POSIX path to text or bytes); nothing is written.

    Raises ``PublishError`` where :func:`publish` would refuse.
    """
    return survey(files, output, downgrade=downgrade).drift()
