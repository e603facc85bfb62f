"""Why a test fails, although its own assertions hold."""

from __future__ import annotations


class UnusedRuleError(AssertionError):
    """A rule was never used: the client did not send such a request."""


class UnansweredRequestError(AssertionError):
    """A scripted broker got a request that it has no answer to."""
