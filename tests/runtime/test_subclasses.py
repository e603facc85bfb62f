"""Methods typed ``Self`` return instances of the class that they are called on."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from messagegen_kafka import MetadataRequest
from messagegen_kafka.metadata_request import MetadataRequestTopic


class Mine(MetadataRequest):
    """A subclass as a user would write it, with a method and without slots."""

    @property
    def names(self) -> list[str | None]:
        return [topic.name for topic in self.topics or ()]


@dataclass(kw_only=True)  # pyright: ignore[reportGeneralTypeIssues]
class Counted(MetadataRequest):  # type: ignore[misc]  # frozen for type checkers only
    """A subclass with a field of its own."""

    seen: int = 7


@pytest.fixture(params=["native", "pure"])
def _engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "pure":
        monkeypatch.setattr(MetadataRequest.CODEC, "engine", None)
    elif MetadataRequest.CODEC.engine is None:
        pytest.skip("messagegen-native is not installed")


BASE = MetadataRequest(topics=tuple(MetadataRequestTopic(name=name * 30) for name in "abc"))
DATA = BASE.encode(version=12)


@pytest.mark.usefixtures("_engine")
class TestSubclasses:
    @pytest.mark.parametrize("lazy", [False, True])
    def test_decode_returns_an_instance_of_the_subclass(self, lazy: bool) -> None:
        found = Mine.decode(DATA, version=12, lazy=lazy)
        assert type(found) is Mine
        assert found.names == ["a" * 30, "b" * 30, "c" * 30]
        assert found.encode(version=12) == DATA

    @pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
    def test_decode_from_returns_an_instance_of_the_subclass(self, kind: type[bytes]) -> None:
        found, end = Mine.decode_from(kind(b"xx" + DATA + bytes(9000)), 2, version=12)
        assert (type(found), end) == (Mine, 2 + len(DATA))
        assert found.names == Mine.decode(memoryview(DATA), version=12).names

    def test_from_json_returns_an_instance_of_the_subclass(self) -> None:
        found = Mine.from_json(BASE.to_json(version=12), version=12)
        assert type(found) is Mine
        assert found == Mine.decode(DATA, version=12)

    def test_fields_of_the_subclass_have_their_default(self) -> None:
        assert Counted.decode(DATA, version=12) == Counted(topics=BASE.topics)
        assert Counted.decode(DATA, version=12).seen == 7
