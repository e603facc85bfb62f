"""Requests to the coordinator of a group: it is looked up first, and again when another broker takes over."""

from __future__ import annotations

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
from messagegen_client.net.watching import watched
from messagegen_kafka import FindCoordinatorRequest, FindCoordinatorResponse
from messagegen_kafka.error_codes import ErrorCode

if TYPE_CHECKING:
    # Generated code exports the base classes of messages for annotations only.
    from messagegen_kafka._runtime.messages import Request, Response

R = TypeVar("R", bound="Response")
T = TypeVar("T")

_GROUP: Final = 0
"""The key type of groups."""
TEMPORARILY_REFUSED: Final = frozenset(
    {
        ErrorCode.NOT_COORDINATOR,
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
        ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
        ErrorCode.REBALANCE_IN_PROGRESS,
    }
)
"""Codes for a whole group after which Java's admin client sends a change again."""
_POSSIBLY_WRITTEN: Final = frozenset({ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_NOT_AVAILABLE})
"""Those of them that a coordinator also sends after it has written a change that may still be committed."""


async def call_in_first_form(
    cluster: Cluster,
    forms: Sequence[tuple[Request, range]],
    response_type: type[R],
    *,
    to: Target,
    deadline: Deadline,
    idempotent: bool = True,
) -> Answer[R]:
    """Sends the first form of a request whose versions the broker has: older versions use other fields."""
    for number, (request, versions) in enumerate(forms, 1):
        try:
            return await cluster.call(
                request, response_type, to=to, deadline=deadline, versions=versions, idempotent=idempotent
            )
        except NoCommonVersionError:
            if number == len(forms):
                raise
    raise ValueError("a request needs at least one form")


async def find_coordinator(cluster: Cluster, group_id: str, *, deadline: Deadline) -> BrokerId:
    """The coordinator of a group.

    Raises ``AuthorizationError`` if the user may not describe the group, other ``BrokerError``, and what ``Cluster.call``
    raises.
    """
    doing = f"finding the coordinator of group {group_id}"
    forms = [
        (FindCoordinatorRequest(key_type=_GROUP, coordinator_keys=(group_id,)), range(4, 7)),
        (FindCoordinatorRequest(key=group_id, key_type=_GROUP), range(4)),
    ]

    async def attempt() -> BrokerId:
        answer = await call_in_first_form(cluster, forms, FindCoordinatorResponse, to=ANY_BROKER, deadline=deadline)
        message = answer.message
        if answer.version < forms[0][1].start:
            check_error_code(message.error_code, doing, message.error_message)
            return BrokerId(message.node_id)
        for found in message.coordinators:
            if found.key == group_id:
                check_error_code(found.error_code, doing, found.error_message)
                return BrokerId(found.node_id)
        raise ProtocolError(f"{doing}: missing in the response")

    return await cluster.retrying(attempt, deadline=deadline)


class Coordinator:
    """The coordinator of one group, for a call that lasts until a deadline."""

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
        """The result of ``read`` for the response. The request has one or more forms, as for ``call_in_first_form``.

        If ``read`` raises a retriable ``BrokerError``, or the coordinator can't be reached, the coordinator is looked up again,
        until the deadline. A request that is not ``idempotent`` is sent again only if it can't have been carried out, and after
        the codes of ``TEMPORARILY_REFUSED``; after some of these the outcome is unknown if no later attempt succeeds.
        """
        backoff = self._cluster.backoff(self._deadline)
        possibly_done = False
        last: KafkaError | None = None
        while True:
            try:
                return read(await self._attempt(forms, response_type, idempotent=idempotent))
            except _UnreachableError as problem:
                last = problem.reason
            except BrokerError as problem:
                possibly_done |= not idempotent and problem.code in _POSSIBLY_WRITTEN
                if not (problem.retriable if idempotent else problem.code in TEMPORARILY_REFUSED):
                    problem.outcome_unknown |= possibly_done
                    raise
                last = problem
            except KafkaError as problem:
                problem.outcome_unknown |= possibly_done
                if last is None or not isinstance(problem, KafkaTimeoutError):
                    raise
                unknown = problem.outcome_unknown
                raise self._deadline.error(doing, Progress(last_error=last, outcome_unknown=unknown)) from last
            self._cluster.expire_metadata()
            if not await backoff.pause():
                raise self._deadline.error(doing, Progress(last_error=last, outcome_unknown=possibly_done)) from last

    async def _attempt(
        self, forms: Sequence[tuple[Request, range]], response_type: type[R], *, idempotent: bool
    ) -> Answer[R]:
        """One attempt. Raises ``_UnreachableError`` if another one may succeed."""
        cluster, deadline = self._cluster, self._deadline
        coordinator = await find_coordinator(cluster, self._group_id, deadline=deadline)
        request = call_in_first_form(
            cluster, forms, response_type, to=coordinator, deadline=deadline, idempotent=idempotent
        )
        try:
            if not idempotent:
                return await request
            return await watched(request, lambda: self._new_coordinator(coordinator), cluster, deadline)
        except BrokerConnectionError as problem:
            if problem.outcome_unknown or isinstance(problem, ProtocolError):
                raise
            raise _UnreachableError(problem) from problem

    async def _new_coordinator(self, coordinator: BrokerId) -> KafkaError | None:
        """An error if other brokers name a new coordinator."""
        if await find_coordinator(self._cluster, self._group_id, deadline=self._deadline) == coordinator:
            return None
        return BrokerConnectionError(
            f"{coordinator} did not answer and is no longer the coordinator of group {self._group_id}"
        )


class _UnreachableError(Exception):
    """The coordinator can't be reached and has not received the request."""

    def __init__(self, reason: BrokerConnectionError) -> None:
        super().__init__(reason)
        self.reason = reason
