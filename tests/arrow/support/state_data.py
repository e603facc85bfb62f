"""Changes of a cluster's metadata, some of them random, and snapshots in the brokers' form."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from hypothesis import strategies as st

import messagegen_kafka as kafka
from messagegen_kafka.client_quota_record import EntityData
from tests.arrow.support.history_data import ORDERS, write_log
from tests.arrow.support.internal_records import OFFSETS, Record, coordinator_record, metadata_record
from tests.arrow.support.log_data import TIME, Batch, Data

FOLDER = "__cluster_metadata-0"
HEADER_KEY, FOOTER_KEY = b"\0\0\0\3", b"\0\0\0\4"


def quota(value: float | None, key: str = "producer_byte_rate", **names: str | None) -> Record:
    """Return a quota, or its removal; an underscore in a keyword means a hyphen."""
    entity = tuple(EntityData(entity_type=kind.replace("_", "-"), entity_name=name) for kind, name in names.items())
    return metadata_record(
        kafka.ClientQuotaRecord(entity=entity, key=key, value=value or 0.0, remove=value is None),
    )


def topic(name: str = "orders", topic_id: UUID = ORDERS) -> Record:
    return metadata_record(kafka.TopicRecord(name=name, topic_id=topic_id))


def no_topic(topic_id: UUID = ORDERS) -> Record:
    return metadata_record(kafka.RemoveTopicRecord(topic_id=topic_id))


def partition(topic_id: UUID = ORDERS, number: int = 0, **more: Any) -> Record:
    fields = {"replicas": (1, 2), "isr": (1,), "leader": 1, **more}
    return metadata_record(kafka.PartitionRecord(partition_id=number, topic_id=topic_id, **fields), 2)


def config(value: str | None, name: str = "retention.ms", resource: str = "orders", type_: int = 2) -> Record:
    return metadata_record(kafka.ConfigRecord(resource_type=type_, resource_name=resource, name=name, value=value))


def acl(acl_id: UUID = ORDERS, principal: str = "User:ann") -> Record:
    return metadata_record(
        kafka.AccessControlEntryRecord(
            id=acl_id,
            resource_type=2,
            resource_name="orders",
            pattern_type=4,
            principal=principal,
            host="*",
            operation=3,
            permission_type=3,
        )
    )


def scram(mechanism: int = 1, name: str = "carol", iterations: int = 4096) -> Record:
    return metadata_record(
        kafka.UserScramCredentialRecord(
            name=name, mechanism=mechanism, salt=b"the salt", stored_key=b"stored", iterations=iterations
        )
    )


def write_snapshot(
    folder: Path, end: int, records: Sequence[Record], *, time: int | None = None, epoch: int = 1, whole: bool = True
) -> Path:
    """Write a snapshot up to an offset; ``time`` is in seconds after ``TIME``. Its batches have a different time."""
    last = TIME + 1000 * (end - 1 if time is None else time)
    header = kafka.SnapshotHeaderRecord(version=0, last_contained_log_timestamp=last).encode(version=0)
    batches = [Batch(0, [Data(header, HEADER_KEY)], base_timestamp=5, control=True).encode()]
    for offset, record in enumerate(records, start=1):
        batches.append(Batch(offset, [Data(record.value, record.key)], base_timestamp=5).encode())
    if whole:
        footer = kafka.SnapshotFooterRecord(version=0).encode(version=0)
        end_of_file = Batch(len(records) + 1, [Data(footer, FOOTER_KEY)], base_timestamp=5, control=True)
        batches.append(end_of_file.encode())
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{end:020}-{epoch:010}.checkpoint"
    path.write_bytes(b"".join(batches))
    return path


@st.composite
def metadata_logs(draw: st.DrawFn, most: int = 25) -> list[Record]:
    """Draw changes of a few topics, which are created, deleted and created again, and of their properties."""
    alive: dict[str, UUID] = {}
    records: list[Record] = []
    for number in range(draw(st.integers(1, most))):
        name = draw(st.sampled_from(["orders", "payments"]))
        if name not in alive:
            alive[name] = UUID(int=number + 1)
            records += [topic(name, alive[name]), partition(alive[name]), partition(alive[name], 1)]
        elif draw(st.integers(0, 5)) == 0:
            records.append(no_topic(alive.pop(name)))
        elif draw(st.booleans()):
            records.append(draw(_changes_of_topic(name, alive[name])))
        else:
            records.append(draw(_OTHER_CHANGES))
    return records


def _changes_of_topic(name: str, topic_id: UUID) -> st.SearchStrategy[Record]:
    def change(values: dict[str, Any]) -> Record:
        return metadata_record(kafka.PartitionChangeRecord(topic_id=topic_id, **values), 2)

    lists = st.none() | st.lists(st.integers(1, 4), unique=True, max_size=3).map(tuple)
    fields = st.fixed_dictionaries(
        {
            "partition_id": st.integers(0, 1),
            "isr": lists,
            "leader": st.sampled_from([-2, -1, 1, 2]),
            "eligible_leader_replicas": lists,
            "removing_replicas": lists,
        }
    )
    changed = fields.map(change)
    of_configs = st.builds(config, st.none() | st.sampled_from(["1", "2"]), st.just("retention.ms"), st.just(name))
    cleared = st.sampled_from([name, ""]).map(lambda each: metadata_record(kafka.ClearElrRecord(topic_name=each)))
    return changed | of_configs | cleared


_ENTITIES = st.dictionaries(
    st.sampled_from(["user", "client_id", "ip"]), st.sampled_from([None, "<default>", "a,b=%2C"]), min_size=1
)
_OTHER_CHANGES: st.SearchStrategy[Record] = st.one_of(
    st.builds(lambda names, value: quota(value, **names), _ENTITIES, st.none() | st.sampled_from([1.0, 2.5, 1e9])),
    st.builds(acl, st.builds(UUID, int=st.integers(1, 2)), st.sampled_from(["User:ann", "User:a b ALLOW READ"])),
    st.builds(scram, st.integers(1, 2)),
    st.builds(
        config,
        st.none() | st.just("1"),
        st.just("x"),
        st.sampled_from(["", "1", "<default>"]),
        st.sampled_from([4, 32]),
    ),
    st.sampled_from([None, "a"]).map(
        lambda rack: metadata_record(kafka.RegisterBrokerRecord(broker_id=1, rack=rack), 1)
    ),
    st.sampled_from(
        [
            metadata_record(kafka.RemoveAccessControlEntryRecord(id=UUID(int=1))),
            metadata_record(kafka.RemoveUserScramCredentialRecord(name="carol", mechanism=1)),
            metadata_record(kafka.UnregisterBrokerRecord(broker_id=1)),
            metadata_record(kafka.BeginTransactionRecord(name="t")),
            metadata_record(kafka.EndTransactionRecord()),
            metadata_record(kafka.AbortTransactionRecord()),
            metadata_record(kafka.NoOpRecord()),
        ]
    ),
)


def write_cluster(folder: Path) -> Path:
    """Write a small cluster's logs, with a record every second. Its quotas change in second 20."""
    other = UUID(int=2)
    end_points = tuple(
        kafka.register_broker_record.BrokerEndpoint(name=name, host="b1", port=port)
        for name, port in (("SSL", 9093), ("PLAINTEXT", 9092))
    )
    token = kafka.DelegationTokenRecord(
        owner="User:ann",
        requester="User:ann",
        issue_timestamp=TIME,
        max_timestamp=TIME + 1000,
        expiration_timestamp=TIME + 500,
        token_id="a token",
    )
    records = [
        metadata_record(kafka.FeatureLevelRecord(name="metadata.version", feature_level=30)),
        metadata_record(kafka.RegisterBrokerRecord(broker_id=1, rack="rack-a", fenced=False, end_points=end_points), 1),
        metadata_record(kafka.RegisterControllerRecord(controller_id=1)),
        topic(),
        partition(),
        topic("audits", other),
        partition(other, adding_replicas=(2,), eligible_leader_replicas=(3,), leader_recovery_state=1),
        config("3600000"),
        config("2", "log.cleaner.threads", "", 4),
        config("hunter2", "ssl.key.password", "1", 4),
        acl(),
        scram(),
        quota(1e6, user="ann", client_id=None),
        quota(12.5, "request_percentage", user="ann", client_id=None),
        quota(float("inf"), "controller_mutation_rate", user=None),
        quota(2e9, user="<default>"),
        quota(5, "connection_creation_rate", ip="192.0.2.7"),
        quota(7, user="1e6, \u202e\u00fc \U000e0001"),
        metadata_record(token),
        metadata_record(kafka.ProducerIdsRecord(next_producer_id=1000)),
        quota(2e6, user="ann", client_id=None),
        quota(None, user="<default>"),
    ]
    write_log(folder / FOLDER, records)
    group = coordinator_record(OFFSETS, "GroupMetadata", {"group": "billing"}, kafka.GroupMetadataValue(), 3)
    write_log(folder / f"{OFFSETS}-0", [group, commit(7), commit(9), commit(3, "payments", metadata="by \u202ehand")])
    return folder


def commit(offset: int, topic_name: str = "orders", **more: Any) -> Record:
    """Return a commit of the group ``billing``."""
    key = {"group": "billing", "topic": topic_name, "partition": 0}
    value = kafka.OffsetCommitValue(offset=offset, commit_timestamp=TIME, **more)
    return coordinator_record(OFFSETS, "OffsetCommit", key, value, 3)
