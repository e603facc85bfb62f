"""Tests of the output ``site``, which describes messages."""
