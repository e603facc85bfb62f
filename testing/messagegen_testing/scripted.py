"""A broker that a test scripts: it needs no Kafka."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from ssl import SSLContext
from types import MappingProxyType, ModuleType
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

import messagegen_kafka
from messagegen_kafka import ApiVersionsRequest, ErrorCode, MetadataRequest, ReceivedRequest, Request, Response
from messagegen_testing.conversation import Backend, Event, api_versions
from messagegen_testing.endpoint import HOST, Endpoint
from messagegen_testing.problems import UnansweredRequestError
from messagegen_testing.replies import HANG_UP, Reply
from messagegen_testing.seen import SeenRequest

NODE_ID: Final = 1
"""The id of the only broker, which leads all partitions."""

_ALL_API_KEYS: Final = range(200)
"""Kafka numbers its APIs from 0; the highest was below 100 in 2026."""


class ScriptedBroker(Endpoint):
    """A broker that answers ApiVersions and Metadata by itself, and other requests as ``when`` says.

    It has no log and no group coordinator. ``topics`` are names with the number of their partitions. ``versions``
    limits what it says that it supports, as the lowest and highest version of a request, or ``None`` for a request that
    it does not have. ``package`` is the generated package with the messages.

    At the end of the ``with`` block, a request without an answer and a rule that was never used are errors.
    """

    def __init__(
        self,
        topics: Mapping[str, int] = MappingProxyType({}),
        *,
        versions: Mapping[type[Any], tuple[int, int] | None] = MappingProxyType({}),
        ssl: SSLContext | None = None,
        package: ModuleType = messagegen_kafka,
    ) -> None:
        super().__init__(package, ssl)
        self.topics = dict(topics)
        self.topic_ids = {name: uuid5(NAMESPACE_URL, name) for name in topics}
        """The ids of the topics, which only depend on their names."""
        self._shared.topic_names.update({topic_id: name for name, topic_id in self.topic_ids.items()})
        self._unanswered: Counter[str] = Counter()
        self._offered = _supported(package)
        for request_class, offered in versions.items():
            self._check_package(request_class)
            if offered is None:
                del self._offered[request_class.API_KEY]
            else:
                self._offered[request_class.API_KEY] = offered

    async def _start(self) -> int:
        return self._listen(self._connect)

    async def _connect(self, _: asyncio.StreamWriter) -> Backend:
        return _Script(self)

    def _problems(self) -> list[Exception]:
        problems = super()._problems()
        if self._unanswered:
            (name, count), *_ = self._unanswered.most_common()
            advice = f"write broker.when({name.split()[0]}).answer(...)"
            problems.insert(0, UnansweredRequestError(f"no answer for {name} ({count} times); {advice}"))
        return problems

    def answer(self, request: SeenRequest[Any], message: Request) -> Reply:
        """The answer that the broker has by itself; if there is none, the connection is closed, and the test fails."""
        if isinstance(message, self._class(ApiVersionsRequest)):
            return self._versions(request.version)
        if isinstance(message, self._class(MetadataRequest)):
            return Reply(self._metadata(message, request.version))
        self._unanswered[f"{type(message).__name__} version {request.version}"] += 1
        return HANG_UP

    def refuse(self, event: Event) -> Reply:
        """Closes a connection on which something came that the package can't read."""
        name = f"API key {event.api_key} version {event.version}" if isinstance(event, ReceivedRequest) else "bytes"
        self._unanswered[name] += 1
        return HANG_UP

    def _versions(self, version: int) -> Reply:
        """Which versions there are; if it does not have that of the request, as a refusal in version 0 (KIP-511)."""
        offered = {key: versions for key, versions in self._offered.items() if key == ApiVersionsRequest.API_KEY}
        lowest, highest = offered.get(ApiVersionsRequest.API_KEY, (0, version))
        if lowest <= version <= highest:
            return Reply(api_versions(self._shared.package, self._offered))
        return Reply(api_versions(self._shared.package, offered, ErrorCode.UNSUPPORTED_VERSION), version=0)

    def _class(self, request_class: type[Request]) -> type[Request]:
        (found,) = self._shared.package.message_classes("request", request_class.API_KEY)
        own: type[Request] = found
        return own

    def _metadata(self, request: Any, version: int) -> Response:
        """The cluster of one broker, and the topics that were asked for."""
        response_class = request.RESPONSE
        structs = {field.name: field for field in response_class.fields(version=version)}
        broker = structs["brokers"].struct(node_id=NODE_ID, host=HOST, port=self.port)
        names = self._topics_asked_for(request, version)
        topics = [self._topic(structs["topics"], name) for name in names]
        response: Response = response_class(
            brokers=(broker,), cluster_id="scripted", controller_id=NODE_ID, topics=tuple(topics)
        )
        return response

    def _topics_asked_for(self, request: Any, version: int) -> list[str]:
        # In version 0, which has no null, an empty array asks for all topics.
        if request.topics is None or (version == 0 and not request.topics):
            return list(self.topics)
        names = {topic_id: name for name, topic_id in self.topic_ids.items()}
        return [each.name if each.name is not None else names.get(each.topic_id, "") for each in request.topics]

    def _topic(self, topics: Any, name: str) -> Any:
        if name not in self.topics:
            return topics.struct(name=name, error_code=int(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION))
        (partitions,) = [field for field in topics.fields if field.name == "partitions"]
        return topics.struct(
            name=name,
            topic_id=self.topic_ids[name],
            partitions=tuple(self._partition(partitions, index) for index in range(self.topics[name])),
        )

    def _partition(self, partitions: Any, index: int) -> Any:
        return partitions.struct(
            partition_index=index, leader_id=NODE_ID, leader_epoch=0, replica_nodes=(NODE_ID,), isr_nodes=(NODE_ID,)
        )


class _Script(Backend):
    """Answers the requests of one connection."""

    def __init__(self, broker: ScriptedBroker) -> None:
        self._broker = broker

    async def ask(self, request: SeenRequest[Any], message: Request) -> Reply:
        """The answer that the broker has by itself."""
        return self._broker.answer(request, message)

    async def pass_on(self, event: Event) -> Reply:
        """Refuses what can't be read."""
        return self._broker.refuse(event)

    async def finish(self) -> None:
        """There is nothing to close."""

    def abort(self) -> None:
        """There is nothing to close."""


def _supported(package: ModuleType) -> dict[int, tuple[int, int]]:
    """The lowest and highest version of each request of a package."""
    classes = [cls for key in _ALL_API_KEYS for cls in package.message_classes("request", key) if cls.VALID_VERSIONS]
    return {cls.API_KEY: (cls.VALID_VERSIONS[0], cls.VALID_VERSIONS[-1]) for cls in classes}


def scripted_broker(
    topics: Mapping[str, int] = MappingProxyType({}),
    *,
    versions: Mapping[type[Any], tuple[int, int] | None] = MappingProxyType({}),
    ssl: SSLContext | None = None,
    package: ModuleType = messagegen_kafka,
) -> ScriptedBroker:
    """Return a broker that a test scripts, as a context manager: see ``ScriptedBroker``."""
    return ScriptedBroker(topics, versions=versions, ssl=ssl, package=package)
