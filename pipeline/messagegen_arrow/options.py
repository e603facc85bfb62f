"""The exception for options of sources."""

from __future__ import annotations


class OptionError(ValueError):
    """Raised for an unknown option or an invalid value; the text lists the expected values."""
