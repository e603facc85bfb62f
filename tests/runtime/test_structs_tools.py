"""What people do with dataclasses, done with structs: help, pretty printing, validation, subclasses."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pprint
import pydoc
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any
from uuid import UUID

import cattrs
import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.pretty import pretty_repr

import messagegen_kafka
from messagegen_kafka import ConsumerProtocolAssignment, ListOffsetsRequest, MetadataRequest, MetadataResponse
from messagegen_kafka._runtime.messages import Message
from messagegen_kafka._runtime.structs import Struct, dataclass
from messagegen_kafka.metadata_request import MetadataRequestTopic
from messagegen_kafka.metadata_response import MetadataResponseBroker, MetadataResponsePartition, MetadataResponseTopic
from tests.support.profiles import examples
from tests.support.specs import PURPOSE_MADE, made, package

GENERATED = Path(__file__).parents[2] / "generated"
BROKER = MetadataResponseBroker(node_id=1, host="localhost", port=9092)
RESPONSE = MetadataResponse(brokers=(BROKER,), topics=(MetadataResponseTopic(name="orders", topic_id=UUID(int=5)),))
EVERY_MESSAGE = [
    name for name in messagegen_kafka.__all__ if hasattr(getattr(messagegen_kafka, name), "VALID_VERSIONS")
]


class TestLate:
    """The standard library makes the rest of a class when someone asks."""

    def run(self, code: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONPATH": str(GENERATED), "MESSAGEGEN_PURE": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def test_reading_a_message_does_not_import_dataclasses(self) -> None:
        code = (
            "import sys; from messagegen_kafka import MetadataResponse as M\n"
            "message = M.decode(bytes(12), version=1); message.encode(version=1)\n"
            "print('dataclasses' in sys.modules, 'typing' in sys.modules); M(); print('dataclasses' in sys.modules)"
        )
        assert self.run(code) == "False False\nTrue"

    @pytest.mark.parametrize(
        "expression",
        ["M()", "hash(R)", "R == R", "repr(R)", "dataclasses.fields(M)", "M.__dataclass_params__.eq", "M.__eq__(R, R)"],
    )
    def test_whatever_is_asked_first(self, expression: str) -> None:
        code = (
            "import dataclasses\nfrom messagegen_kafka import MetadataRequest as M\n"
            "R = M.decode(bytes(4), version=0)\n"
            f"{expression}; print(R == M(), hash(R) == hash(M()), repr(R) == repr(M()), len(dataclasses.fields(R)))"
        )
        assert self.run(code) == "True True True 5"

    def test_many_threads_may_ask_at_once(self) -> None:
        code = (
            "import threading\nfrom messagegen_kafka import MetadataRequest as M\nstart = threading.Barrier(8)\nfound = []\n"
            "def ask(): start.wait(); found.append((repr(M()), hash(M()), M() == M()))\n"
            "threads = [threading.Thread(target=ask) for _ in range(8)]\n"
            "[one.start() for one in threads]; [one.join() for one in threads]; print(len(set(found)), len(found))"
        )
        assert self.run(code) == "1 8"


class TestShown:
    @pytest.mark.parametrize("cls", [Struct, Message, MetadataResponse, MetadataResponseBroker])
    def test_help(self, cls: type) -> None:
        text = pydoc.plain(pydoc.render_doc(cls))
        assert cls.__doc__ is not None
        assert cls.__doc__.splitlines()[0] in text

    def test_help_shows_what_the_spec_says_of_fields(self) -> None:
        shown = " ".join(pydoc.plain(pydoc.render_doc(MetadataResponse)).replace("|", "").split())
        assert (
            "cluster_id Id of the cluster, made when it was formatted; null from brokers that do not know it." in shown
        )
        assert "replica_nodes" in pydoc.plain(pydoc.render_doc(MetadataResponsePartition))

    @pytest.mark.parametrize("width", [20, 80, 100, 1000])
    def test_pprint_breaks_lines(self, width: int) -> None:
        text = pprint.pformat(RESPONSE, width=width)
        names: dict[str, Any] = {
            cls.__name__: cls for cls in (UUID, MetadataResponse, MetadataResponseBroker, MetadataResponseTopic)
        }
        assert eval(text, names) == RESPONSE
        assert len(text.splitlines()) > 5 or width == 1000

    def test_rich(self) -> None:
        assert pretty_repr(BROKER, max_width=40).splitlines() == [
            "MetadataResponseBroker(",
            "    node_id=1,",
            "    host='localhost',",
            "    port=9092,",
            "    rack=None",
            ")",
        ]
        assert "unknown_tagged_fields" in pretty_repr(MetadataRequest(unknown_tagged_fields=((1, b""),)))

    def test_the_signature_has_types(self) -> None:
        signature = inspect.signature(MetadataResponse, eval_str=True)
        assert signature.parameters["brokers"].annotation == tuple[MetadataResponseBroker, ...]
        assert signature.parameters["cluster_id"].annotation == str | None
        assert signature.parameters["throttle_time_ms"].default == 0

    def test_pytest_shows_what_differs(self, tmp_path: Path) -> None:
        (tmp_path / "test_it.py").write_text(
            "from messagegen_kafka.metadata_response import MetadataResponseBroker as B\n"
            "def test_it(): assert B(host='a', port=1) == B(host='b', port=1)\n",
            encoding="utf-8",
        )
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-vv", "test_it.py"]
        text = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
        assert "Differing attributes" in text
        assert "host: 'a' != 'b'" in text


class TestConverters:
    def test_pydantic(self) -> None:
        adapter = pydantic.TypeAdapter(MetadataResponse)
        assert adapter.dump_python(RESPONSE) == dataclasses.asdict(RESPONSE)
        assert adapter.validate_python(adapter.dump_python(RESPONSE)) == RESPONSE
        assert adapter.validate_json(adapter.dump_json(RESPONSE)) == RESPONSE
        with pytest.raises(pydantic.ValidationError, match=r"brokers\.0\.port"):
            adapter.validate_python({"brokers": [{"port": "x"}]})

    @pytest.mark.parametrize("name", EVERY_MESSAGE)
    def test_pydantic_knows_every_message(self, name: str) -> None:
        adapter: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(getattr(messagegen_kafka, name))
        message = getattr(messagegen_kafka, name)()
        assert adapter.validate_python(adapter.dump_python(message)) == message

    def test_pydantic_knows_memoryviews(self) -> None:
        adapter = pydantic.TypeAdapter(ConsumerProtocolAssignment)
        message = ConsumerProtocolAssignment(user_data=memoryview(b"view"))
        assert adapter.validate_python({"user_data": memoryview(b"view")}) == message

    def test_cattrs(self) -> None:
        converter = cattrs.Converter()
        request = ListOffsetsRequest(replica_id=4)
        assert converter.structure(converter.unstructure(request), ListOffsetsRequest) == request
        assert converter.unstructure(BROKER)["host"] == "localhost"

    @examples(10)
    @given(st.builds(MetadataRequest, topics=..., allow_auto_topic_creation=...))
    def test_hypothesis_builds(self, request: MetadataRequest) -> None:
        assert request == dataclasses.replace(request)
        assert request.topics is None or all(isinstance(topic, MetadataRequestTopic) for topic in request.topics)


class WithProperty(MetadataRequest):
    @property
    def count(self) -> int:
        return len(self.topics or ())


@dataclasses.dataclass(kw_only=True)  # pyright: ignore[reportGeneralTypeIssues] - not frozen at run time
class WithField(MetadataRequest):  # type: ignore[misc]
    note: str = ""


@dataclass
class OwnStruct(MetadataRequest):
    note: str = ""


class TestSubclasses:
    def test_a_property_is_no_field(self) -> None:
        request = WithProperty(topics=())
        assert request.count == 0
        assert [one.name for one in dataclasses.fields(request)] == [
            one.name for one in dataclasses.fields(MetadataRequest)
        ]
        assert request == dataclasses.replace(request) == copy.copy(request) == copy.deepcopy(request)
        assert request != MetadataRequest(topics=())
        assert repr(request).startswith("WithProperty(topics=(), ")
        assert request.encode(version=4) == MetadataRequest(topics=()).encode(version=4)

    @pytest.mark.parametrize("cls", [WithField, OwnStruct])
    def test_a_field_more(self, cls: Any) -> None:
        request = cls(note="mine", allow_auto_topic_creation=False)
        names = {one.name for one in dataclasses.fields(request)}
        assert names == {"note", *(one.name for one in dataclasses.fields(MetadataRequest))}
        assert "note='mine'" in repr(request)
        assert request == dataclasses.replace(request)
        assert request != dataclasses.replace(request, note="yours")
        assert request.encode(version=4) == MetadataRequest(allow_auto_topic_creation=False).encode(version=4)

    def test_a_constructor_of_its_own(self) -> None:
        class Named(made()):  # type: ignore[misc] # pyright: ignore[reportUntypedBaseClass]
            def __init__(self, tag: int) -> None:
                super().__init__(unknown_tagged_fields=((tag, b""),))

        assert Named(5).unknown_tagged_fields == ((5, b""),)


def test_weak_references_are_refused() -> None:
    with pytest.raises(TypeError, match="weak reference"):
        weakref.ref(RESPONSE)


def test_defaults_that_are_structs_are_values() -> None:
    message = package(PURPOSE_MADE).CommonStructs
    for one in dataclasses.fields(message):
        assert getattr(message(), one.name) == one.default
