"""Byte vectors of structs, tag sections and whole messages, written by hand from Kafka's protocol guide and the KIPs."""

# ruff: noqa: ISC001 - each literal is one part of a message, with its meaning beside it

from __future__ import annotations

from typing import Any

from messagegen_kafka import ListOffsetsRequest, MetadataRequest, RequestHeader
from messagegen_kafka.list_offsets_request import ListOffsetsPartition, ListOffsetsTopic
from messagegen_kafka.metadata_request import MetadataRequestTopic
from tests.support.specs import class_of, made

TAGGED: dict[str, object] = {"tag": 0, "taggedVersions": "0+"}


class TestNullableStructs:
    """KIP-893: an int8 before the struct, -1 for null and 1 otherwise; inside a tag's size a varint, 0 for null and 1 otherwise."""

    FIELDS: tuple[dict[str, object], ...] = ({"name": "X", "type": "int16", "versions": "0+"},)

    def message(self, **properties: object) -> Any:
        part = {"name": "F", "type": "Part", "versions": "0+", "fields": self.FIELDS, **properties}
        return made(part, flexibleVersions="0+")

    def check(self, message: Any, value: Any, data: bytes) -> None:
        part = class_of(message, "Part")
        whole = message(f=None if value is None else part(x=value))
        assert whole.encode(version=0) == data
        assert message.decode(data, version=0) == whole

    def test_untagged(self) -> None:
        message = self.message(nullableVersions="0+")
        self.check(message, None, b"\xff" b"\x00")  # null; no tagged fields
        self.check(message, 7, b"\x01" b"\x00\x07" b"\x00" b"\x00")  # there; X; its tagged fields; the message's

    def test_any_other_sign_reads_as_there_or_not(self) -> None:
        message = self.message(nullableVersions="0+")
        assert message.decode(b"\x80" b"\x00", version=0).f is None  # -128
        assert message.decode(b"\x00" b"\x00\x07" b"\x00" b"\x00", version=0).f.x == 7  # 0

    def test_not_nullable(self) -> None:
        self.check(self.message(), 7, b"\x00\x07" b"\x00" b"\x00")

    def test_tagged(self) -> None:
        message = self.message(nullableVersions="0+", default="null", **TAGGED)
        self.check(message, None, b"\x00")  # the default
        self.check(
            message, 7, b"\x01" b"\x00" b"\x04" b"\x01" b"\x00\x07" b"\x00"
        )  # tag 0, size 4: there; X; its tagged fields

    def test_tagged_null_that_is_not_the_default(self) -> None:
        message = self.message(nullableVersions="0+", **TAGGED)
        self.check(message, None, b"\x01" b"\x00" b"\x01" b"\x00")  # tag 0, size 1: null
        self.check(message, 0, b"\x00")  # all its own defaults

    def test_tagged_and_not_nullable(self) -> None:
        self.check(self.message(**TAGGED), 7, b"\x01" b"\x00" b"\x03" b"\x00\x07" b"\x00")

    def test_elements_have_no_sign_of_null(self) -> None:
        message = made(
            {"name": "F", "type": "[]Part", "versions": "0+", "nullableVersions": "0+", "fields": self.FIELDS},
            flexibleVersions="0+",
        )
        part = class_of(message, "Part")
        data = b"\x02" b"\x00\x07" b"\x00" b"\x00"  # one element: X; its tagged fields; the message's
        assert message(f=(part(x=7),)).encode(version=0) == data
        assert message.decode(data, version=0).f == (part(x=7),)


