"""Why a test fails, although its own assertions hold."""

from __future__ import annotations


class UnusedRuleError(AssertionError):
    """A rule was never used: the client did not send such a request."""


class UnansweredRequestError(AssertionError):
    """A scripted broker got a request that it has no answer to."""


class UnreadableRequestWarning(UserWarning):
    """A proxy passed a request on as it came, because its bytes can't be read; no rule was asked."""
