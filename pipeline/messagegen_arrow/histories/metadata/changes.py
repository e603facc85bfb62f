"""The changes that a record of ``__cluster_metadata`` makes: properties and their values, as text."""

from __future__ import annotations

import json
import math
import urllib.parse
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from messagegen_kafka._runtime.secrets import REDACTED

_ACL_RESOURCES: Final = {2: "TOPIC", 3: "GROUP", 4: "CLUSTER", 5: "TRANSACTIONAL_ID", 6: "DELEGATION_TOKEN", 7: "USER"}
_ACL_PATTERNS: Final = {3: "LITERAL", 4: "PREFIXED"}
_ACL_PERMISSIONS: Final = {2: "DENY", 3: "ALLOW"}
_ACL_OPERATIONS: Final = {
    2: "ALL",
    3: "READ",
    4: "WRITE",
    5: "CREATE",
    6: "DELETE",
    7: "ALTER",
    8: "DESCRIBE",
    9: "CLUSTER_ACTION",
    10: "DESCRIBE_CONFIGS",
    11: "ALTER_CONFIGS",
    12: "IDEMPOTENT_WRITE",
    13: "CREATE_TOKENS",
    14: "DESCRIBE_TOKENS",
    15: "TWO_PHASE_COMMIT",
}
_CONFIG_RESOURCES: Final = {2: "topic", 4: "broker", 8: "broker-logger", 16: "client-metrics", 32: "group"}
_SCRAM_MECHANISMS: Final = {1: "SCRAM-SHA-256", 2: "SCRAM-SHA-512"}
_DEFAULT: Final = "<default>"
_CLUSTER: Final = "cluster"
_NOT_QUOTED: Final = ":@/"
"""The characters in names that are not encoded, in addition to letters, digits and ``-._~``."""

ELIGIBLE_LEADER_REPLICAS: Final = "eligibleLeaderReplicas"
LISTS_OF_LEADERS: Final = (ELIGIBLE_LEADER_REPLICAS, "lastKnownElr")
"""The lists of a partition that ``ClearElrRecord`` removes."""
ALL_TOPICS: Final = "<all>"
"""The name in place of a topic's name if a record is about all topics."""
_LISTS: Final = (
    "replicas",
    "isr",
    "addingReplicas",
    "removingReplicas",
    ELIGIBLE_LEADER_REPLICAS,
    "lastKnownElr",
    "directories",
)
"""The fields of a partition that are lists."""
_UNCHANGED_LEADER: Final = -2
_LEAST_WITHOUT_EXPONENT: Final = 1e-3
_LEAST_WITH_EXPONENT: Final = 1e7
"""Java's ``Double.toString`` uses an exponent for numbers below the first limit, and from the second limit on."""
_MOST_DIGITS: Final = 17
"""The number of digits that distinguishes any double from its neighbours."""
_TOKEN_FIELDS: Final = ("owner", "requester", "issueTimestamp", "maxTimestamp", "expirationTimestamp")

Fields = Mapping[str, Any]
"""The fields of a record."""
Parts = Mapping[str, str | None]


SUBJECTS: Final = (
    "topic",
    "partition",
    "config",
    "quota",
    "feature",
    "acl",
    "scram",
    "token",
    "broker",
    "controller",
    "quorum",
    "producer-ids",
    "zk-migration",
)
"""The subjects of changes."""


class Change(NamedTuple):
    """A new value of a property."""

    subject: str
    """The kind of thing that has the property."""
    name: str | None
    """The name of the thing; ``None`` for a topic or partition that the record only names by id."""
    property: str
    value: str | None
    """The new value; ``None`` if the property was removed."""
    topic_id: str | None = None
    partition: str | None = None
    alters: bool = False
    """Whether the thing existed before, even if the log no longer has the record that created it."""
    hides_secret: bool = False
    """Whether a part of the value is hidden, so that different values may have the same text."""
    parts: Parts | None = None
    """The parts of a composite name or value, by Kafka's names; a part that is ``None`` is the default entity."""
    only_if_there: bool = False
    """Whether the removal of a property that does not exist is ignored."""


def changes_of(record_type: str, fields: Fields) -> list[Change]:
    """Return the changes of a record, or an empty list if it changes nothing."""
    read = _CHANGES.get(record_type)
    return [] if read is None else list(read(fields))


def _topic(record: Fields) -> Iterator[Change]:
    yield Change("topic", record["name"], "topicId", record["topicId"], topic_id=record["topicId"])


def _no_topic(record: Fields) -> Iterator[Change]:
    yield Change("topic", None, "topicId", None, topic_id=record["topicId"])


def _cleared(record: Fields) -> Iterator[Change]:
    yield Change("topic", record["topicName"] or ALL_TOPICS, ELIGIBLE_LEADER_REPLICAS, None)


