"""The exceptions of planning and reading logs, one for each kind of error of the native engine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from messagegen_arrow.malformed import MalformedMessageError
from messagegen_arrow.options import OptionError


class LogPathError(ValueError):
    """Raised for a path that does not exist or has no logs, and for a missing topic."""


class LogGapError(RuntimeError):
    """Raised if records were deleted before a stream read them."""


class CheckpointError(ValueError):
    """Raised for a checkpoint that a different version of messagegen wrote."""


class DataLossError(RuntimeError):
    """Raised if a file was deleted or replaced after it was planned."""


class TieredSegmentError(ValueError):
    """Raised for a remote segment that a tiered storage plugin has compressed or encrypted."""


_KINDS: Final[dict[str, type[Exception]]] = {
    "Path": LogPathError,
    "Option": OptionError,
    "Malformed": MalformedMessageError,
    "DataLoss": DataLossError,
    "Gap": LogGapError,
    "Checkpoint": CheckpointError,
    "Tiered": TieredSegmentError,
}


@contextmanager
def engine_errors() -> Iterator[None]:
    """Convert the engine's errors to the exceptions of their kinds.

    Other errors, such as ``OSError``, stay unchanged.
    """
    try:
        yield
    except ValueError as error:
        kind = _KINDS.get(error.args[0]) if len(error.args) == 2 else None
        if kind is None:
            raise
        raise kind(error.args[1]) from None
