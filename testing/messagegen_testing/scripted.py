"""A broker whose answers a test defines; it needs no Kafka."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from ssl import SSLContext
from types import MappingProxyType, ModuleType
from typing import Any, Final
from uuid import NAMESPACE_URL, UUID, uuid5

import messagegen_kafka
from messagegen_kafka import (
    ApiVersionsRequest,
    ErrorCode,
    FindCoordinatorRequest,
    GetTelemetrySubscriptionsRequest,
    InitProducerIdRequest,
    MetadataRequest,
    PushTelemetryRequest,
    ReceivedRequest,
    Request,
)
from messagegen_testing.conversation import Backend, Client, Event
from messagegen_testing.endpoint import HOST, Endpoint
from messagegen_testing.errors.answers import ErrorAnswer
from messagegen_testing.errors.selection import Selection
from messagegen_testing.errors.shape import shape_of
from messagegen_testing.errors.versions import api_versions
from messagegen_testing.problems import UnansweredRequestError
from messagegen_testing.replies import HANG_UP, MISSING, Reply
from messagegen_testing.seen import SeenRequest

NODE_ID: Final = 1
"""The id of the only broker, which leads all partitions."""

_TELEMETRY: Final = frozenset({GetTelemetrySubscriptionsRequest.API_KEY, PushTelemetryRequest.API_KEY})
"""The telemetry APIs; clients use them as soon as a broker offers them."""

_ALL_API_KEYS: Final = range(200)
"""Kafka numbers its APIs from 0; the highest was below 100 in 2026."""


class ScriptedBroker(Endpoint):
    """A broker that answers the requests of the connection setup on its own, and all other requests by rules.

    It answers ApiVersions, Metadata and, for idempotent producers, InitProducerId. It has no log, no groups and no
    transactions, so it answers FindCoordinator with COORDINATOR_NOT_AVAILABLE.

    ``topics`` maps each topic name to its number of partitions. ``versions`` limits the offered versions of a request
    to the lowest and the highest; ``None`` removes the request. A request that is not offered is refused, and the test
    fails. The broker offers telemetry (KIP-714) only if ``versions`` contains it. ``ssl`` is a server-side context,
    with which clients connect over TLS. ``package`` is the generated package with the messages.

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
        """The topic ids, which depend only on the topic names."""
        self._shared.topic_names.update({topic_id: name for name, topic_id in self.topic_ids.items()})
        self._unanswered: Counter[str] = Counter()
        self._not_offered: Counter[str] = Counter()
        self._producers = 0
        self._own_answers: Mapping[int, Callable[[Any, int], Reply]] = {
            ApiVersionsRequest.API_KEY: self._versions,
            MetadataRequest.API_KEY: self._metadata,
            FindCoordinatorRequest.API_KEY: self._no_coordinator,
            InitProducerIdRequest.API_KEY: self._producer_id,
        }
        self._offered = _supported(package)
        for request_class, offered in versions.items():
            self._check_package(request_class)
            if offered is None:
                self._offered.pop(request_class.API_KEY, None)
            else:
                self._offered[request_class.API_KEY] = offered

    async def _start(self) -> int:
        return self._listen(self._connect)

    async def _connect(self, _: Client) -> Backend:
        return _Script(self)

    def _problems(self) -> list[BaseException]:
        problems = super()._problems()
        if self._unanswered:
            (name, count), *_ = self._unanswered.most_common()
            advice = f"write broker.when({name.split()[0]}).answer(...)"
            problems.insert(0, UnansweredRequestError(f"no answer for {name} ({count} times); {advice}"))
        for text, count in self._not_offered.most_common(1):
            problems.insert(0, UnansweredRequestError(f"{text} ({count} times); `versions` has what the broker offers"))
        return problems

    def answer(self, request: SeenRequest[Any], message: Request) -> Reply:
        """Return the broker's own answer, or ``MISSING``."""
        own = self._own_answers.get(message.API_KEY)
        return MISSING if own is None else own(message, request.version)

    def note_unanswered(self, request: SeenRequest[Any]) -> None:
        """Note that neither the broker nor a rule answered a request, so that the test fails."""
        self._unanswered[f"{type(request.message).__name__} version {request.version}"] += 1

    def refuse(self, event: ReceivedRequest) -> Reply | None:
        """Return the answer to an API or version that the broker does not offer, else ``None``. Rules do not apply.

        The answer to ApiVersions lists the versions of ApiVersions (KIP-511). Other requests end the connection, and
        the test fails.
        """
        offered = self._offered.get(event.api_key)
        if offered is not None and offered[0] <= event.version <= offered[1]:
            return None
        classes: Any = self._shared.package.message_classes("request", event.api_key)
        if event.api_key != ApiVersionsRequest.API_KEY:
            name = classes[0].__name__ if classes else f"API key {event.api_key}"
            wanted = f"no {name}" if offered is None else f"{name} in versions {offered[0]} to {offered[1]}"
            self._not_offered[f"expected {wanted}, found version {event.version}"] += 1
            return HANG_UP
        if offered is None:
            return HANG_UP  # Brokers older than ApiVersions get such requests and hang up, too.
        (request_class,) = classes
        answer = api_versions(request_class.RESPONSE, {event.api_key: offered}, ErrorCode.UNSUPPORTED_VERSION)
        return Reply(answer, version=0)

    def refuse_unread(self, event: Event) -> Reply:
        """Close a connection after bytes that the package can't read, and let the test fail."""
        name = f"API key {event.api_key} version {event.version}" if isinstance(event, ReceivedRequest) else "bytes"
        self._unanswered[name] += 1
        return HANG_UP

    def _no_coordinator(self, message: Any, version: int) -> Reply:
        """Answer that no coordinator is available, because the broker has no groups and no transactions."""
        shape = shape_of(message.__class__, message.RESPONSE, version)
        answer = ErrorAnswer(shape, Selection(), int(ErrorCode.COORDINATOR_NOT_AVAILABLE))
        return Reply(answer.made(message) or answer.without_elements(message))

    def _producer_id(self, message: Any, version: int) -> Reply:  # noqa: ARG002 - all versions have the id
        """Return a new producer id, for an idempotent producer without transactions."""
        if message.transactional_id is not None:
            return MISSING
        self._producers += 1
        return Reply(message.RESPONSE(producer_id=self._producers, producer_epoch=0))

    def _versions(self, request: Any, version: int) -> Reply:  # noqa: ARG002 - the same in all versions
        """Return the offered versions."""
        return Reply(api_versions(request.RESPONSE, self._offered))

    def _metadata(self, request: Any, version: int) -> Reply:
        """Return a cluster of one broker, with the topics that the request names."""
        response_class = request.RESPONSE
        structs = {field.name: field for field in response_class.fields(version=version)}
        broker = structs["brokers"].struct(node_id=NODE_ID, host=HOST, port=self.port)
        requested = self._topics_asked_for(request, version)
        topics = [self._topic(structs["topics"], each) for each in requested]
        return Reply(
            response_class(brokers=(broker,), cluster_id="scripted", controller_id=NODE_ID, topics=tuple(topics))
        )

    def _topics_asked_for(self, request: Any, version: int) -> list[str | UUID]:
        """Return the requested topics: names, or ids of topics that do not exist."""
        # Version 0 has no null array: there, an empty array requests all topics.
        if request.topics is None or (version == 0 and not request.topics):
            return list(self.topics)
        names = {topic_id: name for name, topic_id in self.topic_ids.items()}
        requested: list[str | UUID] = [
            each.topic_id if each.name is None or each.topic_id.int else each.name for each in request.topics
        ]
        # Like a broker, list each topic once.
        return list(dict.fromkeys(names.get(each, each) if isinstance(each, UUID) else each for each in requested))

    def _topic(self, topics: Any, name: str | UUID) -> Any:
        if isinstance(name, UUID):
            nameless = {field.name: None for field in topics.fields if field.name == "name" and field.nullable}
            return topics.struct(**nameless, topic_id=name, error_code=int(ErrorCode.UNKNOWN_TOPIC_ID))
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
    """The answers to the requests of one connection."""

    def __init__(self, broker: ScriptedBroker) -> None:
        self._broker = broker

    async def ask(self, request: SeenRequest[Any], message: Request) -> Reply:
        """Return the broker's own answer."""
        return self._broker.answer(request, message)

    def note_unanswered(self, request: SeenRequest[Any]) -> None:
        """Note a request without an answer."""
        self._broker.note_unanswered(request)

    def refuse(self, event: ReceivedRequest) -> Reply | None:
        """Return the answer to a request that the broker does not offer."""
        return self._broker.refuse(event)

    async def pass_on(self, event: Event) -> Reply:
        """Refuse an unreadable event."""
        return self._broker.refuse_unread(event)

    async def finish(self) -> None:
        """Do nothing: no connection is behind this one."""

    def abort(self) -> None:
        """Do nothing: no connection is behind this one."""


def _supported(package: ModuleType) -> dict[int, tuple[int, int]]:
    """Return the lowest and highest version of each request in a package, except the telemetry requests."""
    keys = [key for key in _ALL_API_KEYS if key not in _TELEMETRY]
    classes = [cls for key in keys for cls in package.message_classes("request", key) if cls.VALID_VERSIONS]
    return {cls.API_KEY: (cls.VALID_VERSIONS[0], cls.VALID_VERSIONS[-1]) for cls in classes}


def scripted_broker(
    topics: Mapping[str, int] = MappingProxyType({}),
    *,
    versions: Mapping[type[Any], tuple[int, int] | None] = MappingProxyType({}),
    ssl: SSLContext | None = None,
    package: ModuleType = messagegen_kafka,
) -> ScriptedBroker:
    """Return a broker whose answers a test defines, as a context manager: see ``ScriptedBroker``."""
    return ScriptedBroker(topics, versions=versions, ssl=ssl, package=package)
