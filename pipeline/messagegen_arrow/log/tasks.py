"""From options to what is read: the logs, their limits, and ranges of files."""

from __future__ import annotations

from collections.abc import Sequence

from messagegen_arrow.log.files import MAX_OFFSET, PartitionLog, Wanted, find_logs, given_paths
from messagegen_arrow.log.offsets import with_chosen_offsets
from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.log.planning import FileRange, plan
from messagegen_arrow.log.transactions.stable_offset import last_stable_offset
from messagegen_arrow.records.pure_reader import Bounds


def find_tasks(
    options: LogOptions, bounds: Bounds | None = None, wanted: Wanted | None = None
) -> list[tuple[FileRange, ...]]:
    """What to read of the logs that the options name, in tasks, in the order of topic, partition and offset.

    ``bounds`` and ``wanted`` are what a query filters besides the options (default: nothing). Raises ``LogPathError`` if there
    is no log.
    """
    return plan_tasks(wanted_logs(options, wanted), options, options.bounds if bounds is None else bounds)


def wanted_logs(
    options: LogOptions, wanted: Wanted | None = None, paths: Sequence[str] | None = None
) -> list[PartitionLog]:
    """The logs that are wanted of ``paths`` (default: those of the options). Raises ``LogPathError`` if there is none."""
    return find_logs(
        given_paths(options.path, options.paths) if paths is None else paths,
        lambda topic, partition: options.take_partition(topic, partition)
        and (wanted is None or wanted(topic, partition)),
    )


def plan_tasks(logs: Sequence[PartitionLog], options: LogOptions, bounds: Bounds) -> list[tuple[FileRange, ...]]:
    """What to read of these logs, within the limits of the options."""
    limited = with_chosen_offsets(options.limited(list(logs)), options)
    return plan(limited, bounds, options, [_read_until(log, options, bounds) for log in limited])


def _read_until(log: PartitionLog, options: LogOptions, bounds: Bounds) -> int | None:
    if options.isolation_level == "read_uncommitted":
        return None
    if not options.until_last_stable_offset:
        return MAX_OFFSET
    stable, _ = last_stable_offset(log, min(bounds.max_offset, log.end_offset - 1))
    return MAX_OFFSET if stable is None else stable
