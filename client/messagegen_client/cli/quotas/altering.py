"""Alters quotas for a command, and waits for all brokers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import click

from messagegen_client.admin import AsyncAdmin
from messagegen_client.errors import KafkaError
from messagegen_client.net.deadlines import Deadline
from messagegen_client.quotas.entities import ClientQuotaAlteration
from messagegen_client.quotas.results import AlterClientQuotasResult

Altered = tuple[AlterClientQuotasResult, KafkaError | None]


async def alter(
    admin: AsyncAdmin,
    deadline: Deadline,
    alterations: Sequence[ClientQuotaAlteration],
    *,
    validate_only: bool,
    wait: bool = False,
) -> Altered:
    """The results; with ``wait`` also the error if not all brokers describe the changes in time.

    An error with an unknown outcome becomes the result of all entities. An interrupt (Ctrl-C) prints that the outcome is
    unknown.
    """
    try:
        results = await admin.alter_client_quotas(alterations, validate_only=validate_only, timeout=deadline)
    except KafkaError as problem:
        if not problem.outcome_unknown:
            raise
        results = AlterClientQuotasResult((alteration.entity, problem) for alteration in alterations)
    except asyncio.CancelledError:
        if not validate_only:
            click.echo("Interrupted: the outcome is unknown; describe the quotas to see what was done.", err=True)
        raise
    if not wait:
        return results, None
    done = [alteration for alteration in alterations if results[alteration.entity] is None]
    try:
        await admin.wait_for_client_quotas(done, timeout=deadline)
    except KafkaError as problem:
        return results, problem
    return results, None
