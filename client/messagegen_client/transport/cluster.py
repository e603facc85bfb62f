"""A cluster of brokers: chooses the broker for a request, and sends the request again if that is safe.

Users call ``Cluster.call``. ``_call`` retries until the deadline. In each round, ``_ask_any`` asks one broker after
the other. ``_ask`` asks one broker.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Generic, Self, TypeVar

from messagegen_client.config.addresses import parse_address
from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import (
    BootstrapError,
    BrokerConnectionError,
    BrokerError,
    ClosedDuringSetupError,
    KafkaError,
    ProtocolError,
)
from messagegen_client.transport.deadlines import Backoff, Deadline, Progress, Timeout
from messagegen_client.transport.messages import api_name
from messagegen_client.transport.metadata import Broker, ClusterMetadata
from messagegen_client.transport.ownership import Ownership
from messagegen_client.transport.pool import ConnectionPool, Load
from messagegen_kafka import AlterClientQuotasRequest, MetadataRequest, Request, Response
from messagegen_kafka.metadata_request import MetadataRequestTopic

R = TypeVar("R", bound=Response)
T = TypeVar("T")

_METADATA_VERSIONS: Final = range(4, MetadataRequest.VALID_VERSIONS.stop)
"""Version 4 is the first that can describe a topic without creating it (KIP-4)."""
_PATIENCE: Final = 15.0
"""The seconds for which to keep reconnecting if brokers close connections before any answer.

A quota on connections (KIP-612) counts the connections of about the last 10 s.
"""
_FORWARDED: Final = AlterClientQuotasRequest
"""A request that brokers forward to the controller, even if it only validates."""
_NEVER: Final = 0.0
"""The time of the last failure, for a broker that has not failed."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[R]):
    """A response, its version, and the broker that sent it."""

    message: R
    version: int
    broker: Broker


@dataclass(frozen=True, slots=True)
class _Call(Generic[R]):
    """A request for any broker."""

    request: Request[R]
    versions: range | None
    changes: bool
    """Whether the request changes something, so it must not be sent twice."""

    @property
    def waits_for_controller(self) -> bool:
        """Whether the broker that gets the request may wait for the controller before it answers."""
        return self.changes or isinstance(self.request, _FORWARDED)