class TestTagSections:
    """KIP-482."""

    message = staticmethod(
        lambda: made(
            {"name": "A", "type": "int8", "versions": "0+", "tag": 1, "taggedVersions": "0+"},
            {"name": "B", "type": "int8", "versions": "0+", "tag": 0, "taggedVersions": "0+"},
            flexibleVersions="0+",
        )
    )

    def test_known_and_unknown_ones_share_one_order(self) -> None:
        message = self.message()
        data = (
            b"\x04"  # four fields
            b"\x00"
            b"\x01"
            b"\x0b"  # tag 0, size 1: B
            b"\x01"
            b"\x01"
            b"\x0a"  # tag 1, size 1: A
            b"\x02"
            b"\x00"  # tag 2, size 0: unknown
            b"\xac\x02"
            b"\x02"
            b"hi"  # tag 300 = 44 + 2 * 128, size 2: unknown
        )
        value = message(a=10, b=11, unknown_tagged_fields=((2, b""), (300, b"hi")))
        assert value.encode(version=0) == data
        assert message.decode(data, version=0) == value

    def test_another_order_is_read(self) -> None:
        message = self.message()
        data = b"\x02" b"\x01" b"\x01" b"\x0a" b"\x00" b"\x01" b"\x0b"  # tag 1, then tag 0
        assert message.decode(data, version=0) == message(a=10, b=11)

    def test_the_highest_tag(self) -> None:
        message = self.message()
        value = message(unknown_tagged_fields=((2**31 - 1, b"x"),))
        data = b"\x01" b"\xff\xff\xff\xff\x07" b"\x01" b"x"  # thirty-one ones; size 1
        assert value.encode(version=0) == data
        assert message.decode(data, version=0) == value


class TestKafkasOwnMessages:
    def test_list_offsets_request_version_0(self) -> None:
        """Before KIP-79: each partition says how many offsets it wants at most."""
        partition = ListOffsetsPartition(partition_index=3, timestamp=-1, max_num_offsets=2)
        request = ListOffsetsRequest(replica_id=-1, topics=(ListOffsetsTopic(name="t", partitions=(partition,)),))
        assert request.encode(version=0) == (
            b"\xff\xff\xff\xff"  # replica id -1: a client
            b"\x00\x00\x00\x01"  # one topic
            b"\x00\x01"
            b"t"  # its name
            b"\x00\x00\x00\x01"  # one partition
            b"\x00\x00\x00\x03"  # partition 3
            b"\xff\xff\xff\xff\xff\xff\xff\xff"  # time -1: the latest offset
            b"\x00\x00\x00\x02"  # two offsets at most
        )

    def test_list_offsets_request_version_1(self) -> None:
        """KIP-79: one offset a partition, found by time."""
        partition = ListOffsetsPartition(partition_index=3, timestamp=1_500_000_000_000)
        request = ListOffsetsRequest(replica_id=-1, topics=(ListOffsetsTopic(name="t", partitions=(partition,)),))
        assert request.encode(version=1) == (
            b"\xff\xff\xff\xff"
            b"\x00\x00\x00\x01"
            b"\x00\x01"
            b"t"
            b"\x00\x00\x00\x01"
            b"\x00\x00\x00\x03"
            b"\x00\x00\x01\x5d\x3e\xf7\x98\x00"  # 1,500,000,000,000 ms since 1970
        )

    def test_metadata_request_for_all_topics(self) -> None:
        assert MetadataRequest(topics=()).encode(version=0) == b"\x00\x00\x00\x00"  # version 0: an empty list means all
        assert MetadataRequest(topics=None).encode(version=1) == b"\xff\xff\xff\xff"  # version 1: null means all

    def test_metadata_request_version_9(self) -> None:
        """The first flexible one."""
        request = MetadataRequest(topics=(MetadataRequestTopic(name="t"),), allow_auto_topic_creation=True)
        assert request.encode(version=9) == (
            b"\x02"  # one topic
            b"\x02"
            b"t"  # its name
            b"\x00"  # its tagged fields
            b"\x01"  # it may be created
            b"\x00"  # operations of the cluster are not asked for
            b"\x00"  # nor those of topics
            b"\x00"  # no tagged fields
        )

    def test_request_header_version_2(self) -> None:
        """Flexible, but the client id keeps the length of version 1, so that any broker can read it."""
        header = RequestHeader(request_api_key=3, request_api_version=9, correlation_id=258, client_id="me")
        assert header.encode(version=2) == (
            b"\x00\x03"  # Metadata
            b"\x00\x09"  # version 9
            b"\x00\x00\x01\x02"  # correlation id
            b"\x00\x02"
            b"me"  # an int16 length although the header is flexible
            b"\x00"  # no tagged fields
        )
        assert header.encode(version=1) == header.encode(version=2)[:-1]
