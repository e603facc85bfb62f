"""A cluster of brokers: chooses the broker for a request, and sends it again where that is safe."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, Self, TypeVar

from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import BootstrapError, BrokerConnectionError, BrokerError, KafkaError, ProtocolError
from messagegen_client.net.connection import Connection
from messagegen_client.net.deadlines import Deadline, Progress, Timeout
from messagegen_client.net.metadata import Broker, ClusterMetadata, MetadataCache
from messagegen_client.net.pool import ConnectionPool
from messagegen_client.net.racing import Race
from messagegen_client.net.retries import Backoff
from messagegen_client.net.versions import highest_common
from messagegen_kafka import AlterClientQuotasRequest, MetadataRequest, MetadataResponse
from messagegen_kafka.error_codes import ErrorCode
from messagegen_kafka.metadata_request import MetadataRequestTopic

if TYPE_CHECKING:
    # Generated code exports the base classes of messages for annotations only.
    from messagegen_kafka._runtime.messages import Request, Response

R = TypeVar("R", bound="Response")
T = TypeVar("T")

_METADATA_VERSIONS: Final = range(4, MetadataRequest.VALID_VERSIONS.stop)
"""Version 4 is the first that can describe a topic without creating it (KIP-4)."""
_SHARES: Final = 3
"""A broker has a third of the remaining time, or more if there are fewer brokers, before the next one is asked too."""
_MAX_WAIT: Final = 0.1
"""The fraction of ``request_timeout`` after which the next broker is asked in any case."""
_RESOLUTION: Final = 0.01
"""Seconds. A deadline with less time than that has passed, because timers are not exact."""
_FORWARDED: Final = (AlterClientQuotasRequest,)
"""Requests that brokers forward to the controller even if they change nothing (``validate_only``)."""
_STALE_METADATA: Final = frozenset(
    {
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.LEADER_NOT_AVAILABLE,
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.REPLICA_NOT_AVAILABLE,
        ErrorCode.NETWORK_EXCEPTION,
        ErrorCode.NOT_CONTROLLER,
        ErrorCode.KAFKA_STORAGE_ERROR,
        ErrorCode.LISTENER_NOT_FOUND,
        ErrorCode.FENCED_LEADER_EPOCH,
        ErrorCode.UNKNOWN_LEADER_EPOCH,
        ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE,
        ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE,
        ErrorCode.UNKNOWN_TOPIC_ID,
        ErrorCode.INCONSISTENT_TOPIC_ID,
    }
)
"""The retriable codes after which Kafka's client refreshes metadata: ``InvalidMetadataException`` and two more."""


@dataclass(frozen=True, slots=True)
class BrokerId:
    """The broker with this id: for requests that only the leader of a partition can answer."""

    id: int

    def __str__(self) -> str:
        return f"broker {self.id}"


@dataclass(frozen=True, slots=True)
class AnyBroker:
    """Any broker that can be reached."""

    def __str__(self) -> str:
        return "any broker"


@dataclass(frozen=True, slots=True)
class Controller:
    """The broker that is the controller according to the metadata."""

    def __str__(self) -> str:
        return "the controller"


Target = AnyBroker | Controller | BrokerId
ANY_BROKER: Final = AnyBroker()
CONTROLLER: Final = Controller()


@dataclass(frozen=True, slots=True)
class Answer(Generic[R]):
    """A response, its version, and the broker that sent it."""

    message: R
    version: int
    broker: Broker


