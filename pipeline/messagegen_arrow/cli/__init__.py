"""Shared parts of command lines: the output of the advisor."""
