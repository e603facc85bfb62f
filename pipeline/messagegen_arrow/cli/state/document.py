"""Converts a state to one document of plain values, for JSON and YAML."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from messagegen_arrow.cli.state.sections import CLUSTER, CONFIGS, FEATURES, GROUPS, QUOTAS, STATE, TOPICS
from messagegen_arrow.console.times import iso
from messagegen_arrow.dump.request import Section
from messagegen_arrow.dump.texts import json_lines
from messagegen_arrow.histories.metadata.changes import java_double, quota_entity_text
from messagegen_arrow.streams.stream import stream_of

if TYPE_CHECKING:
    from messagegen_arrow.histories.state.cluster import ClusterState

_TOPIC: Final = "topic"
_SCOPE: Final = "scope"
_COMBINATIONS: Final = (["user"], ["client-id"], ["user", "client-id"], ["ip"])
"""The combinations of entity types that quotas can have."""

_Row = dict[str, Any]


def document(state: ClusterState, sections: Sequence[str]) -> dict[str, Any]:
    """Return the sections of a state, except sections whose logs are missing.

    A document that contains only quotas is a quota file for ``kafka-client-quotas``, which may prune all other quotas.
    """
    found: dict[str, Any] = {}
    for name in sections:
        if name == STATE:
            found[name] = _about(state)
        elif (rows_of := _SECTIONS.get(name)) is not None:
            found |= _if_there(name, rows_of, state)
        elif name in state.tables:
            found[name] = [_without_nothing(row) for row in _rows(state, name)]
    if list(found) == [QUOTAS]:
        found[_SCOPE] = [*_COMBINATIONS]
    return found


def _if_there(name: str, rows_of: Callable[[ClusterState], Any], state: ClusterState) -> dict[str, Any]:
    """Return a dict that contains the section, or an empty dict if the state lacks the table of the section."""
    needed = "commits" if name == GROUPS else name
    return {name: rows_of(state)} if needed in state.tables else {}


def _about(state: ClusterState) -> _Row:
    """Return the time of a state, its last metadata record, and its notes."""
    return {
        "at": None if state.at is None else iso(state.at),
        "metadataOffset": state.metadata_offset,
        "metadataTimestamp": None if state.metadata_time is None else iso(state.metadata_time),
        "notes": [*state.notes],
    }


def _rows(state: ClusterState, table: str) -> Iterator[_Row]:
    """Yield the rows of a table as JSON values."""
    stream = stream_of(state.tables[table])
    for batch in stream:
        for line in json_lines(batch, Section(stream)).to_pylist():
            yield json.loads(line)


def _without_nothing(row: Mapping[str, Any]) -> _Row:
    """Return a row without nulls and empty lists."""
    return {name: value for name, value in row.items() if value is not None and value != []}


def _topics(state: ClusterState) -> list[_Row]:
    partitions: dict[str, list[_Row]] = {}
    for row in _rows(state, "partitions"):
        topic_id = row.pop("topicId")
        del row["topic"]
        always = {"replicas": row["replicas"], "isr": row["isr"]}
        kept = {**_without_nothing(row), **always}
        if not row["leaderRecoveryState"]:
            kept.pop("leaderRecoveryState", None)
        partitions.setdefault(topic_id, []).append(kept)
    configs: dict[str, dict[str, str]] = {}
    for row in _rows(state, "configs"):
        if row["resourceType"] == _TOPIC:
            configs.setdefault(row["resource"], {})[row["config"]] = row["value"]
    return [
        {
            "name": row["topic"],
            "topicId": row["topicId"],
            "configs": configs.get(row["topic"], {}),
            "partitions": partitions.get(row["topicId"], []),
        }
        for row in _rows(state, "topics")
    ]


def _configs(state: ClusterState) -> list[_Row]:
    """Return all configs except topic configs; a null name means the default of the type."""
    found: dict[tuple[str, str | None], _Row] = {}
    for row in _rows(state, "configs"):
        kind, name = row["resourceType"], row["resource"]
        if kind != _TOPIC:
            new = {"type": kind, "name": name, "configs": {}}
            found.setdefault((kind, name), new)["configs"][row["config"]] = row["value"]
    return [*found.values()]


def _quotas(state: ClusterState) -> list[_Row]:
    """Return the entries of a quota file, without NaN and negative infinity, which quota files cannot contain."""
    found: dict[tuple[tuple[str, str | None], ...], _Row] = {}
    for row in state.tables["quotas"].to_pylist():
        value = row["value"]
        if value > -math.inf:
            new = {"entity": dict(row["entity"]), "values": {}}
            found.setdefault(tuple(row["entity"]), new)["values"][row["quota"]] = quota_number(value)
    return [*found.values()]


def left_out_quotas(state: ClusterState) -> list[str]:
    """Return a sentence about each quota whose value a quota file cannot contain."""
    rows = state.tables["quotas"].to_pylist() if "quotas" in state.tables else []
    return [
        f"quotas: {row['quota']} of {quota_entity_text(row['entity'])} is {row['value']}, not a limit; left out"
        for row in rows
        if not row["value"] > -math.inf
    ]


def quota_number(value: float) -> float | int | str:
    """Return a limit, without a decimal point if it is whole. Infinity becomes the word that quota files use for it."""
    if not math.isfinite(value):
        return java_double(value)
    return int(value) if value.is_integer() else value


def _features(state: ClusterState) -> _Row:
    return {row["feature"]: row["level"] for row in _rows(state, "features")}


def _cluster(state: ClusterState) -> _Row:
    return {row["property"]: json.loads(row["value"]) for row in _rows(state, "cluster")}


def _groups(state: ClusterState) -> list[_Row]:
    found: dict[tuple[str, str | None], _Row] = {}
    for row in _rows(state, "commits"):
        group, kind = row.pop("group"), row.pop("groupType")
        is_known = row.pop("isKnown")
        commit = {"topic": row["topic"], "partition": row["partition"], "offset": row["offset"]}
        commit |= _without_nothing(row)
        if not is_known:
            commit["isKnown"] = False
        found.setdefault((group, kind), {"group": group, "groupType": kind, "commits": []})["commits"].append(commit)
    return [*found.values()]


_SECTIONS: Final[Mapping[str, Callable[[ClusterState], Any]]] = {
    TOPICS: _topics,
    CONFIGS: _configs,
    QUOTAS: _quotas,
    FEATURES: _features,
    CLUSTER: _cluster,
    GROUPS: _groups,
}
"""The functions for sections that are not lists of rows."""
