from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from messagegen_client.quotas.calls import alter_client_quotas, describe_client_quotas
from messagegen_client.quotas.entities import ClientQuotaEntity
from messagegen_client.quotas.file.reading import QuotaFile
from messagegen_client.quotas.plan import QuotaPlan, plan_quotas
from tests.client.support.quota_cluster import QuotaCluster, QuotaStore

ALICE = ClientQuotaEntity(user="alice")
BOB = ClientQuotaEntity(user="bob")
APP = ClientQuotaEntity(user="alice", client_id="app")
ADDRESS = ClientQuotaEntity(ip=None)
Current = dict[ClientQuotaEntity, dict[str, float]]

KEYS = st.sampled_from(["producer_byte_rate", "consumer_byte_rate", "request_percentage"])
SOME = st.sampled_from([ALICE, BOB, APP, ADDRESS])
CURRENT = st.dictionaries(SOME, st.dictionaries(KEYS, st.floats(1, 3), min_size=1))
WANTED = st.dictionaries(SOME, st.dictionaries(KEYS, st.none() | st.floats(1, 3)))


def file_of(entries: dict[ClientQuotaEntity, dict[str, float | None]], *scope: frozenset[str]) -> QuotaFile:
    return QuotaFile(entries, frozenset({*map(frozenset, entries), *scope}))


def shown(plan: QuotaPlan) -> list[str]:
    return [
        f"{change.action}{entity.entity}{quota.action}{quota.key} {quota.before} {quota.after}"
        for entity in plan.entities
        for quota in entity.changes
        for change in [entity]
    ]


def test_pruning_only_removes_quotas_of_types_in_the_file() -> None:
    current: Current = {entity: {"a": 1.0, "b": 2.0} for entity in (ALICE, BOB, APP, ADDRESS)}
    pruned = plan_quotas(file_of({ALICE: {"a": 1.0}}), current, prune=True)
    assert shown(pruned) == ["~{user=alice}-b 2.0 None", "-{user=bob}-a 1.0 None", "-{user=bob}-b 2.0 None"]
    assert not plan_quotas(file_of({}), current, prune=True)
    scoped = plan_quotas(file_of({}, frozenset({"ip"})), current, prune=True)
    assert [change.entity for change in scoped.entities] == [ADDRESS]


@given(WANTED, CURRENT, st.booleans())
def test_after_applying_a_plan_the_next_plan_is_empty(
    wanted: dict[ClientQuotaEntity, dict[str, float | None]], current: Current, prune: bool
) -> None:
    store = QuotaStore(entries={entity: dict(values) for entity, values in current.items() if entity is not ADDRESS})

    async def apply() -> QuotaPlan:
        cluster = QuotaCluster(store)
        plan = plan_quotas(file_of(wanted), await describe_client_quotas(cluster), prune=prune)
        results = await alter_client_quotas(cluster, [change.alteration() for change in plan.entities])
        results.raise_for_errors()
        return plan_quotas(file_of(wanted), await describe_client_quotas(cluster), prune=prune)

    assert asyncio.run(apply()) == QuotaPlan(())
    for entity, values in wanted.items():
        for key, value in values.items():
            assert store.entries.get(entity, {}).get(key) == value
