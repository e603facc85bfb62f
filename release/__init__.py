"""Builds, checks and tests what is published: ``python -m release --help``. It is not part of any distribution's wheel."""
