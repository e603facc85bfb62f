"""Cluster ids, which brokers store in their log folders (upstream: ``MetaPropertiesEnsemble``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from messagegen_arrow.files import joined, parent_of, shown
from messagegen_arrow.histories.broker_files import lines_of, shortened
from messagegen_arrow.log.errors import LogPathError
from messagegen_arrow.log.planning import find_logs

_FILE: Final = "meta.properties"
"""The file that brokers write into each of their log folders."""
_KEY: Final = "cluster.id"


def check_one_cluster(paths: Sequence[str], topics: Sequence[str]) -> None:
    """Raise ``LogPathError`` if the folders of these topics' logs have different cluster ids.

    A path without logs is skipped. Unless it has snapshots, the missing logs are reported when it is read later.
    """
    ids: dict[str, str] = {}
    for folder in dict.fromkeys(_brokers_folders(paths, topics)):
        cluster_id = _cluster_id(folder)
        if cluster_id is None:
            continue
        ids[folder] = cluster_id
        first = next(iter(ids))
        if cluster_id != ids[first]:
            raise LogPathError(
                f"{shown(first)} and {shown(folder)} belong to different clusters "
                f"({shortened(ids[first])}, {shortened(cluster_id)}): pass the logs of one cluster only"
            )


def _brokers_folders(paths: Sequence[str], topics: Sequence[str]) -> Iterator[str]:
    """Yield the folders that contain the partition folders of these topics."""
    for path in paths:
        try:
            logs = find_logs([path], topics)
        except LogPathError:
            continue
        yield from (parent_of(log.folder) for log in logs)


def _cluster_id(folder: str) -> str | None:
    """Return the cluster id of a broker's folder; ``None`` if the folder does not contain it."""
    for line in lines_of(joined(folder, _FILE)):
        name, _, value = line.partition("=")
        if name.strip() == _KEY:
            return value.strip()
    return None
