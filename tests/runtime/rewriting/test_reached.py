"""``rewrite`` reaches the reviewed fields of Kafka's messages; other fields with suggestive names are listed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from messagegen.plan import ops
from messagegen.plan.build import build_plan
from messagegen.spec import parse
from tests.conftest import Golden
from tests.runtime.rewriting.reached import ADDRESSES, ARGUMENTS, Place, Reached, places, reached
from tests.support.releases import RELEASES, fetched

pytestmark = [pytest.mark.java, pytest.mark.slow, pytest.mark.xdist_group("releases")]

FIELDS: Final = Path(__file__).with_name("reached.txt")

ID_TYPES: Final = ("int32", "[]int32")
TEXT_TYPES: Final = ("string", "[]string")
SUGGESTIVE: Final = {
    TEXT_TYPES: re.compile(
        r"Host|Addr|Topic|Group|Transactional|Resource|Coordinator|Endpoint|Name$|^Key$", re.IGNORECASE
    ),
    ID_TYPES: re.compile(
        r"^Id$|Port|Broker|Node|Leader|Controller|Voter|Voted|Candidate|Replica|Isr|Elr|Observer|Successor|Coordinator",
        re.IGNORECASE,
    ),
    ("uint16",): re.compile(r"Port", re.IGNORECASE),
}
"""Patterns of names that suggest a topic, a group, a transactional id, a broker or an address, by types."""

NOT_NAMES: Final = {
    "AssignorName": "an assignor of partitions",
    "CandidateEpoch": "an epoch",
    "ClientHost": "the address of a client, as text without a port",
    "ClientSoftwareName": "a client library",
    "ControllerEpoch": "an epoch",
    "CoordinatorEpoch": "an epoch",
    "CommittedLeaderEpoch": "an epoch",
    "CurrentIsrVersion": "a version",
    "CurrentLeaderEpoch": "an epoch",
    "EntityName": "a user, client id or IP address of a quota",
    "GroupInstanceId": "a member",
    "GroupState": "a state",
    "GroupType": "a kind of group",
    "HostFilter": "the host of a client that an ACL is about",
    "Key": "a key of a quota, config or tag",
    "LeaderEpoch": "an epoch",
    "Name": "something else, by the message: see OTHER_NAMES",
    "Host": "something else, by the message: see OTHER_HOSTS",
    "OwnerPrincipalName": "a principal",
    "Port": "something else, by the message: see OTHER_HOSTS",
    "PrincipalName": "a principal",
    "ProtocolName": "a protocol of assignment",
    "ReplicaEpoch": "an epoch",
    "SourceTopicRegex": "a pattern",
    "SubscribedTopicRegex": "a pattern",
    "TokenRequesterPrincipalName": "a principal",
    "TransactionalIdPattern": "a pattern",
}
"""Fields with such names that no argument reaches, with their contents."""

OTHER_NAMES: Final = re.compile(
    r"\.(Configs|Synonyms|Features|SupportedFeatures|FinalizedFeatures|Listeners|EndPoints|Endpoints|LeaderEndpoints"
    r"|Users|Deletions|Upsertions|ClientAssignors|Assignors|SupportedProtocols|Protocols|ClientMetricsResources"
    r"|Nodes|Processor|Source)\.Name$"
    r"|^(BeginTransactionRecord|ConfigRecord|DefaultPrincipalData|FeatureLevelRecord|RemoveFeatureLevelRecord"
    r"|RemoveUserScramCredentialRecord|UserScramCredentialRecord)\.Name$"
)
"""The paths of other ``Name`` fields.

