"""The arguments of each command that reads specs."""

from __future__ import annotations

from collections.abc import Sequence

SPEC = '{{ "type": "data", "name": "{name}", "validVersions": "0", "flexibleVersions": "0+", "fields": [] }}\n'
MESSAGE = ["--message", "Reading", "--version", "0"]

# The arguments before the specs, and the arguments after them.
COMMANDS: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "lint": ([], []),
    "fmt": (["--check"], []),
    "generate": (["--output", "out"], []),
    "docs": (["--output", "out"], []),
    "breaking": (["--against", "specs"], []),
    "upgrade-report": (["--from", "specs"], []),
    "explain": ([*MESSAGE, "bytes.hex"], []),
    "decode": ([*MESSAGE, "bytes.hex"], []),
    "encode": ([*MESSAGE, "message.json"], []),
    "vectors": ([], []),
    "conformance": ([], []),
}