class Cluster:
    """The connections to one cluster, for one event loop. Connections are made when they are first needed.

    Use it with ``async with``, or call ``close``.
    """

    def __init__(self, config: ClientConfig) -> None:
        self.config = config
        self._pool = ConnectionPool(config)
        self._ownership = Ownership()
        self._bootstrap = [Broker(-1, *parse_address(address)) for address in config.bootstrap_servers]
        self._brokers: Mapping[int, Broker] = {}
        """The brokers of the last metadata, by id."""
        self._failed_at: dict[str, float] = {}
        """The time of the last failure of each address, until it answers again."""
        self._contacted = False
        """Whether any broker has answered, which proves that the settings are right."""
        self._closed_since: float | None = None
        """The time at which a broker first closed a connection before answering; unused after the first answer."""

    async def __aenter__(self) -> Self:
        self._check_usable()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections. Calls in progress raise ``ClientClosedError``. May be called twice."""
        if self._pool.closed:
            return
        self._ownership.check()
        await self._pool.close()

    def deadline(self, timeout: Timeout = None) -> Deadline:
        """Return the deadline for ``timeout``: seconds, a deadline, or ``None`` for the config's ``api_timeout``."""
        if isinstance(timeout, Deadline):
            return timeout
        return Deadline.after(self.config.api_timeout if timeout is None else timeout)

    def backoff(self, deadline: Deadline) -> Backoff:
        """Return the pauses between the attempts of a call, from the config."""
        return Backoff(self.config.retry_backoff, self.config.retry_backoff_max, deadline)

    async def call(
        self,
        request: Request[R],
        *,
        to: int | None = None,
        deadline: Deadline,
        versions: range | None = None,
        changes: bool = False,
    ) -> Answer[R]:
        """Send a request, in the highest version that both sides support, and return the response.

        ``to`` is the id of a broker; ``None`` means any broker, with recently failed brokers last. ``versions`` is a
        range that restricts the versions, like ``VALID_VERSIONS``; an unstable version is used only if ``versions``
        contains it. The caller must handle error codes in the response (see ``retrying``).

        After a failed connection, other brokers are tried until the deadline. A broker that is given by its id is asked
        only once, because its partitions may have moved. A request that ``changes`` something is sent again only if no
        broker can have received it. Before the first such request, the client asks for metadata unless a broker has
        already answered.

        Until the first answer, each bootstrap address is tried only once, because wrong settings are more likely than a
        cluster that is starting. If a broker closes connections before it answers, as under a quota on connections
        (KIP-612), the addresses are tried again for a few seconds.

        Raises ``KafkaTimeoutError``, ``BrokerConnectionError`` (both with ``outcome_unknown``), ``BootstrapError``,
        ``AuthenticationError``, ``NoCommonVersionError``, ``ClientClosedError``, and ``EncodeError`` if the version
        can't represent the request.
        """
        call = _Call(request, versions, changes)
        whom = "any broker" if to is None else f"broker {to}"
        async with deadline.limit(f"asking {whom} for {api_name(type(request))}") as progress:
            return await self._call(call, to, deadline, progress)

    async def retrying(self, attempt: Callable[[], Awaitable[T]], *, deadline: Deadline) -> T:
        """Await ``attempt()``; while it raises a retriable ``BrokerError``, try again after a growing pause.

        Raises ``KafkaTimeoutError`` at the deadline, with the last error as its cause.
        """
        backoff = self.backoff(deadline)
        while True:
            try:
                return await attempt()
            except BrokerError as problem:
                if not problem.retriable:
                    raise
                last = problem
            if not await backoff.pause():
                raise deadline.error(last.doing, Progress(last_error=last)) from last

    async def metadata(self, topics: Iterable[str] | None = (), *, deadline: Deadline) -> ClusterMetadata:
        """Return the brokers, and the given topics (``None``: all) with the leaders of their partitions.

        The caller must check the error codes of topics and partitions. Never creates topics.
        """
        async with deadline.limit("asking any broker for Metadata") as progress:
            return await self._metadata(topics, deadline, progress)

    async def _metadata(self, topics: Iterable[str] | None, deadline: Deadline, progress: Progress) -> ClusterMetadata:
        names = None if topics is None else tuple(MetadataRequestTopic(name=name) for name in dict.fromkeys(topics))
        request = MetadataRequest(topics=names, allow_auto_topic_creation=False)
        call = _Call(request, _METADATA_VERSIONS, changes=False)
        backoff = self.backoff(deadline)
        while True:
            answer = await self._call(call, None, deadline, progress)
            response = answer.message
            if response.brokers and not response.error_code:
                metadata = ClusterMetadata.read(response)
                self._brokers = metadata.brokers
                return metadata
            # A broker that is starting lists no brokers. A broker that has lost contact with the cluster asks clients
            # to bootstrap again (KIP-1102).
            self._brokers = {}
            progress.stage = "waiting for a broker that lists the cluster's brokers"
            await _pause(backoff, deadline)

    async def _call(self, call: _Call[R], to: int | None, deadline: Deadline, progress: Progress) -> Answer[R]:
        """Send a request until it is answered; if ``to`` is a broker, send it only once."""
        try:
            if call.changes and not self._contacted:
                await self._metadata((), deadline, progress)
            if to is not None:
                broker = await self._broker(to, deadline, progress)
                return await self._ask(call, broker, None, progress)

            backoff = self.backoff(deadline)
            while True:
                answer = await self._ask_any(call, deadline, progress)
                if answer is not None:
                    return answer
                progress.stage = "waiting to retry"
                await _pause(backoff, deadline)
        except KafkaError as problem:
            problem.outcome_unknown = problem.outcome_unknown and call.changes
            raise

    async def _ask_any(self, call: _Call[R], deadline: Deadline, progress: Progress) -> Answer[R] | None:
        """Ask one broker after the other. Returns ``None`` if no broker can be reached now.

        The remaining time is shared equally between the brokers that have not been asked yet.
        """
        self._check_usable()
        candidates = self._candidates()
        reasons: list[tuple[str, KafkaError]] = []
        for number, broker in enumerate(candidates):
            left = len(candidates) - number
            share = None if left == 1 else deadline.remaining() / left
            try:
                return await self._ask(call, broker, share, progress)
            except BrokerConnectionError as problem:
                # If a broker sends an invalid response, other brokers are unlikely to do better.
                invalid = isinstance(problem, ProtocolError) and self._contacted
                may_have_changed = problem.outcome_unknown and call.changes
                if invalid or may_have_changed:
                    raise
                reasons.append((broker.address, problem))
                progress.last_error = BootstrapError(reasons)
                progress.outcome_unknown = False
        if not self._contacted and not self._may_be_limited(reasons):
            raise BootstrapError(reasons)
        return None

    def _may_be_limited(self, reasons: Iterable[tuple[str, KafkaError]]) -> bool:
        """Whether a quota on connections (KIP-612) may be why brokers close them, so that waiting helps."""
        if not any(isinstance(problem, ClosedDuringSetupError) for _, problem in reasons):
            return False
        now = time.monotonic()
        if self._closed_since is None:
            self._closed_since = now
        return now - self._closed_since < _PATIENCE

    async def _ask(self, call: _Call[R], broker: Broker, share: float | None, progress: Progress) -> Answer[R]:
        """Ask one broker within ``share`` seconds. A request that changes something may take longer once it is sent."""
        scope = asyncio.timeout(share)
        try:
            async with scope:
                progress.stage = f"connecting to {broker}"
                connection = await self._pool.connection(broker, waits_for_controller=call.waits_for_controller)

                progress.stage = f"waiting for {broker} to answer"
                if call.changes:
                    scope.reschedule(None)
                progress.outcome_unknown = call.changes
                connection.settings_work = self._contacted
                message, version = await connection.ask(call.request, call.versions)
        except (TimeoutError, BrokerConnectionError, asyncio.CancelledError) as problem:
            self._failed_at[broker.address] = time.monotonic()
            if not isinstance(problem, TimeoutError) or not scope.expired():
                raise
            raise BrokerConnectionError(f"{broker}: timed out after {share:.3g} s while {progress.stage}") from None
        self._failed_at.pop(broker.address, None)
        self._contacted = True
        return Answer(message, version, broker)

    def _check_usable(self) -> None:
        """Raise ``ClientClosedError`` after ``close``, and ``ClientUsageError`` in another process or event loop."""
        self._pool.check_open()
        self._ownership.check()

    def _candidates(self) -> list[Broker]:
        """Return all brokers and bootstrap addresses, in order of preference.

        Brokers that have not failed come first, and then the broker that failed longest ago. Among equals, idle
        connections come first, and bootstrap addresses last. The addresses are included in case all known brokers are
        gone (KIP-899).
        """
        known = list(self._brokers.values())
        addresses = {broker.address for broker in known}
        bootstrap = [broker for broker in self._bootstrap if broker.address not in addresses]
        random.shuffle(known)
        random.shuffle(bootstrap)

        def preference(broker: Broker) -> tuple[float, Load]:
            return self._failed_at.get(broker.address, _NEVER), self._pool.load(broker)

        return sorted([*known, *bootstrap], key=preference)

    async def _broker(self, wanted: int, deadline: Deadline, progress: Progress) -> Broker:
        """Return the broker with an id. Raises ``BrokerConnectionError`` if it is not alive."""
        brokers = self._brokers
        if wanted not in brokers:
            metadata = await self._metadata((), deadline, progress)
            brokers = metadata.brokers
        if wanted not in brokers:
            alive = ", ".join(map(str, sorted(brokers)))
            raise BrokerConnectionError(f"broker {wanted} is not alive; brokers that are alive: {alive}")
        return brokers[wanted]


async def _pause(backoff: Backoff, deadline: Deadline) -> None:
    """Wait before the next attempt, or until the deadline if too little time is left for another attempt."""
    await asyncio.sleep(backoff.next() or deadline.remaining())
