"""The adapters in docs/adapters: aiokafka and kafka-python read and write the same bytes as with their own codecs."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import messagegen_kafka
from docs.adapters import aiokafka_requests, aiokafka_structs, kafka_python_codecs
from messagegen.generation.loading import load_package
from tests.adapters.aiokafka_classes import APIS, Api
from tests.adapters.own_tests import RUNS
from tests.support.strategies import strategies_of

OWN_APIS = [api for api in APIS if hasattr(messagegen_kafka, f"{api.name}Request")]
KAFKA_PYTHON = {
    "kafka.protocol.metadata": ["ApiVersions", "FindCoordinator", "Metadata"],
    "kafka.protocol.consumer": ["Fetch", "ListOffsets", "OffsetCommit", "OffsetFetch"],
    "kafka.protocol.producer": ["Produce"],
    "kafka.protocol.admin": ["DescribeCluster", "DescribeGroups"],
}
KAFKA_PYTHON_CLASSES = [
    pytest.param(module, f"{name}{kind}", id=f"{name}{kind}")
    for module, names in KAFKA_PYTHON.items()
    for name in names
    for kind in ("Request", "Response")
]


def drawn(data: st.DataObject, message: Any, version: int) -> Any:
    """Draw a message of the given version."""
    module = strategies_of(message.CODEC.cls.__module__.rpartition(".")[0])
    return data.draw(module.messages(message, version=version, unknown_tags=False))


def check_aiokafka(api: Api, package: ModuleType, data: st.DataObject) -> None:
    made = data.draw(st.sampled_from(list(api.classes(package))))
    hand_written = getattr(import_module(f"aiokafka.protocol.{api.module}"), made.__name__)
    kind = "Request" if made.RESPONSE_TYPE else "Response"
    message = getattr(package, f"{api.name}{kind}")
    fields = message.fields(version=made.API_VERSION)
    scalars = api.scalars if made.RESPONSE_TYPE else ()
    values = aiokafka_structs.to_values(drawn(data, message, made.API_VERSION), fields, scalars)
    ours = made(*values)
    theirs = hand_written(*ours.__dict__.values())

    assert made.SCHEMA.names == hand_written.SCHEMA.names
    assert ours.encode() == theirs.encode()
    assert made.decode(theirs.encode()) == ours
    assert made.decode(theirs.encode()).__dict__ == hand_written.decode(ours.encode()).__dict__


def check_all(api: Api, package: ModuleType) -> None:
    @given(data=st.data())
    def check(data: st.DataObject) -> None:
        check_aiokafka(api, package, data)

    check()


@pytest.mark.parametrize(
    ("adapter", "private"),
    [(aiokafka_requests, set()), (aiokafka_structs, set()), (kafka_python_codecs, {"_struct"})],
)
def test_adapters_use_public_names_only(adapter: ModuleType, private: set[str]) -> None:
    tree = ast.parse(Path(str(adapter.__file__)).read_text(encoding="utf-8"))
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    used |= {name.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for name in node.names}
    assert {name for name in used if name.startswith("_")} == private, "kafka-python has no public hook for codecs"


class TestAiokafka:
    @pytest.mark.parametrize("api", OWN_APIS, ids=lambda api: f"{api.name}{api.versions[0]}")
    @given(data=st.data())
    def test_adapted_classes_write_and_read_the_same_bytes(self, api: Api, data: st.DataObject) -> None:
        check_aiokafka(api, messagegen_kafka, data)

    def test_adapted_classes_have_the_same_interface_as_aiokafkas_classes(self) -> None:
        (cls,) = [
            cls for api in OWN_APIS for cls in api.classes(messagegen_kafka) if cls.__name__ == "MetadataRequest_v5"
        ]
        request = cls(["orders"], True)
        assert repr(request) == "MetadataRequest_v5(topics=['orders'], allow_auto_topic_creation=True)"
        assert request.to_object() == {"topics": ["orders"], "allow_auto_topic_creation": True}
        assert (request.RESPONSE_TYPE.__name__, request.FLEXIBLE_VERSION) == ("MetadataResponse_v5", False)

    @pytest.mark.slow
    @pytest.mark.java
    @pytest.mark.xdist_group("releases")
    def test_all_replaced_classes_write_and_read_the_same_bytes(self) -> None:
        names = [f"{api.name}{kind}" for api in APIS for kind in ("Request", "Response")]
        package = load_package("kafka:2.4..4.4", messages=names)
        assert sum(len(list(api.classes(package))) for api in APIS) == 114
        for api in APIS:
            check_all(api, package)


@pytest.fixture
def adapted(request: pytest.FixtureRequest) -> Iterator[tuple[Any, Any]]:
    """A kafka-python class adapted to a generated class, and the generated class. The adapter is removed afterwards."""
    module, name = request.param
    cls = getattr(import_module(module), name)
    message = getattr(messagegen_kafka, name)
    kafka_python_codecs.adapt(cls, message)
    yield cls, message
    del cls._struct.compiled_encode_into
    del cls._struct.compiled_decode_from


def decoded(cls: Any, codec: Any, data: bytes, version: int) -> Any:
    """Return the message decoded from ``data`` by ``codec``, which is kafka-python's or the adapter's."""
    flexible = cls.flexible_version_q(version)
    decode = codec(version=version, compact=flexible, tagged=flexible, data_class=cls[None])
    message, end = decode(memoryview(data), 0)
    assert end == len(data)
    return message


class TestKafkaPython:
    @pytest.mark.parametrize(
        "adapted", [pytest.param(one.values, id=str(one.id)) for one in KAFKA_PYTHON_CLASSES], indirect=True
    )
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(data=st.data())
    def test_adapted_classes_write_and_read_the_same_bytes(self, adapted: tuple[Any, Any], data: st.DataObject) -> None:
        cls, message = adapted
        versions = [version for version in message.VALID_VERSIONS if version <= cls.max_version]
        version = data.draw(st.sampled_from(versions))
        encoded = drawn(data, message, version).encode(version=version)
        # Do not decode with the class: it decodes an ApiVersionsResponse with an error code as version 0.
        struct = cls._struct
        found = decoded(cls, struct.compiled_decode_from, encoded, version)
        assert found == decoded(cls, partial(type(struct).compiled_decode_from, struct), encoded, version)
        assert found.encode(version=version) == encoded


@pytest.mark.slow
@pytest.mark.java
@pytest.mark.parametrize(
    ("library", "variable"), [("aiokafka", "MESSAGEGEN_AIOKAFKA"), ("kafka-python", "MESSAGEGEN_KAFKA_PYTHON")]
)
def test_the_tests_of_the_library_pass_with_adapted_classes(library: str, variable: str, tmp_path: Path) -> None:
    checkout = os.environ.get(variable)
    if not checkout:
        pytest.skip(f"{library}'s distributions have no such tests; set {variable} to a checkout of its repository")
    assert RUNS[library](Path(checkout), tmp_path) == 0
