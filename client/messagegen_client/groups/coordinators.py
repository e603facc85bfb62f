"""Questions to the coordinator of a group: it is found first, and again when it has become another broker."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from messagegen_client.errors import (
    BrokerConnectionError,
    BrokerError,
    KafkaError,
    KafkaTimeoutError,
    NoCommonVersionError,
    ProtocolError,
    check_error_code,
)
from messagegen_client.net.cluster import ANY_BROKER, Answer, BrokerId, Cluster, Target
from messagegen_client.net.deadlines import Deadline, Progress
from messagegen_kafka import FindCoordinatorRequest, FindCoordinatorResponse
from messagegen_kafka.error_codes import ErrorCode

if TYPE_CHECKING:
    # Generated code offers the bases of messages for annotations only.
    from messagegen_kafka._runtime.messages import Request, Response

R = TypeVar("R", bound="Response")
T = TypeVar("T")

_GROUP: Final = 0
"""The key type of groups."""
_PATIENCE: Final = 0.1
"""The part of a request's time after which to ask who the coordinator is, while its answer is waited for."""
REFUSED_FOR_NOW: Final = frozenset(
    {
        ErrorCode.NOT_COORDINATOR,
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
        ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
        ErrorCode.REBALANCE_IN_PROGRESS,
    }
)
"""Codes for a group as a whole, after which Java's admin client sends a change again."""
_PERHAPS_WRITTEN: Final = frozenset({ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_NOT_AVAILABLE})
"""Those of them that a coordinator also answers when it has written something and can't tell what became of it."""


async def in_first_form(
    cluster: Cluster,
    forms: Sequence[tuple[Request, range]],
    response_type: type[R],
    *,
    to: Target,
    deadline: Deadline,
    idempotent: bool = True,
) -> Answer[R]:
    """Sends a request in the first of its forms that the broker knows: older versions say the same thing in other fields."""
    for request, versions in forms[:-1]:
        try:
            return await cluster.call(
                request, response_type, to=to, deadline=deadline, versions=versions, idempotent=idempotent
            )
        except NoCommonVersionError:
            continue
    request, versions = forms[-1]
    return await cluster.call(
        request, response_type, to=to, deadline=deadline, versions=versions, idempotent=idempotent
    )


async def find_coordinator(cluster: Cluster, group_id: str, *, deadline: Deadline) -> BrokerId:
    """The broker that is the coordinator of a group.

    Raises ``AuthorizationError`` where the user may not know of the group, other ``BrokerError``, and what ``Cluster.call``
    raises.
    """
    doing = f"finding the coordinator of group {group_id}"
    forms = [
        (FindCoordinatorRequest(key_type=_GROUP, coordinator_keys=(group_id,)), range(4, 7)),
        (FindCoordinatorRequest(key=group_id, key_type=_GROUP), range(4)),
    ]

    async def attempt() -> BrokerId:
        answer = await in_first_form(cluster, forms, FindCoordinatorResponse, to=ANY_BROKER, deadline=deadline)
        message = answer.message
        if answer.version < forms[0][1].start:
            check_error_code(message.error_code, doing, message.error_message)
            return BrokerId(message.node_id)
        for found in message.coordinators:
            if found.key == group_id:
                check_error_code(found.error_code, doing, found.error_message)
                return BrokerId(found.node_id)
        raise ProtocolError(f"{doing}: the answer does not mention it")

    return await cluster.retrying(attempt, deadline=deadline)


class Coordinator:
    """The coordinator of one group, for a call that lasts until a deadline; it is found again when it has moved."""

    def __init__(self, cluster: Cluster, group_id: str, deadline: Deadline) -> None:
        self._cluster = cluster
        self._group_id = group_id
        self._deadline = deadline

    async def ask(
        self,
        forms: Sequence[tuple[Request, range]],
        response_type: type[R],
        read: Callable[[Answer[R]], T],
        *,
        doing: str,
        idempotent: bool = True,
    ) -> T:
        """What ``read`` makes of the response; the request has several forms, as for ``in_first_form``.

        Where ``read`` raises a retriable ``BrokerError``, or the coordinator can't be reached, it is found again, until the
        deadline. A request that is not ``idempotent`` is sent again only where it can't have been carried out, and after the
        codes of ``REFUSED_FOR_NOW``; after some of those the outcome is unknown all the same, if nothing better follows.
        """
        backoff = self._cluster.backoff(self._deadline)
        perhaps_done = False
        last: KafkaError | None = None
        while True:
            try:
                return read(await self._attempt(forms, response_type, idempotent=idempotent))
            except _UnreachableError as problem:
                last = problem.reason
            except BrokerError as problem:
                perhaps_done |= not idempotent and problem.code in _PERHAPS_WRITTEN
                if not (problem.retriable if idempotent else problem.code in REFUSED_FOR_NOW):
                    problem.outcome_unknown |= perhaps_done
                    raise
                last = problem
            except KafkaError as problem:
                problem.outcome_unknown |= perhaps_done
                if last is None or not isinstance(problem, KafkaTimeoutError):
                    raise
                unknown = problem.outcome_unknown
                raise self._deadline.error(doing, Progress(last_error=last, outcome_unknown=unknown)) from last
            self._cluster.expire_metadata()
            if not await backoff.pause():
                raise self._deadline.error(doing, Progress(last_error=last, outcome_unknown=perhaps_done)) from last

    async def _attempt(
        self, forms: Sequence[tuple[Request, range]], response_type: type[R], *, idempotent: bool
    ) -> Answer[R]:
        """One try; raises ``_UnreachableError`` where another one may do better."""
        coordinator = await find_coordinator(self._cluster, self._group_id, deadline=self._deadline)
        asking = asyncio.create_task(
            in_first_form(
                self._cluster, forms, response_type, to=coordinator, deadline=self._deadline, idempotent=idempotent
            )
        )
        try:
            if idempotent:
                await self._watch(coordinator, asking)
            return await asking
        except BrokerConnectionError as problem:
            if problem.outcome_unknown or isinstance(problem, ProtocolError):
                raise
            raise _UnreachableError(problem) from problem
        finally:
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)

    async def _watch(self, coordinator: BrokerId, asking: asyncio.Task[Answer[R]]) -> None:
        """Waits for an answer; raises ``BrokerConnectionError`` if the others say meanwhile that there is a new coordinator."""
        pause = min(self._cluster.config.request_timeout, self._deadline.remaining()) * _PATIENCE
        while not (await asyncio.wait([asking], timeout=pause))[0]:
            try:
                now = await find_coordinator(self._cluster, self._group_id, deadline=self._deadline)
            except KafkaError:
                continue  # Then nobody knows better, and the call ends at the deadline.
            if now != coordinator:
                raise BrokerConnectionError(
                    f"{coordinator} did not answer, and is no longer the coordinator of group {self._group_id}"
                )


class _UnreachableError(Exception):
    """The coordinator can't be reached, and has not got the request."""

    def __init__(self, reason: BrokerConnectionError) -> None:
        super().__init__(reason)
        self.reason = reason
