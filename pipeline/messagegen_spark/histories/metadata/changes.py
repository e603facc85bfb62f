"""What one record of ``__cluster_metadata`` changes, as expressions: an array of properties and their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Final

from pyspark.sql import Column
from pyspark.sql import functions as sql

CHANGE_FIELDS: Final = ("subject", "name", "topicId", "partitionId", "property", "value", "alters")
"""The fields of a change. ``alters``: it speaks of what is there already, whatever the log still knows of that."""

_ACL_RESOURCES: Final = {2: "TOPIC", 3: "GROUP", 4: "CLUSTER", 5: "TRANSACTIONAL_ID", 6: "DELEGATION_TOKEN", 7: "USER"}
_ACL_PATTERNS: Final = {3: "LITERAL", 4: "PREFIXED"}
_ACL_PERMISSIONS: Final = {2: "DENY", 3: "ALLOW"}
_ACL_OPERATIONS: Final = dict(
    enumerate(
        (
            "ALL",
            "READ",
            "WRITE",
            "CREATE",
            "DELETE",
            "ALTER",
            "DESCRIBE",
            "CLUSTER_ACTION",
            "DESCRIBE_CONFIGS",
            "ALTER_CONFIGS",
            "IDEMPOTENT_WRITE",
            "CREATE_TOKENS",
            "DESCRIBE_TOKENS",
            "TWO_PHASE_COMMIT",
        ),
        start=2,
    )
)
_CONFIG_RESOURCES: Final = {2: "topic", 4: "broker", 8: "broker-logger", 16: "client-metrics", 32: "group"}
_SCRAM_MECHANISMS: Final = {1: "SCRAM-SHA-256", 2: "SCRAM-SHA-512"}
_DEFAULT: Final = "<default>"


def changes_of_record() -> Column:
    """An array of structs of ``CHANGE_FIELDS``, all but the last one text; empty for records that change nothing."""
    records = _changes_by_type()
    first, *others = records
    cases = sql.when(sql.col("recordType") == first, _said(records[first]))
    cases = reduce(lambda so_far, name: so_far.when(sql.col("recordType") == name, _said(records[name])), others, cases)
    return sql.coalesce(cases, sql.array())


def _said(changes: Sequence[Column]) -> Column:
    """The changes of which the record says something."""
    return sql.filter(sql.array(*changes), lambda change: change["isSaid"])


def _change(  # noqa: PLR0913 - the fields of a change
    subject: str,
    property_: str | Column,
    value: Column | None,
    *,
    name: Column | None = None,
    topic_id: Column | None = None,
    partition: Column | None = None,
    is_said: Column | None = None,
    alters: bool = False,
) -> Column:
    nothing = sql.lit(None).cast("string")
    fields = {
        "subject": sql.lit(subject),
        "name": nothing if name is None else name.cast("string"),
        "topicId": nothing if topic_id is None else topic_id,
        "partitionId": nothing if partition is None else partition.cast("string"),
        "property": sql.lit(property_) if isinstance(property_, str) else property_,
        "value": nothing if value is None else value.cast("string"),
        "alters": sql.lit(alters),
        "isSaid": sql.lit(col=True) if is_said is None else sql.coalesce(is_said, sql.lit(col=False)),
    }
    return sql.struct(*(column.alias(field) for field, column in fields.items()))


def _changes_by_type() -> dict[str, Sequence[Column]]:
    return {
        **_topics(),
        **_partitions(),
        **_configs_and_quotas(),
        **_security(),
        **_nodes(),
    }


def _topics() -> dict[str, Sequence[Column]]:
    topic, removed, cleared = (sql.col(name) for name in ("TopicRecord", "RemoveTopicRecord", "ClearElrRecord"))
    all_topics = sql.when(cleared["topicName"] == "", "<all>").otherwise(cleared["topicName"])
    return {
        "TopicRecord": [_change("topic", "topicId", topic["topicId"], name=topic["name"], topic_id=topic["topicId"])],
        "RemoveTopicRecord": [_change("topic", "topicId", None, topic_id=removed["topicId"])],
        "ClearElrRecord": [_change("topic", "eligibleLeaderReplicas", None, name=all_topics)],
    }


def _partitions() -> dict[str, Sequence[Column]]:
    """Of a new partition what it has, and of a change what it says; lists of which nothing is said are null."""
    always = ("replicas", "isr")
    lists = (*always, "addingReplicas", "removingReplicas", "eligibleLeaderReplicas", "lastKnownElr", "directories")
    made, changed = sql.col("PartitionRecord"), sql.col("PartitionChangeRecord")
    return {
        "PartitionRecord": [
            _of_partition(made, "leader", made["leader"]),
            *(_of_partition(made, name, sql.to_json(made[name]), sql.size(made[name]) > 0) for name in lists),
            _of_partition(made, "leaderRecoveryState", made["leaderRecoveryState"], made["leaderRecoveryState"] != 0),
        ],
        "PartitionChangeRecord": [
            _of_partition(changed, "leader", changed["leader"], changed["leader"] != -2, alters=True),
            *(
                _of_partition(changed, name, sql.to_json(changed[name]), changed[name].isNotNull(), alters=True)
                for name in lists
            ),
            _of_partition(
                changed,
                "leaderRecoveryState",
                changed["leaderRecoveryState"],
                changed["leaderRecoveryState"] >= 0,
                alters=True,
            ),
        ],
    }


def _of_partition(
    record: Column, name: str, value: Column, is_said: Column | None = None, *, alters: bool = False
) -> Column:
    return _change(
        "partition",
        name,
        value,
        topic_id=record["topicId"],
        partition=record["partitionId"],
        is_said=is_said,
        alters=alters,
    )


def _configs_and_quotas() -> dict[str, Sequence[Column]]:
    config, quota, feature = (sql.col(name) for name in ("ConfigRecord", "ClientQuotaRecord", "FeatureLevelRecord"))
    resource = sql.when(config["resourceName"] == "", _DEFAULT).otherwise(config["resourceName"])
    config_name = sql.concat_ws(" ", _named(config["resourceType"], _CONFIG_RESOURCES), resource)
    entities = sql.transform(
        sql.array_sort(quota["entity"]),
        lambda each: sql.concat(each["entityType"], sql.lit("="), sql.coalesce(each["entityName"], sql.lit(_DEFAULT))),
    )
    level = sql.when(feature["featureLevel"] > 0, feature["featureLevel"])
    return {
        "ConfigRecord": [_change("config", config["name"], config["value"], name=config_name)],
        "ClientQuotaRecord": [
            _change(
                "quota", quota["key"], sql.when(~quota["remove"], quota["value"]), name=sql.array_join(entities, ",")
            )
        ],
        "FeatureLevelRecord": [_change("feature", "level", level, name=feature["name"])],
    }


def _security() -> dict[str, Sequence[Column]]:
    """ACLs, SCRAM users and tokens, each without what would let somebody in."""
    acl, no_acl = sql.col("AccessControlEntryRecord"), sql.col("RemoveAccessControlEntryRecord")
    scram, no_scram = sql.col("UserScramCredentialRecord"), sql.col("RemoveUserScramCredentialRecord")
    token, no_token = sql.col("DelegationTokenRecord"), sql.col("RemoveDelegationTokenRecord")
    words = (
        acl["principal"],
        _named(acl["permissionType"], _ACL_PERMISSIONS),
        _named(acl["operation"], _ACL_OPERATIONS),
        sql.lit("on"),
        _named(acl["resourceType"], _ACL_RESOURCES),
        _named(acl["patternType"], _ACL_PATTERNS),
        acl["resourceName"],
        sql.lit("from"),
        acl["host"],
    )
    iterations = sql.concat(sql.lit("iterations="), scram["iterations"])
    token_fields = ("owner", "requester", "issueTimestamp", "maxTimestamp", "expirationTimestamp")
    return {
        "AccessControlEntryRecord": [_change("acl", "entry", sql.concat_ws(" ", *words), name=acl["id"])],
        "RemoveAccessControlEntryRecord": [_change("acl", "entry", None, name=no_acl["id"])],
        "UserScramCredentialRecord": [
            _change("scram", _named(scram["mechanism"], _SCRAM_MECHANISMS), iterations, name=scram["name"])
        ],
        "RemoveUserScramCredentialRecord": [
            _change("scram", _named(no_scram["mechanism"], _SCRAM_MECHANISMS), None, name=no_scram["name"])
        ],
        "DelegationTokenRecord": [
            _change("token", field, token[field], name=token["tokenId"]) for field in token_fields
        ],
        "RemoveDelegationTokenRecord": [
            _change("token", field, None, name=no_token["tokenId"]) for field in token_fields
        ],
    }


def _nodes() -> dict[str, Sequence[Column]]:
    """Brokers, controllers, and what they agree on."""
    broker, changed = sql.col("RegisterBrokerRecord"), sql.col("BrokerRegistrationChangeRecord")
    gone, controller = sql.col("UnregisterBrokerRecord"), sql.col("RegisterControllerRecord")
    fenced, unfenced = sql.col("FenceBrokerRecord"), sql.col("UnfenceBrokerRecord")
    producers, migration = sql.col("ProducerIdsRecord"), sql.col("ZkMigrationStateRecord")
    leader, kraft = sql.col("LEADER_CHANGE"), sql.col("KRAFT_VERSION")
    shutdown = changed["inControlledShutdown"]
    return {
        "RegisterBrokerRecord": [
            _change("broker", "endPoints", _end_points(broker["endPoints"]), name=broker["brokerId"]),
            _change("broker", "rack", broker["rack"], name=broker["brokerId"], is_said=broker["rack"].isNotNull()),
            _change("broker", "fenced", broker["fenced"], name=broker["brokerId"]),
            _change(
                "broker",
                "inControlledShutdown",
                broker["inControlledShutdown"],
                name=broker["brokerId"],
                is_said=broker["inControlledShutdown"].isNotNull(),
            ),
        ],
        "BrokerRegistrationChangeRecord": [
            _change(
                "broker",
                "fenced",
                changed["fenced"] > 0,
                name=changed["brokerId"],
                is_said=changed["fenced"] != 0,
                alters=True,
            ),
            _change(
                "broker",
                "inControlledShutdown",
                shutdown > 0,
                name=changed["brokerId"],
                is_said=shutdown != 0,
                alters=True,
            ),
        ],
        "FenceBrokerRecord": [_change("broker", "fenced", sql.lit("true"), name=fenced["id"], alters=True)],
        "UnfenceBrokerRecord": [_change("broker", "fenced", sql.lit("false"), name=unfenced["id"], alters=True)],
        "UnregisterBrokerRecord": [
            _change("broker", field, None, name=gone["brokerId"], alters=field != "endPoints")
            for field in ("endPoints", "rack", "fenced", "inControlledShutdown")
        ],
        "RegisterControllerRecord": [
            _change("controller", "endPoints", _end_points(controller["endPoints"]), name=controller["controllerId"])
        ],
        "UnregisterControllerRecord": [
            _change("controller", "endPoints", None, name=sql.col("UnregisterControllerRecord.controllerId"))
        ],
        "ProducerIdsRecord": [
            _change("producer-ids", "nextProducerId", producers["nextProducerId"], name=sql.lit("cluster"))
        ],
        "ZkMigrationStateRecord": [
            _change("zk-migration", "state", migration["zkMigrationState"], name=sql.lit("cluster"))
        ],
        "LEADER_CHANGE": [_change("quorum", "leaderId", leader["leaderId"], name=sql.lit("cluster"))],
        "KRAFT_VERSION": [_change("quorum", "kRaftVersion", kraft["kRaftVersion"], name=sql.lit("cluster"))],
        "KRAFT_VOTERS": [
            _change(
                "quorum",
                "voters",
                sql.to_json(sql.transform(sql.col("KRAFT_VOTERS.voters"), lambda voter: voter["voterId"])),
                name=sql.lit("cluster"),
            )
        ],
    }


def _end_points(end_points: Column) -> Column:
    return sql.array_join(
        sql.transform(
            end_points,
            lambda each: sql.concat(
                each["name"], sql.lit("://"), each["host"], sql.lit(":"), each["port"].cast("string")
            ),
        ),
        ",",
    )


def _named(number: Column, names: Mapping[int, str]) -> Column:
    """Kafka's word for a number, or the number where there is none."""
    first, *others = names
    cases = sql.when(number == first, names[first])
    for other in others:
        cases = cases.when(number == other, names[other])
    return cases.otherwise(number.cast("string"))


RECORD_TYPES: Final = (
    "TopicRecord",
    "RemoveTopicRecord",
    "ClearElrRecord",
    "PartitionRecord",
    "PartitionChangeRecord",
    "ConfigRecord",
    "ClientQuotaRecord",
    "FeatureLevelRecord",
    "AccessControlEntryRecord",
    "RemoveAccessControlEntryRecord",
    "UserScramCredentialRecord",
    "RemoveUserScramCredentialRecord",
    "DelegationTokenRecord",
    "RemoveDelegationTokenRecord",
    "RegisterBrokerRecord",
    "BrokerRegistrationChangeRecord",
    "FenceBrokerRecord",
    "UnfenceBrokerRecord",
    "UnregisterBrokerRecord",
    "RegisterControllerRecord",
    "UnregisterControllerRecord",
    "ProducerIdsRecord",
    "ZkMigrationStateRecord",
    "LEADER_CHANGE",
    "KRAFT_VERSION",
    "KRAFT_VOTERS",
)
"""The records that change something; transactions are told by their type alone."""
