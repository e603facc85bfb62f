"""The merged specs of all releases have the same bytes and values as each release's Java classes, in every version.

A spec with the same text in two releases is compared with the classes of the later release.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, Final

import pytest

from messagegen.evolve.align import align
from messagegen.evolve.compare import compare_specs, pair_messages, parse_texts
from messagegen.evolve.pairs import MessagePair
from messagegen.generation.loading import load_specs
from messagegen.merge import CANNOT_MERGE
from tests.differential.compare import canonical, rows_of
from tests.differential.merged import Everything
from tests.oracle import Oracle, Question
from tests.oracle.fixtures import Row
from tests.oracle.mini_reader import MiniField, MiniSpec, read_spec
from tests.oracle.values import sample
from tests.support.merging import unlisted
from tests.support.specs import OWN

pytestmark = [pytest.mark.java, pytest.mark.slow, pytest.mark.xdist_group("releases")]

NO_RECORDS: Final = "2.7.2"
"""The release whose Java classes can't read records from a buffer."""
COUNTS: Final[Mapping[str, tuple[int, int]]] = {
    "2.4.1": (117, 0),
    "2.5.1": (56, 0),
    "2.6.3": (88, 0),
    "2.7.2": (297, 2),
    "2.8.2": (233, 13),
    "3.0.2": (50, 6),
    "3.1.2": (49, 7),
    "3.2.3": (81, 7),
    "3.3.2": (60, 6),
    "3.4.1": (71, 6),
    "3.5.2": (126, 13),
    "3.6.2": (195, 9),
    "3.7.2": (109, 7),
    "3.8.1": (141, 1),
    "3.9.2": (606, 21),
    "4.0.2": (154, 23),
    "4.1.2": (134, 10),
    "4.2.2": (40, 2),
    "4.3.1": (37, 2),
    "4.4.0": (742, 2),
}
"""The numbers of message and version pairs for each release: compared pairs and changed pairs.

Compared pairs are from specs whose text the next release does not have. Changed pairs are unstable in the release, or
changed by a later release without a new version.
"""


def test_only_version_0_of_offset_commit_key_cannot_be_merged(everything: Everything) -> None:
    refused = [finding for finding in everything.merged.findings if finding.rule == CANNOT_MERGE]
    assert [finding.message.partition(":")[0] for finding in refused] == ["cannot merge OffsetCommitKey of kafka"]
    assert len(refused[0].sets) == 12
    assert refused[0].message.endswith("version 0 is left out; version 0 is now LegacyOffsetCommitKey")
    assert len(everything.merged.texts) == 291


def test_every_breaking_change_of_the_merge_has_a_finding(everything: Everything) -> None:
    for release, one in everything.sets.items():
        assert [*unlisted(one, everything.changes(release), everything.merged)] == []


def test_a_reused_field_name_is_listed(everything: Everything) -> None:
    reused = [finding for finding in everything.merged.findings if "is now the name of another" in finding.message]
    assert [(finding.rule, finding.sets) for finding in reused] == [
        ("FIELD_SAME_NAME", ("kafka:4.1.2", "kafka:4.2.2", "kafka:4.3.1"))
    ]
    assert reused[0].message.startswith('field "AcceptableRecoveryLagLegacy": name was AcceptableRecoveryLag')


def test_released_apis_of_clients_never_changed_without_a_new_version(everything: Everything) -> None:
    """Internal records changed without a new version before they were in use; requests of brokers did so once."""
    released = [finding for finding in everything.merged.findings if "unstable" not in finding.message]
    clients = {finding.file for finding in released if "WIRE" in finding.categories and "kafka-clients" in finding.file}
    assert clients == {
        "kafka:4.4.0/kafka-clients/EndQuorumEpochRequest.json",
        "kafka:4.4.0/kafka-clients/LeaderChangeMessage.json",
    }


def test_no_finding_advises_to_change_a_release(everything: Everything) -> None:
    assert {finding.instead for finding in everything.merged.findings} == {""}