def _partition(record: Fields) -> Iterator[Change]:
    """Yield the properties of a new partition."""
    change = _of_partition(record, alters=False)
    yield change("leader", _text(record["leader"]))
    for name in _LISTS:
        if record[name]:
            yield change(name, _list(record[name]))
    if record["leaderRecoveryState"]:
        yield change("leaderRecoveryState", _text(record["leaderRecoveryState"]))


def _partition_change(record: Fields) -> Iterator[Change]:
    """Yield the changed properties of a partition. Unchanged fields are null or have a number that means unchanged."""
    change = _of_partition(record, alters=True)
    if record["leader"] != _UNCHANGED_LEADER:
        yield change("leader", _text(record["leader"]))
    for name in _LISTS:
        if record[name] is not None:
            yield change(name, _list(record[name]))
    recovery = record["leaderRecoveryState"]
    if recovery is not None and recovery >= 0:
        yield change("leaderRecoveryState", _text(recovery))


def _of_partition(record: Fields, *, alters: bool) -> Callable[[str, str | None], Change]:
    """Return a function that creates changes of a record's partition; they contain the topic's id, not its name."""

    def change(name: str, value: str | None) -> Change:
        return Change(
            subject="partition",
            name=None,
            property=name,
            value=value,
            topic_id=record["topicId"],
            partition=_text(record["partitionId"]),
            alters=alters,
        )

    return change


def _config(record: Fields) -> Iterator[Change]:
    kind = _named(record["resourceType"], _CONFIG_RESOURCES)
    resource = record["resourceName"] or None
    value = record["value"]
    yield Change(
        subject="config",
        name=f"{kind} {_or_default(resource)}",
        property=record["name"],
        value=value,
        hides_secret=value == REDACTED,
        parts={"resourceType": kind, "resource": resource},
    )


def _quota(record: Fields) -> Iterator[Change]:
    entities = sorted(record["entity"], key=lambda each: str(each["entityType"]))
    yield Change(
        subject="quota",
        name=quota_entity_text((each["entityType"], each["entityName"]) for each in entities),
        property=record["key"],
        value=None if record["remove"] else _text(record["value"]),
        parts={each["entityType"]: each["entityName"] for each in entities},
    )


def quota_entity_text(names: Iterable[tuple[str, str | None]]) -> str:
    """Return the types and names of a quota's entity as text; the name ``None`` is the default of a type."""
    return ",".join(f"{_quoted(kind)}={_or_default(name)}" for kind, name in names)


def _or_default(name: str | None) -> str:
    return _DEFAULT if name is None else _quoted(name)


def _quoted(name: str) -> str:
    """Return a name as ``kafka-client-quotas`` writes it, because names may contain commas or be ``<default>``."""
    return urllib.parse.quote(name, safe=_NOT_QUOTED)


def _feature(record: Fields) -> Iterator[Change]:
    level = record["featureLevel"]
    yield Change("feature", record["name"], "level", _text(level) if level > 0 else None)


def _acl(record: Fields) -> Iterator[Change]:
    parts = {
        "principal": record["principal"],
        "permissionType": _named(record["permissionType"], _ACL_PERMISSIONS),
        "operation": _named(record["operation"], _ACL_OPERATIONS),
        "resourceType": _named(record["resourceType"], _ACL_RESOURCES),
        "patternType": _named(record["patternType"], _ACL_PATTERNS),
        "resourceName": record["resourceName"],
        "host": record["host"],
    }
    words = "{principal} {permissionType} {operation} on {resourceType} {patternType} {resourceName} from {host}"
    yield Change("acl", record["id"], "entry", words.format_map(parts), parts=parts)


def _no_acl(record: Fields) -> Iterator[Change]:
    yield Change("acl", record["id"], "entry", None)


def _scram(record: Fields) -> Iterator[Change]:
    """Yield a SCRAM user, without credentials."""
    iterations = str(record["iterations"])
    yield Change(
        subject="scram",
        name=record["name"],
        property=_named(record["mechanism"], _SCRAM_MECHANISMS),
        value=f"iterations={iterations}",
        hides_secret=True,
        parts={"iterations": iterations},
    )


def _no_scram(record: Fields) -> Iterator[Change]:
    yield Change("scram", record["name"], _named(record["mechanism"], _SCRAM_MECHANISMS), None)


def _token(record: Fields) -> Iterator[Change]:
    for field in _TOKEN_FIELDS:
        yield Change("token", record["tokenId"], field, _text(record[field]))


def _no_token(record: Fields) -> Iterator[Change]:
    for field in _TOKEN_FIELDS:
        yield Change("token", record["tokenId"], field, None)


