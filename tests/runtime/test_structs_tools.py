"""Uses of dataclasses that also work with structs: help, pretty-printing, validation, subclasses."""

from __future__ import annotations

import dataclasses
import pprint
import pydoc
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import UUID

import pydantic
import pytest

import messagegen_kafka
from messagegen_kafka import Message, MetadataRequest, MetadataResponse
from messagegen_kafka._runtime.structs import Struct, dataclass
from messagegen_kafka.metadata_response import MetadataResponseBroker, MetadataResponseTopic

GENERATED = Path(__file__).parents[2] / "generated"
BROKER = MetadataResponseBroker(node_id=1, host="localhost", port=9092)
RESPONSE = MetadataResponse(brokers=(BROKER,), topics=(MetadataResponseTopic(name="orders", topic_id=UUID(int=5)),))
EVERY_MESSAGE = [
    name for name in messagegen_kafka.__all__ if hasattr(getattr(messagegen_kafka, name), "VALID_VERSIONS")
]


class TestLate:
    """The standard library completes a class on first use."""

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
    def test_any_method_can_be_called_first(self, expression: str) -> None:
        code = (
            "import dataclasses\nfrom messagegen_kafka import MetadataRequest as M\n"
            "R = M.decode(bytes(4), version=0)\n"
            f"{expression}; print(R == M(), hash(R) == hash(M()), repr(R) == repr(M()), len(dataclasses.fields(R)))"
        )
        assert self.run(code) == "True True True 5"

    def test_many_threads_can_complete_a_class_at_the_same_time(self) -> None:
        code = (
            "import threading\n"
            "from messagegen_kafka import MetadataRequest as M\n"
            "start = threading.Barrier(8)\n"
            "found = []\n"
            "def ask(): start.wait(); found.append((repr(M()), hash(M()), M() == M()))\n"
            "threads = [threading.Thread(target=ask) for _ in range(8)]\n"
            "[one.start() for one in threads]; [one.join() for one in threads]; print(len(set(found)), len(found))"
        )
        assert self.run(code) == "1 8"


class TestShown:
    @pytest.mark.parametrize("cls", [Struct, Message, MetadataResponse, MetadataResponseBroker])
    def test_help_shows_the_fields_of_a_struct(self, cls: type) -> None:
        text = pydoc.plain(pydoc.render_doc(cls))
        assert cls.__doc__ is not None
        assert cls.__doc__.splitlines()[0] in text

    @pytest.mark.parametrize("width", [20, 80, 100, 1000])
    def test_pprint_breaks_long_messages_into_lines(self, width: int) -> None:
        text = pprint.pformat(RESPONSE, width=width)
        names: dict[str, Any] = {
            cls.__name__: cls for cls in (UUID, MetadataResponse, MetadataResponseBroker, MetadataResponseTopic)
        }
        assert eval(text, names) == RESPONSE
        assert len(text.splitlines()) > 5 or width == 1000


class TestConverters:

    @pytest.mark.parametrize("name", EVERY_MESSAGE)
    def test_pydantic_validates_every_message(self, name: str) -> None:
        adapter: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(getattr(messagegen_kafka, name))
        message = getattr(messagegen_kafka, name)()
        assert adapter.validate_python(adapter.dump_python(message)) == message


@dataclasses.dataclass(kw_only=True)  # pyright: ignore[reportGeneralTypeIssues] - not frozen at run time
class WithField(MetadataRequest):  # type: ignore[misc]
    note: str = ""


@dataclass
class OwnStruct(MetadataRequest):
    note: str = ""


class TestSubclasses:

    @pytest.mark.parametrize("cls", [WithField, OwnStruct])
    def test_subclasses_can_add_a_field(self, cls: Any) -> None:
        request = cls(note="mine", allow_auto_topic_creation=False)
        names = {one.name for one in dataclasses.fields(request)}
        assert names == {"note", *(one.name for one in dataclasses.fields(MetadataRequest))}
        assert "note='mine'" in repr(request)
        assert request == dataclasses.replace(request)
        assert request != dataclasses.replace(request, note="yours")
        assert request.encode(version=4) == MetadataRequest(allow_auto_topic_creation=False).encode(version=4)
