"""A cluster of brokers: which there are, how to reach them, and which of them has to answer what."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, Self, TypeVar

from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import BootstrapError, BrokerConnectionError, BrokerError, KafkaError, ProtocolError
from messagegen_client.net.connection import Connection
from messagegen_client.net.deadlines import Deadline, Progress
from messagegen_client.net.metadata import Broker, ClusterMetadata, MetadataCache
from messagegen_client.net.pool import ConnectionPool
from messagegen_client.net.racing import Race
from messagegen_client.net.retries import Backoff
from messagegen_client.net.versions import highest_common
from messagegen_kafka import AlterClientQuotasRequest, MetadataRequest, MetadataResponse
from messagegen_kafka.error_codes import ErrorCode
from messagegen_kafka.metadata_request import MetadataRequestTopic

if TYPE_CHECKING:
    # Generated code offers the bases of messages for annotations only.
    from messagegen_kafka._runtime.messages import Request, Response

R = TypeVar("R", bound="Response")
T = TypeVar("T")

_METADATA_VERSIONS: Final = range(4, MetadataRequest.VALID_VERSIONS.stop)
"""Version 4 is the first that can ask for a topic without creating it (KIP-4)."""
_SHARES: Final = 3
"""A broker has a third of the time that is left before the next one is asked too, or more where there are not so many."""
_PATIENCE: Final = 0.1
"""The part of ``request_timeout`` after which the next broker is asked in any case."""
_MOMENT: Final = 0.01
"""Seconds; with less than that the deadline is over, as timers see it."""
_FORWARDED: Final = (AlterClientQuotasRequest,)
"""What brokers pass on to the controller and wait for, although it may change nothing (``validate_only``)."""
_METADATA_IS_OLD: Final = frozenset(
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
"""The retriable codes after which Kafka's own client asks for metadata again: ``InvalidMetadataException`` and two more."""


@dataclass(frozen=True, slots=True)
class BrokerId:
    """The broker with this id, and no other: for what only the leader of a partition can answer."""

    id: int

    def __str__(self) -> str:
        return f"broker {self.id}"


@dataclass(frozen=True, slots=True)
class AnyBroker:
    """Whichever broker can be reached."""

    def __str__(self) -> str:
        return "any broker"


@dataclass(frozen=True, slots=True)
class Controller:
    """The broker that metadata names as the controller."""

    def __str__(self) -> str:
        return "the controller"


Target = AnyBroker | Controller | BrokerId
ANY_BROKER: Final = AnyBroker()
CONTROLLER: Final = Controller()


@dataclass(frozen=True, slots=True)
class Answer(Generic[R]):
    """A response, the version it came in, and the broker that gave it."""

    message: R
    version: int
    broker: Broker