def _broker(record: Fields) -> Iterator[Change]:
    change = partial(Change, "broker", _text(record["brokerId"]))
    yield change("endPoints", _end_points(record["endPoints"]))
    yield change("rack", record["rack"], only_if_there=True)
    yield change("fenced", _text(record["fenced"]))
    if record["inControlledShutdown"] is not None:
        yield change("inControlledShutdown", _text(record["inControlledShutdown"]))


def _broker_change(record: Fields) -> Iterator[Change]:
    for field in ("fenced", "inControlledShutdown"):
        if record[field]:
            yield Change("broker", _text(record["brokerId"]), field, _text(record[field] > 0), alters=True)


def _fenced(record: Fields, *, value: bool) -> Iterator[Change]:
    yield Change("broker", _text(record["id"]), "fenced", _text(value), alters=True)


def _no_broker(record: Fields) -> Iterator[Change]:
    for field in ("endPoints", "rack", "fenced", "inControlledShutdown"):
        yield Change("broker", _text(record["brokerId"]), field, None, alters=field != "endPoints")


def _controller(record: Fields) -> Iterator[Change]:
    yield Change("controller", _text(record["controllerId"]), "endPoints", _end_points(record["endPoints"]))


def _no_controller(record: Fields) -> Iterator[Change]:
    yield Change("controller", _text(record["controllerId"]), "endPoints", None)


def _of_cluster(record: Fields, *, subject: str, field: str, property_: str) -> Iterator[Change]:
    """Yield a number that belongs to the whole cluster."""
    yield Change(subject, _CLUSTER, property_, _text(record[field]))


def _voters(record: Fields) -> Iterator[Change]:
    yield Change("quorum", _CLUSTER, "voters", _list([voter["voterId"] for voter in record["voters"]]))


def _end_points(end_points: list[Fields]) -> str:
    return ",".join(f"{each['name']}://{each['host']}:{each['port']}" for each in end_points)


def _named(number: int, names: Mapping[int, str]) -> str:
    """Return Kafka's name for ``number``, or the number itself if it has none."""
    return names.get(number, str(number))


def _list(values: list[Any]) -> str:
    return json.dumps(values, separators=(",", ":"))


def _text(value: bool | float | str | None) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else java_double(value)


def java_double(value: float) -> str:
    """Return a number as Java and Kafka's own tools print it: ``1.5``, ``2.0E9``, ``Infinity``."""
    if not math.isfinite(value):
        return repr(value).replace("nan", "NaN").replace("inf", "Infinity")
    if value == 0 or _LEAST_WITHOUT_EXPONENT <= abs(value) < _LEAST_WITH_EXPONENT:
        return repr(value)
    # Both languages print the fewest digits that distinguish the number from its neighbours.
    mantissa, exponent = f"{value:.{_digits(value)}e}".split("e")
    return f"{mantissa}E{int(exponent)}"


def _digits(value: float) -> int:
    """Return the number of digits after the point in the shortest text with an exponent; Java prints at least one."""
    for count in range(1, _MOST_DIGITS):
        if float(f"{value:.{count}e}") == value:
            return count
    return _MOST_DIGITS


_CHANGES: Final[Mapping[str, Callable[[Fields], Iterator[Change]]]] = {
    "TopicRecord": _topic,
    "RemoveTopicRecord": _no_topic,
    "ClearElrRecord": _cleared,
    "PartitionRecord": _partition,
    "PartitionChangeRecord": _partition_change,
    "ConfigRecord": _config,
    "ClientQuotaRecord": _quota,
    "FeatureLevelRecord": _feature,
    "AccessControlEntryRecord": _acl,
    "RemoveAccessControlEntryRecord": _no_acl,
    "UserScramCredentialRecord": _scram,
    "RemoveUserScramCredentialRecord": _no_scram,
    "DelegationTokenRecord": _token,
    "RemoveDelegationTokenRecord": _no_token,
    "RegisterBrokerRecord": _broker,
    "BrokerRegistrationChangeRecord": _broker_change,
    "FenceBrokerRecord": partial(_fenced, value=True),
    "UnfenceBrokerRecord": partial(_fenced, value=False),
    "UnregisterBrokerRecord": _no_broker,
    "RegisterControllerRecord": _controller,
    "UnregisterControllerRecord": _no_controller,
    "ProducerIdsRecord": partial(
        _of_cluster, subject="producer-ids", field="nextProducerId", property_="nextProducerId"
    ),
    "ZkMigrationStateRecord": partial(_of_cluster, subject="zk-migration", field="zkMigrationState", property_="state"),
    "LEADER_CHANGE": partial(_of_cluster, subject="quorum", field="leaderId", property_="leaderId"),
    "KRAFT_VERSION": partial(_of_cluster, subject="quorum", field="kRaftVersion", property_="kRaftVersion"),
    "KRAFT_VOTERS": _voters,
}

RECORD_TYPES: Final = tuple(_CHANGES)
"""The types of the records that change something."""
