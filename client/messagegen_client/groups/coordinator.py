"""Asks the coordinator of a group: the broker that keeps the group's offsets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from messagegen_client.errors import (
    BrokerConnectionError,
    KafkaError,
    ProtocolError,
    broker_error,
    check_error_code,
)
from messagegen_client.transport.cluster import Cluster
from messagegen_client.transport.deadlines import Deadline
from messagegen_kafka import FindCoordinatorRequest, FindCoordinatorResponse, Request, Response
from messagegen_kafka.error_codes import ErrorCode

R = TypeVar("R", bound=Response)

_GROUP: Final = 0
"""The key type of groups."""
_VERSIONS: Final = FindCoordinatorRequest.stable_versions[4:]
"""Version 4 is the first with a list of keys (KIP-699, Kafka 3.0)."""
_MAY_HAVE_WRITTEN: Final = frozenset({ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_NOT_AVAILABLE})
"""A coordinator that is replaced also answers with these after it has written something."""
_ASKED_AGAIN: Final = _MAY_HAVE_WRITTEN | {ErrorCode.COORDINATOR_LOAD_IN_PROGRESS}
"""After these, the group has another coordinator, or the same one is ready later."""


@dataclass(frozen=True, slots=True)
class Coordinator:
    """The coordinator of a group, for requests that share a deadline."""

    cluster: Cluster
    group_id: str
    deadline: Deadline

    async def ask(
        self,
        request: Request,
        response_type: type[R],
        error_code: Callable[[R], int],
        *,
        doing: str,
        versions: range | None = None,
        changes: bool = False,
    ) -> R:
        """The response of the coordinator. Finds the coordinator, again if it has moved, until the deadline.

        ``error_code`` is the error code of the group in a response, or 0. Only the codes of a coordinator that has
        moved or is not ready are handled here, others are left to the caller. ``versions`` and ``changes`` are those of
        ``Cluster.call``.

        Raises ``AuthorizationError`` if the user may not describe the group, and what ``Cluster.call`` raises.
        """
        may_have_written = False

        async def attempt() -> R:
            nonlocal may_have_written
            coordinator = await self._find()
            try:
                answer = await self.cluster.call(
                    request, response_type, to=coordinator, deadline=self.deadline, versions=versions, changes=changes
                )
            except BrokerConnectionError as problem:
                if problem.outcome_unknown or isinstance(problem, ProtocolError):
                    raise
                # The group has another coordinator soon.
                raise broker_error(ErrorCode.COORDINATOR_NOT_AVAILABLE, doing, str(problem)) from problem
            code = ErrorCode(error_code(answer.message))
            if code in _ASKED_AGAIN:
                may_have_written |= changes and code in _MAY_HAVE_WRITTEN
                raise broker_error(code, doing)
            return answer.message

        try:
            return await self.cluster.retrying(attempt, deadline=self.deadline)
        except KafkaError as problem:
            problem.outcome_unknown |= may_have_written
            raise

    async def _find(self) -> int:
        """The id of the broker that is the coordinator."""
        doing = f"finding the coordinator of group {self.group_id}"
        request = FindCoordinatorRequest(key_type=_GROUP, coordinator_keys=(self.group_id,))
        answer = await self.cluster.call(request, FindCoordinatorResponse, deadline=self.deadline, versions=_VERSIONS)
        for found in answer.message.coordinators:
            if found.key == self.group_id:
                check_error_code(found.error_code, doing, found.error_message)
                return found.node_id
        raise ProtocolError(f"{doing}: missing in the response")
