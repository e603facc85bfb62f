"""The properties of a cluster as tables: one for each kind of thing that has properties."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import pyarrow as pa

from messagegen_arrow.histories.metadata.properties import Property
from messagegen_arrow.histories.records import TIMESTAMP

_IDS: Final = pa.list_(pa.int32())
_MICROSECONDS_OF_MILLISECOND: Final = 1000
_MOST_MILLISECONDS: Final = ((1 << 63) - 1) // _MICROSECONDS_OF_MILLISECOND

METADATA_STATE: Final[Mapping[str, pa.Schema]] = {
    "topics": pa.schema([("topic", pa.string()), ("topicId", pa.string())]),
    "partitions": pa.schema(
        [
            ("topic", pa.string()),
            ("topicId", pa.string()),
            ("partition", pa.int32()),
            ("leader", pa.int32()),
            ("replicas", _IDS),
            ("isr", _IDS),
            ("addingReplicas", _IDS),
            ("removingReplicas", _IDS),
            ("eligibleLeaderReplicas", _IDS),
            ("lastKnownElr", _IDS),
            ("leaderRecoveryState", pa.int8()),
            ("directories", pa.list_(pa.string())),
        ]
    ),
    "configs": pa.schema(
        [
            ("resourceType", pa.string()),
            ("resource", pa.string()),
            ("config", pa.string()),
            ("value", pa.string()),
        ]
    ),
    "quotas": pa.schema(
        [
            ("entity", pa.map_(pa.string(), pa.string())),
            ("quota", pa.string()),
            ("value", pa.float64()),
        ]
    ),
    "acls": pa.schema(
        [
            ("id", pa.string()),
            ("principal", pa.string()),
            ("permissionType", pa.string()),
            ("operation", pa.string()),
            ("resourceType", pa.string()),
            ("patternType", pa.string()),
            ("resourceName", pa.string()),
            ("host", pa.string()),
        ]
    ),
    "users": pa.schema([("user", pa.string()), ("mechanism", pa.string()), ("iterations", pa.int32())]),
    "tokens": pa.schema(
        [
            ("tokenId", pa.string()),
            ("owner", pa.string()),
            ("requester", pa.string()),
            ("issueTimestamp", TIMESTAMP),
            ("maxTimestamp", TIMESTAMP),
            ("expirationTimestamp", TIMESTAMP),
        ]
    ),
    "features": pa.schema([("feature", pa.string()), ("level", pa.int16())]),
    "brokers": pa.schema(
        [
            ("broker", pa.int32()),
            ("endPoints", pa.string()),
            ("rack", pa.string()),
            ("fenced", pa.bool_()),
            ("inControlledShutdown", pa.bool_()),
        ]
    ),
    "controllers": pa.schema([("controller", pa.int32()), ("endPoints", pa.string())]),
    "cluster": pa.schema([("property", pa.string()), ("value", pa.string())]),
}
"""The tables of a cluster's metadata, with their columns.