class Cluster:
    """The connections to one cluster, for one event loop. Connections are made when they are first needed.

    Use it with ``async with``, or call ``close``.
    """

    def __init__(self, config: ClientConfig) -> None:
        self.config = config
        self._pool = ConnectionPool(config)
        self._changes = ConnectionPool(config)
        """For requests that go to the controller. Responses on a connection come in order, so other requests would wait."""
        self._cache = MetadataCache(config.bootstrap_servers, config.metadata_max_age)
        self._refreshing = asyncio.Lock()
        self._contacted = False

    async def __aenter__(self) -> Self:
        self._pool.check_usable()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes all connections. Calls in progress raise ``ClientClosedError``. May be called twice."""
        await self._pool.close()
        await self._changes.close()

    def deadline(self, timeout: Timeout = None) -> Deadline:
        """The deadline for a timeout in seconds, or for the config's ``api_timeout``; a deadline is returned as it is."""
        if isinstance(timeout, Deadline):
            return timeout
        return Deadline.after(self.config.api_timeout if timeout is None else timeout)

    async def call(
        self,
        request: Request,
        response_type: type[R],
        *,
        to: Target,
        deadline: Deadline,
        versions: range | None = None,
        idempotent: bool = True,
    ) -> Answer[R]:
        """Sends a request to a broker, in the highest version that both support, and returns the response.

        ``versions`` restricts the versions (a range, as ``VALID_VERSIONS``); an unstable version is used only if ``versions``
        has it. Error codes in the response are left to the caller (see ``retrying``).

        A failed connection is retried until the deadline: with another broker for ``ANY_BROKER``, with fresh metadata for
        ``CONTROLLER``. A ``BrokerId`` is tried once, because its partitions may have moved. A request that is not
        ``idempotent`` is retried only if no broker can have received it. Until the first answer of a broker, each bootstrap
        address is tried once, because wrong settings are more likely than a cluster that is starting.

        For ``ANY_BROKER``, brokers that have just failed are asked last. If a broker takes longer than its share of the time, an
        ``idempotent`` request is also sent to another one, and the first answer counts. A request that is not ``idempotent`` is
        sent only after another request was answered, so that wrong settings show earlier.

        Raises ``KafkaTimeoutError``, ``BrokerConnectionError`` (both with ``outcome_unknown``), ``BootstrapError``,
        ``AuthenticationError``, ``NoCommonVersionError``, ``ClientClosedError``, and ``EncodeError`` if the version can't
        represent the request.
        """
        pool = self._pool if idempotent and not isinstance(request, _FORWARDED) else self._changes
        call = _Call(request, response_type, versions, idempotent, pool)
        doing = f"asking {to} for {call.api}"
        async with deadline.limit(doing) as progress:
            try:
                if idempotent and isinstance(to, AnyBroker):
                    return await self._ask_any(call, deadline, progress)
                if not idempotent and not self._contacted:
                    await self.metadata(deadline=deadline)
                return await self._ask_in_turn(call, to, deadline, progress)
            except KafkaError as problem:
                problem.outcome_unknown = problem.outcome_unknown and not idempotent
                raise

    async def retrying(self, attempt: Callable[[], Awaitable[T]], *, deadline: Deadline) -> T:
        """Awaits ``attempt()``, again after a growing pause while it raises a retriable ``BrokerError``.

        A code for stale metadata (NOT_CONTROLLER, NOT_LEADER_OR_FOLLOWER, ...) makes the next call refresh it. Raises
        ``KafkaTimeoutError`` at the deadline, with the last error as its cause.
        """
        backoff = self.backoff(deadline)
        while True:
            try:
                return await attempt()
            except BrokerError as problem:
                if not problem.retriable:
                    raise
                if problem.code in _STALE_METADATA:
                    self.expire_metadata()
                last = problem
            if not await backoff.pause():
                raise deadline.error(last.doing, Progress(last_error=last)) from last

    async def metadata(
        self, topics: Iterable[str] | None = (), *, deadline: Deadline, cached: bool = False
    ) -> ClusterMetadata:
        """Brokers, controller, and the given topics (``None``: all) with the leaders of their partitions.

        Topics and partitions have their error codes. Never creates topics. ``cached`` allows metadata that is younger than the
        config's ``metadata_max_age``, if it has all the topics and all leaders.
        """
        names = None if topics is None else list(dict.fromkeys(topics))
        if cached and names is not None:
            known = self._cache.with_topics(names)
            if known is not None:
                return known
        request = MetadataRequest(
            topics=None if names is None else tuple(MetadataRequestTopic(name=name) for name in names),
            allow_auto_topic_creation=False,
        )
        backoff = self.backoff(deadline)
        while True:
            answer = await self.call(
                request, MetadataResponse, to=ANY_BROKER, deadline=deadline, versions=_METADATA_VERSIONS
            )
            if answer.message.brokers and not answer.message.error_code:
                metadata = ClusterMetadata.read(answer.message)
                self._cache.update(metadata)
                return metadata
            # A starting broker lists none. A broker that has lost the cluster asks clients to bootstrap again (KIP-1102).
            self._cache.forget_brokers()
            if not await backoff.pause():
                raise deadline.error("asking for metadata: no broker listed so far")

    def backoff(self, deadline: Deadline) -> Backoff:
        """The pauses between the attempts of a call, from the config."""
        return Backoff(self.config.retry_backoff, self.config.retry_backoff_max, deadline)

    def expire_metadata(self) -> None:
        """Makes the next call refresh the metadata before it chooses a broker."""
        self._cache.expire()

    async def _ask_any(self, call: _Call[R], deadline: Deadline, progress: Progress) -> Answer[R]:
        """Asks brokers until the first answers. Keeps waiting for a slow broker while others are asked too."""
        backoff = self.backoff(deadline)
        async with Race(lambda broker, stage: self._ask_one(call, broker, stage)) as race:
            progress.stage = race.stage
            try:
                answer = await self._start_all(call, race, deadline)
                while answer is None:
                    self._check_race(race, progress)
                    answer = await race.answer(backoff.next() or deadline.remaining())
                    self._check_protocol(race)
                    if answer is None and self._contacted:
                        answer = await self._start_all(call, race, deadline)
            except asyncio.CancelledError:
                self._note_timeout(call, deadline, race.running)
                raise
            return answer

    async def _start_all(self, call: _Call[R], race: Race[Answer[R]], deadline: Deadline) -> Answer[R] | None:
        """Asks each broker that is not being asked, the next one when the share of the time of the last one is over."""
        asked = {broker.address for broker in race.running}
        candidates = [broker for broker in self._candidates(call) if broker.address not in asked]
        for left, broker in zip(range(len(candidates), 0, -1), candidates, strict=True):
            race.start(broker)
            failed = len(race.failures)
            share = deadline.remaining() / min(left, _SHARES)
            answer = await race.answer(min(share, self.config.request_timeout * _MAX_WAIT))
            if answer is not None:
                return answer
            if len(race.failures) == failed:
                call.pool.note_failure(broker)
            self._check_protocol(race)
        return None

    def _check_race(self, race: Race[Answer[R]], progress: Progress) -> None:
        """Raises the failures if there is nothing left to wait for, else notes them."""
        if race.failures:
            self.expire_metadata()
            progress.last_error = BootstrapError(race.failures)
            if not self._contacted and not race.running:
                raise progress.last_error
            if self._contacted:
                race.failures.clear()

    def _check_protocol(self, race: Race[Answer[R]]) -> None:
        """Raises the error of an invalid response: the address is right, so another broker is unlikely to help."""
        for _, problem in race.failures:
            if isinstance(problem, ProtocolError) and self._contacted:
                raise problem

    def _note_timeout(self, call: _Call[R], deadline: Deadline, brokers: Iterable[Broker]) -> None:
        """Notes brokers that have not answered by the deadline. A call that is cancelled earlier notes none."""
        if deadline.remaining() < _RESOLUTION:
            for broker in brokers:
                call.pool.note_timeout(broker)

    async def _ask_in_turn(self, call: _Call[R], to: Target, deadline: Deadline, progress: Progress) -> Answer[R]:
        """Asks one broker, and another one only if the first can't have received the request."""
        backoff = self.backoff(deadline)
        while True:
            try:
                return await self._attempt(call, to, deadline, progress)
            except BrokerConnectionError as problem:
                self.expire_metadata()
                unknown = problem.outcome_unknown and not call.idempotent
                if isinstance(to, BrokerId) or not self._contacted or isinstance(problem, ProtocolError) or unknown:
                    raise
                progress.last_error, progress.outcome_unknown = problem, False
            await asyncio.sleep(backoff.next() or deadline.remaining())

    async def _attempt(self, call: _Call[R], to: Target, deadline: Deadline, progress: Progress) -> Answer[R]:
        """One attempt of a call. For ``ANY_BROKER``, tries one broker after the other."""
        candidates = self._candidates(call) if isinstance(to, AnyBroker) else [await self._broker(to, deadline)]
        reasons: list[tuple[str, KafkaError]] = []
        for left, broker in zip(range(len(candidates), 0, -1), candidates, strict=True):
            try:
                connection = await self._connection(call.pool, broker, deadline, progress, candidates_left=left)
                return await self._ask(connection, call, progress)
            except BrokerConnectionError as problem:
                call.pool.note_failure(broker)
                if not isinstance(to, AnyBroker) or isinstance(problem, ProtocolError):
                    raise
                if problem.outcome_unknown and not call.idempotent:
                    raise
                reasons.append((broker.address, problem))
                progress.last_error, progress.outcome_unknown = BootstrapError(reasons), False
            except asyncio.CancelledError:
                self._note_timeout(call, deadline, [broker])
                raise
        raise BootstrapError(reasons)

    async def _ask_one(self, call: _Call[R], broker: Broker, progress: Progress) -> Answer[R]:
        try:
            return await self._ask(await call.pool.get(broker, progress), call, progress)
        except BrokerConnectionError:
            call.pool.note_failure(broker)
            raise

    async def _ask(self, connection: Connection, call: _Call[R], progress: Progress) -> Answer[R]:
        broker = connection.broker
        version = highest_common(type(call.request), connection.offered, call.versions, broker)
        progress.stage = lambda: f"waiting for {broker} to answer"
        progress.outcome_unknown = not call.idempotent
        connection.settings_work = self._contacted
        message = await connection.ask(call.request, call.response_type, version)
        self._contacted = True
        return Answer(message, version, broker)

    async def _connection(
        self, pool: ConnectionPool, broker: Broker, deadline: Deadline, progress: Progress, *, candidates_left: int
    ) -> Connection:
        """A connection to a broker. While there are other candidates, connecting may only take its share of the time."""
        if candidates_left == 1:
            return await pool.get(broker, progress)
        share = deadline.remaining() / candidates_left
        scope = asyncio.timeout(share)
        try:
            async with scope:
                return await pool.get(broker, progress)
        except TimeoutError:
            if not scope.expired():
                raise
            stage = progress.stage() if progress.stage is not None else f"connecting to {broker}"
            raise BrokerConnectionError(f"{broker}: timed out after {share:.3g} s while {stage}") from None

    def _candidates(self, call: _Call[R]) -> list[Broker]:
        self._pool.check_usable()
        return self._cache.candidates(lambda broker: self._preference(call, broker))

    def _preference(self, call: _Call[R], broker: Broker) -> tuple[bool, bool, float]:
        in_trouble, not_open, failed_at = call.pool.preference(broker)
        # A broker that does not answer other requests will not answer this one; the reverse may be the controller's fault.
        return in_trouble or self._pool.preference(broker)[0], not_open, failed_at

    async def _broker(self, to: Controller | BrokerId, deadline: Deadline) -> Broker:
        """The broker to ask. Raises ``BrokerConnectionError`` if it is not alive."""
        self._pool.check_usable()
        known = await self._fresh_metadata(deadline)
        wanted = to.id if isinstance(to, BrokerId) else known.controller_id
        broker = known.brokers.get(wanted)
        if broker is None:
            alive = ", ".join(map(str, sorted(known.brokers)))
            which = f"broker {wanted} is not alive" if wanted >= 0 else "the controller is unknown"
            raise BrokerConnectionError(f"{which}; brokers that are alive: {alive}")
        return broker

    async def _fresh_metadata(self, deadline: Deadline) -> ClusterMetadata:
        """Brokers and controller. Calls at the same time share one request."""
        async with self._refreshing:
            return self._cache.current() or await self.metadata(deadline=deadline)


@dataclass(frozen=True, slots=True)
class _Call(Generic[R]):
    request: Request
    response_type: type[R]
    versions: range | None
    idempotent: bool
    pool: ConnectionPool

    @property
    def api(self) -> str:
        """Kafka's name of the API."""
        return type(self.request).__name__.removesuffix("Request")