@pytest.mark.parametrize("release", COUNTS)
def test_merged_specs_have_the_bytes_and_values_of_each_release(everything: Everything, release: str) -> None:
    texts = everything.last_texts(release)
    own = load_specs(everything.last_specs(release))
    specs = [read_spec(text.decode("utf-8-sig")) for text in texts]
    changed = everything.changed(release)
    newest = {pair.old.spec.name: pair for pair in pairs(everything, release)}
    keys = renumbered(newest.values())
    compared = 0

    with Oracle(release=release) as oracle:
        live = [spec for spec in specs if spec.versions and not (release == NO_RECORDS and has_records(spec.fields))]
        with_json = [spec for spec in live if oracle.ask(Question("info", spec.name)).parts.get("has_json")]
        without = [spec for spec in live if spec not in with_json]
        rows = [*rows_of(oracle, own, with_json, release, unknown=False), *read_by_java(oracle, own, without, release)]
        for row in rows:
            name, version, data = row["message"], row["version"], bytes.fromhex(row["hex"])
            if (name, version) in changed:
                continue
            pair = newest[name]
            cls: Any = getattr(everything.messages, pair.new.spec.name)
            number = keys.get((name, version), version)
            decoded = cls.decode(data, version=number)
            assert decoded.encode(version=number) == data, (name, version)
            found = decoded.to_json(version=number)
            alike = shape if has_other_names(pair) else canonical
            assert alike(found) == alike(row["json"]), (name, version)
            assert cls.from_json(found, version=number).encode(version=number) == data, (name, version)
            compared += 1
    assert (compared, len(changed)) == COUNTS[release]


def read_by_java(oracle: Oracle, own: ModuleType, specs: Sequence[MiniSpec], release: str) -> Iterator[Row]:
    """Yield values of the release's own specs, for classes without JSON: Java reads and rewrites their bytes."""
    for spec in specs:
        for version in spec.versions:
            value = sample(spec, version, "mixed", seed=release, budget=400)
            message = getattr(own, spec.name).from_json(value.json, version=version)
            data = message.encode(version=version).hex()
            assert oracle.ask(Question("reencode", spec.name, version, hex=data)).hex == data, (spec.name, version)
            yield {"message": spec.name, "version": version, "hex": data, "json": message.to_json(version=version)}


def has_records(fields: Sequence[MiniField]) -> bool:
    return any(each.types[0][1] == "records" or has_records(each.fields) for each in fields)


def pairs(everything: Everything, release: str) -> list[MessagePair]:
    found = pair_messages(everything.specs_of(release), everything.specs, strict=False)
    return [align(old, new) for old, new in found if old and new]


def renumbered(found: Iterable[MessagePair]) -> dict[tuple[str, int], int]:
    """Return keys of coordinators, whose version was the API key before Kafka 4.1."""
    return {
        (pair.old.spec.name, before): after
        for pair in found
        for before, after in pair.numbers.items()
        if before != after
    }


def has_other_names(pair: MessagePair) -> bool:
    return any(
        one.old and one.new and one.old.plan.key != one.new.plan.key
        for struct in pair.structs
        for one in struct.fields
        if one.meetings
    )


def shape(value: Any) -> str:
    """JSON without the names of fields: the values of each struct, sorted."""
    if isinstance(value, dict):
        return canonical(sorted(shape(each) for each in value.values()))
    return canonical([shape(each) for each in value] if isinstance(value, list) else value)


def test_our_own_specs_agree_with_the_merged_specs(everything: Everything) -> None:
    """Our specs may differ: ListOffsetsRequest was extended by hand to versions that Kafka 4.0 dropped."""
    own = parse_texts({path.name: path.read_bytes() for path in OWN.glob("*.json")})
    names = {spec.name for spec in everything.specs}
    changes = compare_specs([spec for spec in own if spec.name in names], everything.specs)
    assert [str(change) for change in changes if "WIRE" in change.categories] == []
