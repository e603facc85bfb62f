"""Structs behave like dataclasses, but cost less to create."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import messagegen_kafka
from messagegen_kafka import ListOffsetsRequest, Record
from messagegen_kafka.list_offsets_request import ListOffsetsPartition, ListOffsetsTopic
from tests.support.specs import PURPOSE_MADE, Subject, plans
from tests.support.strategies import messages

REQUEST = ListOffsetsRequest(
    replica_id=-1,
    topics=(ListOffsetsTopic(name="t", partitions=(ListOffsetsPartition(partition_index=1, timestamp=-1),)),),
    unknown_tagged_fields=((7, b"x"),),
)


class TestConstruction:

    def test_arguments_are_keyword_only(self) -> None:
        partition: Any = ListOffsetsPartition
        with pytest.raises(TypeError, match="positional argument"):
            partition(1)

    def test_the_signature_shows_the_fields(self) -> None:
        parameters = inspect.signature(ListOffsetsRequest).parameters
        assert list(parameters) == ["replica_id", "isolation_level", "topics", "timeout_ms", "unknown_tagged_fields"]
        assert {one.kind for one in parameters.values()} == {inspect.Parameter.KEYWORD_ONLY}


class TestValues:
    def test_structs_with_equal_content_are_equal(self) -> None:
        same = pickle.loads(pickle.dumps(REQUEST))
        assert same == REQUEST
        assert same is not REQUEST
        assert hash(same) == hash(REQUEST)
        assert len({same, REQUEST}) == 1

    @given(st.data())
    def test_equality_and_hash_go_together(self, data: st.DataObject) -> None:
        subject = Subject(PURPOSE_MADE, plans(PURPOSE_MADE)["CommonStructs"], 4)
        one, other = data.draw(messages(subject)), data.draw(messages(subject))
        assert (one == other) == (repr(one) == repr(other))
        assert one != other or hash(one) == hash(other)

    def test_repr_shows_unknown_tagged_fields_only_if_present(self) -> None:
        assert repr(ListOffsetsTopic(name="t")) == "ListOffsetsTopic(name='t', partitions=())"
        assert "unknown_tagged_fields=((7, b'x'),)" in repr(REQUEST)


class Pickled:
    """A topic whose class had different fields when it was pickled; its pickle refers to the current class."""

    def __init__(self, **fields: object) -> None:
        self.fields = fields

    def __reduce__(self) -> tuple[Any, ...]:
        return object.__new__, (ListOffsetsTopic,), (None, self.fields)

    def loaded(self) -> Any:
        """Return the topic that the pickle contains."""
        return pickle.loads(pickle.dumps(self))


class Noted(ListOffsetsTopic):
    """A user's subclass, with an attribute of its own."""

    note: str = ""


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
class TestPickles:
    def test_a_message_survives_pickling(self, protocol: int) -> None:
        assert pickle.loads(pickle.dumps(REQUEST, protocol)) == REQUEST

    def test_attributes_of_a_subclass_survive_pickling(self, protocol: int) -> None:
        noted: Any = Noted(name="t")
        object.__setattr__(noted, "note", "mine")
        again = pickle.loads(pickle.dumps(noted, protocol))
        assert (type(again), again.name, again.note) == (Noted, "t", "mine")

    def test_an_object_without_values_is_loaded_with_its_defaults(self, protocol: int) -> None:
        empty = object.__new__(ListOffsetsTopic)
        assert pickle.loads(pickle.dumps(empty, protocol)) == ListOffsetsTopic()


def test_a_pickle_of_an_older_class_gets_the_defaults_of_new_fields() -> None:
    assert Pickled(name="t").loaded() == ListOffsetsTopic(name="t")


def test_a_pickle_with_a_field_that_the_class_lacks_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^ListOffsetsTopic has no field 'broker'; the pickle is of another version"):
        Pickled(name="t", broker=1).loaded()


def test_the_defaults_of_every_class_are_pickled() -> None:
    values = [cls() for cls in every_class()]
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        for value, again in zip(values, pickle.loads(pickle.dumps(values, protocol)), strict=True):
            assert type(again) is type(value)
            # NaN does not equal itself.
            assert repr(again) == repr(value)


def every_class() -> Iterator[type[Any]]:
    """Yield the struct classes of all messages, and the classes of records."""
    exported = (getattr(messagegen_kafka, name) for name in messagegen_kafka.__all__)
    messages = [one for one in exported if isinstance(one, type) and issubclass(one, messagegen_kafka.Message)]
    for cls in (*messages, Record):
        for one in vars(sys.modules[cls.__module__]).values():
            if isinstance(one, type) and "__defaults__" in vars(one):
                yield one


SNIPPET = """\
from messagegen_kafka import ListOffsetsRequest
from messagegen_kafka.list_offsets_request import ListOffsetsTopic

request = ListOffsetsRequest(replica_id=1, topics=(ListOffsetsTopic(name="t"),))
data: bytes = request.encode(version=1)
again: ListOffsetsRequest = ListOffsetsRequest.decode(data, version=1)
message, end = ListOffsetsRequest.decode_from(memoryview(data), 0, version=1)
offset: int = end

request.replica_id = 2  # error
ListOffsetsRequest(1)  # error
ListOffsetsRequest(topics=[])  # error
ListOffsetsRequest(replica_id="1")  # error
ListOffsetsRequest(broker=1)  # error
request.encode(1)  # error
request.encode()  # error
text: str = again.timeout_ms  # error
"""


@pytest.mark.slow
@pytest.mark.parametrize("checker", [["mypy", "--strict"], ["pyright"]], ids=lambda one: one[0])
def test_type_checkers_see_frozen_keyword_only_dataclasses(tmp_path: Path, checker: list[str]) -> None:
    (tmp_path / "snippet.py").write_text(SNIPPET, encoding="utf-8")
    root = Path(__file__).parents[2]
    (tmp_path / "pyrightconfig.json").write_text(f'{{"extraPaths": ["{root / "generated"}"]}}', encoding="utf-8")
    (tmp_path / "mypy.ini").write_text(
        f"[mypy]\nmypy_path = {root / 'generated'}\ncache_dir = .cache\n", encoding="utf-8"
    )
    done = subprocess.run(
        [sys.executable, "-m", *checker, "snippet.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    found = {
        int(line.split("snippet.py:")[1].split(":")[0])
        for line in done.stdout.splitlines()
        if "error" in line and "snippet.py:" in line
    }
    expected = {number for number, line in enumerate(SNIPPET.splitlines(), 1) if line.endswith("# error")}
    assert found == expected, done.stdout + done.stderr