class Cluster:
    """The connections to one cluster; used within one event loop, one for a client.

    ``async with Cluster(config) as cluster`` closes it at the end. Connections are made when they are first needed.
    """

    def __init__(self, config: ClientConfig) -> None:
        self.config = config
        self._pool = ConnectionPool(config)
        self._changes = ConnectionPool(config)
        """For what goes on to the controller: answers of a connection come in order, and others shall not wait for it."""
        self._cache = MetadataCache(config.bootstrap_servers, config.metadata_max_age)
        self._refreshing = asyncio.Lock()
        self._contacted = False

    async def __aenter__(self) -> Self:
        self._pool.check_usable()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes all connections; calls under way end with ``ClientClosedError``. Closing twice does no harm."""
        await self._pool.close()
        await self._changes.close()

    def deadline(self, timeout: float | None = None) -> Deadline:
        """The deadline of a call that begins now: after ``timeout`` seconds, else after the config's ``api_timeout``."""
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
        """Sends a request to a broker, in the highest version that both know, and gives its response.

        ``versions`` narrows the versions (a range, as ``VALID_VERSIONS``); a version that is still unstable is used only if
        ``versions`` has it. Error codes in the response are the caller's to read (see ``retrying``).

        What goes wrong in transport is tried again until the deadline, on another broker for ``ANY_BROKER``, after asking
        anew who is the controller for ``CONTROLLER``; a ``BrokerId`` is tried once, because its partitions may
        have moved. A request that is not ``idempotent`` is tried again only if it cannot have reached a broker.
        Until a broker has answered for the first time, each address of the bootstrap list is tried once only, for
        a mistake in the settings is likelier than a cluster that is just coming up.

        For ``ANY_BROKER``, brokers that have just failed are asked last. An ``idempotent`` request goes to another broker too
        where the first takes longer than its share of the time, and the first answer counts. One that is not is sent only
        after a broker has answered something else, so that a mistake in the settings shows before it.

        Raises ``KafkaTimeoutError``, ``BrokerConnectionError`` (both say whether the outcome is unknown),
        ``BootstrapError``, ``AuthenticationError``, ``NoCommonVersionError`` or ``ClientClosedError``; ``EncodeError`` if
        the version cannot carry the request.
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
        """Awaits ``attempt()`` again, after a pause that grows, while it raises a retriable ``BrokerError``.

        A code that says that metadata is out of date (NOT_CONTROLLER, NOT_LEADER_OR_FOLLOWER, ...) makes the next call ask for
        metadata first. At the deadline ``KafkaTimeoutError`` is raised, with the last error as its cause.
        """
        backoff = self.backoff(deadline)
        while True:
            try:
                return await attempt()
            except BrokerError as problem:
                if not problem.retriable:
                    raise
                if problem.code in _METADATA_IS_OLD:
                    self.expire_metadata()
                last = problem
            if not await backoff.pause():
                raise deadline.error(last.doing, Progress(last_error=last)) from last

    async def metadata(
        self, topics: Iterable[str] | None = (), *, deadline: Deadline, cached: bool = False
    ) -> ClusterMetadata:
        """Brokers, controller, and the given topics (``None``: all) with the leaders of their partitions.

        Topics and partitions carry their error codes; topics are never created by asking. With ``cached``, what was
        learned within the config's ``metadata_max_age`` serves if it has all the topics and all leaders.
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
                self._cache.learn(metadata)
                return metadata
            # A broker that is just starting knows of none; one that has lost the cluster asks for a new beginning (KIP-1102).
            self._cache.forget_brokers()
            if not await backoff.pause():
                raise deadline.error("asking for metadata, which so far name no broker")

    def backoff(self, deadline: Deadline) -> Backoff:
        """The pauses between the attempts of a call, as the config has them."""
        return Backoff(self.config.retry_backoff, self.config.retry_backoff_max, deadline)

    def expire_metadata(self) -> None:
        """Makes the next call ask for metadata before it chooses a broker: what is known has proved wrong."""
        self._cache.expire()

    async def _ask_any(self, call: _Call[R], deadline: Deadline, progress: Progress) -> Answer[R]:
        """Asks brokers until the first answers; one that takes long is waited for, while others are asked as well."""
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
                self._note_late(call, deadline, race.running)
                raise
            return answer

    async def _start_all(self, call: _Call[R], race: Race[Answer[R]], deadline: Deadline) -> Answer[R] | None:
        """Asks each broker that is not asked yet, the next one whenever a share of the time has brought no answer."""
        asked = {broker.address for broker in race.running}
        candidates = [broker for broker in self._candidates(call) if broker.address not in asked]
        for left, broker in zip(range(len(candidates), 0, -1), candidates, strict=True):
            race.start(broker)
            failed = len(race.failures)
            share = deadline.remaining() / min(left, _SHARES)
            answer = await race.answer(min(share, self.config.request_timeout * _PATIENCE))
            if answer is not None:
                return answer
            if len(race.failures) == failed:
                call.pool.note_failure(broker)
            self._check_protocol(race)
        return None

    def _check_race(self, race: Race[Answer[R]], progress: Progress) -> None:
        """Raises what went wrong where there is nothing to wait for; else takes note of it."""
        if race.failures:
            self.expire_metadata()
            progress.last_error = BootstrapError(race.failures)
            if not self._contacted and not race.running:
                raise progress.last_error
            if self._contacted:
                race.failures.clear()

    def _check_protocol(self, race: Race[Answer[R]]) -> None:
        """Raises an answer that can't be read: the address is right, so that another broker would hardly do better."""
        for _, problem in race.failures:
            if isinstance(problem, ProtocolError) and self._contacted:
                raise problem

    def _note_late(self, call: _Call[R], deadline: Deadline, brokers: Iterable[Broker]) -> None:
        """Remembers brokers that have not answered until the deadline; a caller that gives up earlier blames nobody."""
        if deadline.remaining() < _MOMENT:
            for broker in brokers:
                call.pool.note_late(broker)

    async def _ask_in_turn(self, call: _Call[R], to: Target, deadline: Deadline, progress: Progress) -> Answer[R]:
        """Asks one broker, and another only where the first can't have got the request."""
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
        """One try of a call, for ``ANY_BROKER`` with each broker in turn until one answers."""
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
                self._note_late(call, deadline, [broker])
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
        connection.settings_are_right = self._contacted
        message = await connection.ask(call.request, call.response_type, version)
        self._contacted = True
        return Answer(message, version, broker)

    async def _connection(
        self, pool: ConnectionPool, broker: Broker, deadline: Deadline, progress: Progress, *, candidates_left: int
    ) -> Connection:
        """A connection to a broker; while there are other candidates, it may take only its share of the time."""
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
            raise BrokerConnectionError(f"{broker}: given up after {share:.3g} s while {stage}") from None

    def _candidates(self, call: _Call[R]) -> list[Broker]:
        self._pool.check_usable()
        return self._cache.candidates(lambda broker: self._preference(call, broker))

    def _preference(self, call: _Call[R], broker: Broker) -> tuple[bool, bool, float]:
        in_trouble, not_open, failed_at = call.pool.preference(broker)
        # A broker that answers no question does not change anything either; the controller's silence is not the broker's.
        return in_trouble or self._pool.preference(broker)[0], not_open, failed_at

    async def _broker(self, to: Controller | BrokerId, deadline: Deadline) -> Broker:
        """The broker that is meant; raises ``BrokerConnectionError`` where it is not alive."""
        self._pool.check_usable()
        known = await self._fresh_metadata(deadline)
        wanted = to.id if isinstance(to, BrokerId) else known.controller_id
        broker = known.brokers.get(wanted)
        if broker is None:
            alive = ", ".join(map(str, sorted(known.brokers)))
            which = f"broker {wanted} is not" if wanted >= 0 else "no controller is"
            raise BrokerConnectionError(f"{which} among the brokers that are alive: {alive}")
        return broker

    async def _fresh_metadata(self, deadline: Deadline) -> ClusterMetadata:
        """Brokers and controller, asked for once by however many calls need them at the same time."""
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
        """Kafka's name of the API that is asked."""
        return type(self.request).__name__.removesuffix("Request")
