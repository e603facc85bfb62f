"""What is wrong with a test, or with what its client and broker said."""

from __future__ import annotations


class UnusedRuleError(AssertionError):
    """A rule was never used: the client did not send such a request."""


class UnansweredRequestError(AssertionError):
    """A scripted broker got a request that the test has no answer for."""
