"""A repository with one spec, and the arguments of each command in it."""

from __future__ import annotations

from collections.abc import Sequence

SPEC = '{ "type": "data", "name": "Reading", "validVersions": "0", "flexibleVersions": "0+", "fields": [] }\n'

CONFIG = (
    '[tool.messagegen]\nspecs = ["specs"]\noutput = "src/readings"\n[tool.messagegen.breaking]\nagainst = "git:HEAD"\n'
)

ARGUMENTS: dict[str, Sequence[Sequence[str]]] = {
    "init": [[]],
    "generate": [[], ["--check"], ["--include", "site"]],
    "docs": [["--output", "site"]],
    "lint": [[], ["--format", "json"]],
    "fmt": [[], ["--check"], ["--list"]],
    "breaking": [[]],
    "upgrade-report": [["--from", "git:HEAD"]],
    "explain": [["00", "--message", "Reading", "--version", "0"]],
    "decode": [["--message", "Reading", "--version", "0"]],
    "encode": [["--message", "Reading", "--version", "0"]],
    "conformance": [[]],
    "vectors": [[]],
    "verify-vectors": [["--", "cat"]],
    "rules": [[]],
    "schema": [[]],
    "self-check": [[]],
}
"""Arguments for each command that reads a repository's specs. Other commands read files named by their arguments."""