For the default of a type, ``resource`` or the name in ``entity`` is null. Values in ``cluster`` are JSON.
"""

_Row = dict[str, Any]
_OF_CLUSTER: Final = ("quorum", "producer-ids", "zk-migration")
"""The subjects whose properties belong to the whole cluster."""
_ENTITY_TYPES: Final = ("user", "client-id", "ip")
"""The order of entity types, as in ``kafka-client-quotas``."""


class _TableOf(NamedTuple):
    """The definition of a table."""

    subjects: tuple[str, ...]
    """The subjects whose properties it contains."""
    rows: Callable[[Iterable[Property]], Iterator[_Row]]
    order: tuple[str, ...]
    """The columns that its rows are sorted by."""


def metadata_tables(properties: Iterable[Property]) -> dict[str, pa.Table]:
    """Return the tables of ``METADATA_STATE``, with sorted rows."""
    by_subject: dict[str, list[Property]] = {}
    for each in properties:
        by_subject.setdefault(each.subject, []).append(each)
    found = {}
    for name, table in _TABLES.items():
        rows = [*table.rows([each for subject in table.subjects for each in by_subject.get(subject, ())])]
        if name == "partitions":
            _name_topics(rows, by_subject.get("topic", ()))
        found[name] = _table(_sorted(rows, table.order), METADATA_STATE[name])
    return found


def _sorted(rows: Iterable[_Row], columns: Sequence[str]) -> list[_Row]:
    """Return the rows sorted by columns; rows without a value come last."""
    return sorted(rows, key=lambda row: [(row.get(name) is None, row.get(name)) for name in columns])


def _table(rows: Sequence[_Row], schema: pa.Schema) -> pa.Table:
    columns = []
    for each in schema:
        stored = pa.int64() if pa.types.is_timestamp(each.type) else each.type
        columns.append(pa.array([row.get(each.name) for row in rows], stored).cast(each.type))
    return pa.Table.from_arrays(columns, schema=schema)


def _topics(held: Iterable[Property]) -> Iterator[_Row]:
    for each in held:
        if each.property == "topicId":
            yield {"topic": each.name, "topicId": each.value}


def _partitions(held: Iterable[Property]) -> Iterator[_Row]:
    rows: dict[tuple[str | None, str | None], _Row] = {}
    for each in held:
        new = {"topicId": each.topic_id, "partition": int(each.partition or 0)}
        # Records may omit empty lists, so each list is empty until a record sets it.
        nothing = {**dict.fromkeys(_lists(), ()), "leaderRecoveryState": 0}
        row = rows.setdefault((each.topic_id, each.partition), {**new, **nothing})
        row[each.property] = json.loads(each.value)
    yield from rows.values()


def _lists() -> list[str]:
    """Return the names of the list columns in the table ``partitions``."""
    return [each.name for each in METADATA_STATE["partitions"] if pa.types.is_list(each.type)]


def _name_topics(rows: Iterable[_Row], topics: Iterable[Property]) -> None:
    """Set the topic names in rows of partitions."""
    names = {each.topic_id: each.name for each in topics}
    for row in rows:
        row["topic"] = names.get(row["topicId"])


def _configs(held: Iterable[Property]) -> Iterator[_Row]:
    for each in held:
        yield {**(each.parts or {}), "config": each.property, "value": each.value}


def _quotas(held: Iterable[Property]) -> Iterator[_Row]:
    for each in held:
        yield {"entity": _entity(each), "quota": each.property, "value": float(each.value), "name": each.name}


def _entity(quota: Property) -> list[tuple[str, str | None]]:
    """Return the types and names of an entity."""
    names = quota.parts or {}
    types = [*_ENTITY_TYPES, *sorted(names.keys() - {*_ENTITY_TYPES})]
    return [(each, names[each]) for each in types if each in names]


def _acls(held: Iterable[Property]) -> Iterator[_Row]:
    for each in held:
        yield {"id": each.name, **(each.parts or {})}


def _users(held: Iterable[Property]) -> Iterator[_Row]:
    for each in held:
        iterations = (each.parts or {})["iterations"]
        yield {"user": each.name, "mechanism": each.property, "iterations": int(iterations or 0)}


def _features(held: Iterable[Property]) -> Iterator[_Row]:
    for each in held:
        yield {"feature": each.name, "level": int(each.value)}


def _cluster(held: Iterable[Property]) -> Iterator[_Row]:
    for each in held:
        # Snapshots do not contain the leader of the quorum, so it is not part of the state.
        if each.property != "leaderId":
            yield {"property": each.property, "value": each.value}


def _tokens(held: Iterable[Property]) -> Iterator[_Row]:
    return _things(held, "tokenId", str, _time_if_one)


def _brokers(held: Iterable[Property]) -> Iterator[_Row]:
    return _things(held, "broker", int, _of_node)


def _controllers(held: Iterable[Property]) -> Iterator[_Row]:
    return _things(held, "controller", int, _of_node)


def _things(held: Iterable[Property], key: str, key_type: type, value_of: Callable[[str, str], Any]) -> Iterator[_Row]:
    """Yield a row for each thing, with its properties as columns."""
    rows: dict[str | None, _Row] = {}
    for each in held:
        row = rows.setdefault(each.name, {key: key_type(each.name)})
        row[each.property] = value_of(each.property, each.value)
    yield from rows.values()


def _time_if_one(name: str, value: str) -> Any:
    """Return the value in microseconds if it is a timestamp; return other values unchanged."""
    if not name.endswith("Timestamp"):
        return value
    return min(int(value), _MOST_MILLISECONDS) * _MICROSECONDS_OF_MILLISECOND


def _of_node(name: str, value: str) -> Any:
    """Return flags as booleans, and end points sorted by name, because their order differs in snapshots."""
    if name == "endPoints":
        return ",".join(sorted(value.split(",")))
    return value if name == "rack" else value == "true"


_TABLES: Final[Mapping[str, _TableOf]] = {
    "topics": _TableOf(("topic",), _topics, ("topic",)),
    "partitions": _TableOf(("partition",), _partitions, ("topic", "topicId", "partition")),
    "configs": _TableOf(("config",), _configs, ("resourceType", "resource", "config")),
    "quotas": _TableOf(("quota",), _quotas, ("name", "quota")),
    "acls": _TableOf(("acl",), _acls, (*METADATA_STATE["acls"].names[1:], "id")),
    "users": _TableOf(("scram",), _users, ("user", "mechanism")),
    "tokens": _TableOf(("token",), _tokens, ("tokenId",)),
    "features": _TableOf(("feature",), _features, ("feature",)),
    "brokers": _TableOf(("broker",), _brokers, ("broker",)),
    "controllers": _TableOf(("controller",), _controllers, ("controller",)),
    "cluster": _TableOf(_OF_CLUSTER, _cluster, ("property",)),
}
