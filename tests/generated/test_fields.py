"""Descriptions in message classes: the fields of a version, the partner's class, and the choice of a version."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import messagegen_kafka
from messagegen.plan.ops import MessagePlan
from messagegen_kafka import (
    ApiVersionsRequest,
    ConfigRecord,
    MetadataRequest,
    MetadataResponse,
    NoCommonVersionError,
    Request,
    Response,
    UnsupportedVersionError,
)
from messagegen_kafka.metadata_response import MetadataResponseBroker, MetadataResponseTopic
from messagegen.generation.loading import load_package
from tests.support.imports import loaded_by
from tests.oracle.jars import SPEC_ARTIFACTS
from tests.support.specs import OWN, PURPOSE_MADE, Subject, package, plans
from tests.support.strategies import messages
from tests.support.writing_by_fields import follows_rules, write_message

MESSAGES = [(folder, plan) for folder in (OWN, PURPOSE_MADE) for plan in plans(folder).values()]


def fields(cls: Any, version: int) -> dict[str, Any]:
    return {field.name: field for field in cls.fields(version=version)}


def check_fields(folder: Path, plan: MessagePlan, data: st.DataObject) -> None:
    version = data.draw(st.sampled_from(list(plan.valid_versions)))
    message = data.draw(messages(Subject(folder, plan, version)))
    assert write_message(message, version) == message.encode(version=version)


def check_examples(folder: Path, plan: MessagePlan) -> None:
    @given(data=st.data())
    def check(data: st.DataObject) -> None:
        check_fields(folder, plan, data)

    check()


class TestFieldsOfAVersion:
    def test_fields_are_in_wire_order(self) -> None:
        found = fields(MetadataResponse, 5)
        assert list(found) == ["throttle_time_ms", "brokers", "cluster_id", "controller_id", "topics"]
        assert [field.key for field in found.values()] == [
            "throttleTimeMs",
            "brokers",
            "clusterId",
            "controllerId",
            "topics",
        ]
        assert [field.name for field in found["topics"].fields] == ["error_code", "name", "is_internal", "partitions"]

    def test_fields_have_types_and_the_classes_of_structs(self) -> None:
        found = fields(MetadataResponse, 5)
        assert (found["brokers"].type, found["brokers"].struct) == ("[]MetadataResponseBroker", MetadataResponseBroker)
        assert found["brokers"].is_array
        assert found["topics"].struct is MetadataResponseTopic
        controller = found["controller_id"]
        assert (controller.type, controller.struct, controller.fields) == ("int32", None, ())
        assert (controller.is_array, controller.default) == (False, -1)
        _, _, replicas, *_ = (field for field in found["topics"].fields[3].fields if field.is_array)
        assert (replicas.name, replicas.type, replicas.element_type) == ("offline_replicas", "[]int32", "int32")

    def test_field_descriptions_include_nullability_and_entity_types(self) -> None:
        assert fields(MetadataResponse, 12)["topics"].fields[1].nullable
        name = fields(MetadataResponse, 5)["topics"].fields[1]
        assert (name.name, name.nullable, name.entity_type) == ("name", False, "topicName")
        assert fields(MetadataResponse, 5)["cluster_id"].entity_type == ""
        assert fields(MetadataResponse, 5)["cluster_id"].ignorable
        assert not fields(MetadataResponse, 8)["cluster_authorized_operations"].ignorable

    def test_tagged_fields_come_last(self) -> None:
        found = package(PURPOSE_MADE).Tagged
        numbers = [field.tag for field in found.fields(version=found.VALID_VERSIONS[-1]) if field.tag is not None]
        assert numbers
        tags = [field.tag for field in found.fields(version=found.VALID_VERSIONS[-1])]
        assert tags[-len(numbers) :] == sorted(numbers)

    def test_an_unknown_version_of_fields_raises(self) -> None:
        with pytest.raises(UnsupportedVersionError, match="unknown version 99; MetadataResponse has versions 0-13"):
            MetadataResponse.fields(version=99)

    def test_subclasses_inherit_fields(self) -> None:
        class Mine(MetadataResponse):
            pass

        assert Mine.fields(version=5) == MetadataResponse.fields(version=5)
        assert Mine.REQUEST is MetadataRequest

    @pytest.mark.parametrize(
        ("folder", "plan"), [pytest.param(*one, id=one[1].name) for one in MESSAGES if follows_rules(one[1])]
    )
    @given(data=st.data())
    def test_fields_suffice_to_write_messages(self, folder: Path, plan: MessagePlan, data: st.DataObject) -> None:
        check_fields(folder, plan, data)

    @pytest.mark.parametrize(("folder", "plan"), [pytest.param(*one, id=one[1].name) for one in MESSAGES])
    @given(data=st.data())
    def test_fields_have_the_same_keys_as_the_json_form(
        self, folder: Path, plan: MessagePlan, data: st.DataObject
    ) -> None:
        version = data.draw(st.sampled_from(list(plan.valid_versions)))
        message = data.draw(messages(Subject(folder, plan, version)))
        untagged = [field.key for field in message.fields(version=version) if field.tag is None]
        assert [key for key in message.to_json(version=version) if key in untagged] == untagged

    @pytest.mark.slow
    @pytest.mark.java
    @pytest.mark.random
    @pytest.mark.parametrize("artifact", SPEC_ARTIFACTS)
    def test_fields_suffice_to_write_official_messages(self, artifact: str, official: Path) -> None:
        folder = official / artifact
        for plan in filter(follows_rules, plans(folder).values()):
            check_examples(folder, plan)


class TestPartners:
    def test_requests_and_responses_have_the_class_of_their_partner(self) -> None:
        # The annotations let type checkers check the attributes.
        response: type[MetadataResponse] = MetadataRequest.RESPONSE
        request: type[MetadataRequest] = MetadataResponse.REQUEST
        assert (request, response) == (MetadataRequest, MetadataResponse)
        assert MetadataRequest().RESPONSE is MetadataResponse

    def test_every_request_of_the_package_has_its_response(self) -> None:
        for plan in plans(OWN).values():
            cls = getattr(messagegen_kafka, plan.class_name())
            if issubclass(cls, Request):
                assert (cls.RESPONSE,) == messagegen_kafka.message_classes("response", cls.API_KEY)
            if issubclass(cls, Response):
                assert (cls.REQUEST,) == messagegen_kafka.message_classes("request", cls.API_KEY)

    def test_a_request_without_its_response_has_no_partner(self) -> None:
        alone = load_package(OWN, messages=["MetadataRequest"])
        assert alone.MetadataRequest.RESPONSE is None
        assert not hasattr(ConfigRecord, "RESPONSE")

    def test_a_message_does_not_load_its_partner(self) -> None:
        loaded = loaded_by("from messagegen_kafka import MetadataRequest; MetadataRequest().encode(version=9)")
        assert "messagegen_kafka.metadata_request" in loaded
        assert not loaded & {"messagegen_kafka.metadata_response", "messagegen_kafka._runtime.fields"}


class TestChoosingAVersion:
    def test_choose_version_returns_the_highest_common_version(self) -> None:
        assert MetadataRequest.stable_versions == range(14)
        assert MetadataRequest.choose_version(3, 9) == 9
        assert MetadataRequest.choose_version(3, 99) == 13
        assert MetadataRequest.choose_version(13, 99) == 13

    def test_choose_version_never_returns_an_unstable_version(self) -> None:
        cls = package(PURPOSE_MADE).EveryTypeRequest
        assert (cls.VALID_VERSIONS, cls.stable_versions) == (range(5), range(4))
        assert cls.choose_version(0, 99) == 3
        error = package(PURPOSE_MADE).NoCommonVersionError
        with pytest.raises(
            error, match="supports EveryTypeRequest versions 4 to 9, this side 0 to 3: no common version"
        ):
            cls.choose_version(4, 9)

    def test_the_error_of_choose_version_contains_both_ranges(self) -> None:
        text = "the other side supports ApiVersionsRequest versions 50 to 60, this side 0 to 5: no common version"
        with pytest.raises(NoCommonVersionError, match=text):
            ApiVersionsRequest.choose_version(50, 60)