They name configs, features, listeners, users, assignors, protocols, metrics, and topology nodes.
"""

OTHER_HOSTS: Final = re.compile(
    r"\.(Acls|MatchingAcls|Creations)\.Host$|^AccessControl(Entry)?Record\.Host$|^StreamsGroup.*\.(Host|Port)$"
)
"""The paths of client hosts in ACLs, and of the addresses of Kafka Streams applications."""

BYTES_IN_RESPONSES: Final = {
    "ConsumerGroupDescribeResponse.Groups.Members.Assignment.MetadataBytes": "what members of a group exchange",
    "ConsumerGroupDescribeResponse.Groups.Members.TargetAssignment.MetadataBytes": "what members of a group exchange",
    "ConsumerGroupHeartbeatResponse.Assignment.MetadataBytes": "what members of a group exchange",
    "CreateDelegationTokenResponse.Hmac": "a digest",
    "DescribeDelegationTokenResponse.Tokens.Hmac": "a digest",
    "DescribeGroupsResponse.Groups.Members.MemberAssignment": "what members of a group exchange",
    "DescribeGroupsResponse.Groups.Members.MemberMetadata": "what members of a group exchange",
    "EnvelopeResponse.ResponseData": "a response: the quickstart's proxy refuses the request",
    "FetchResponse.Responses.PartitionResponses.RecordSet": "records",
    "FetchResponse.Responses.Partitions.Records": "records",
    "FetchResponse.Topics.Partitions.Records": "records",
    "FetchSnapshotResponse.Topics.Partitions.UnalignedRecords": "records of the metadata log: as in an envelope",
    "JoinGroupResponse.Members.Metadata": "what members of a group exchange",
    "SaslAuthenticateResponse.AuthBytes": "a SASL token",
    "ShareFetchResponse.Responses.Partitions.Records": "records",
    "SyncGroupResponse.Assignment": "what members of a group exchange",
}
"""The bytes fields in responses, which no argument reaches, with their contents."""


@cache
def plan_of(name: str, text: bytes) -> ops.MessagePlan | None:
    """Return the plan of a spec; ``None`` if it has no versions. It is cached, because releases share most specs."""
    spec = parse(text, name, released=True).spec
    return None if spec is None or spec.valid_versions.empty else build_plan(spec)


def plans(release: str) -> Iterator[ops.MessagePlan]:
    for path, text in fetched(release).texts.items():
        plan = plan_of(Path(path).stem, text)
        if plan is not None:
            yield plan


@cache
def found() -> dict[Reached, list[str]]:
    """Return the reached fields, with their releases."""
    rows: dict[Reached, list[str]] = defaultdict(list)
    for release in RELEASES:
        for plan in plans(release):
            for _, one in reached(plan):
                rows[one].append(release)
    return rows


def lines() -> Iterator[str]:
    every = list(RELEASES)
    for argument in (*ARGUMENTS.values(), ADDRESSES):
        yield f"{argument}:"
        for one in sorted(found(), key=str):
            if one.argument != argument:
                continue
            releases = found()[one]
            between = "" if releases == every else f"  [{releases[0]} to {releases[-1]}]"
            yield f"  {one}{between}"


def test_each_argument_reaches_the_reviewed_fields(golden: Golden) -> None:
    golden(FIELDS, "".join(f"{line}\n" for line in lines()))


def unreached(release: str) -> Iterator[Place]:
    """Yield the fields of a release that no argument reaches."""
    for plan in plans(release):
        paths = {one.path for _, one in reached(plan)}
        yield from (place for place in places(plan) if place.path not in paths)


def test_a_field_is_reached_in_all_releases_that_have_it() -> None:
    wanted = {one.path for one in found()}
    missing = {f"{place.path} in {release}" for release in RELEASES for place in unreached(release)}
    assert [one for one in sorted(missing) if one.partition(" ")[0] in wanted] == []


def test_fields_with_suggestive_names_are_rewritten_or_listed_as_exceptions() -> None:
    unknown = {place.path for release in RELEASES for place in unreached(release) if not is_excepted(place)}
    assert sorted(unknown) == []


def test_every_listed_exception_is_needed() -> None:
    suggestive = {name_of(place) for release in RELEASES for place in unreached(release) if suggests(place)}
    assert sorted(suggestive) == sorted(NOT_NAMES)


def suggests(place: Place) -> bool:
    field = place.field
    return any(field.type in types and pattern.search(field.name) for types, pattern in SUGGESTIVE.items())


def name_of(place: Place) -> str:
    """Return the name of a field with an upper-case first letter. Names in group records begin in lower case."""
    return place.field.name[:1].upper() + place.field.name[1:]


def is_excepted(place: Place) -> bool:
    name = name_of(place)
    if not suggests(place):
        return True
    if name == "Name":
        return OTHER_NAMES.search(place.path) is not None
    if name in ("Host", "Port"):
        return OTHER_HOSTS.search(place.path) is not None
    return name in NOT_NAMES


def test_the_list_of_response_fields_with_bytes_is_complete() -> None:
    found_bytes = {
        place.path
        for release in RELEASES
        for plan in plans(release)
        if plan.name.endswith("Response")
        for place in places(plan)
        if place.field.type.removeprefix("[]") in ("bytes", "records")
    }
    assert sorted(found_bytes) == sorted(BYTES_IN_RESPONSES)
